import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { internals } from '../src/redeemkit/internal.ts'
import { entryPoints } from './entryPoints.ts'
import { writePackage } from './writePackage.ts'

/**
 * Writes the declarations of `redeemkit`: one file for each source, with the same path. Each class is declared once, so that it is the same
 * type under every entry point.
 *
 * tsdown writes the declarations of the sandbox. This script only moves their comments back to separate lines.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const project = join(root, 'node_modules/.cache/redeemkit/types.json')
const outDir = join(root, 'dist/redeemkit/dist')

/** The source of each entry point: `evm/index`. */
const ownSources = Object.values(entryPoints).flatMap(
  (path) => /^src\/redeemkit\/(.+)\.ts$/.exec(path)?.[1] ?? [],
)

const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src/redeemkit'),
    outDir,
  },
  include: [],
  files: [...ownSources, ...internals].map((path) => join(root, 'src/redeemkit', `${path}.ts`)),
}
mkdirSync(dirname(project), { recursive: true })
writeFileSync(project, JSON.stringify(config))

const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
if (status !== 0)
  throw new Error(`tsc exited with ${status}, so the declarations of redeemkit are not written.`)

/** Changes the compiler's output: `.ts` in imports to `.js`, an indent of four to two, and long string types to `string`. */
function published(text: string): string {
  return text
    .replace(/^(?! *\*).*$/gm, (line) =>
      line.replace(/(from |import\()(["'])(\.\.?\/[^"']+)\.tsx?\2/g, '$1$2$3.js$2'),
    )
    .replace(/^( *readonly (?:meaning|fix|lookUp|summary): )(['"]).*\2;$/gm, '$1string;')
    .replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
}

function exportingFiles(): Set<string> {
  return new Set(
    ownSources.flatMap((path) => {
      const file = join(outDir, `${path}.d.ts`)
      const imported = readFileSync(file, 'utf8').matchAll(/ from ["'](\.[^"']+)\.js["']/g)
      return [file, ...[...imported].map(([, from]) => join(dirname(file), `${from}.d.ts`))]
    }),
  )
}

/** Removes comments of functions that no entry point exports. Comments of types stay, because exported types may refer to them. */
function withoutInternalComments(text: string): string {
  return text.replace(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=(?:export )?declare (?:function|const) )/gm, '')
}

/** Moves each comment to its own line. tsdown writes it after the previous member, or on the line of its own member. */
function withCommentLines(text: string): string {
  return text
    .replace(/^\/\/#(?:end)?region.*\n/gm, '')
    .replace(/^( *)(\S.*[;{]) (\/\*\*.*\*\/)$/gm, (_, indent, code, comment) => {
      const next = code.endsWith('{') ? `${indent}  ` : indent
      return `${indent}${code}\n${next}${comment}`
    })
    .replace(/^( *)(\/\*\* .*? \*\/)(?=\S)/gm, '$1$2\n$1')
}

function rewrite(folder: string, change: (text: string, file: string) => string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.d.ts')) continue
    const path = join(entry.parentPath, entry.name)
    writeFileSync(path, change(readFileSync(path, 'utf8'), path))
  }
}

rewrite(outDir, published)
const exporting = exportingFiles()
rewrite(outDir, (text, file) => (exporting.has(file) ? text : withoutInternalComments(text)))
rewrite(join(root, 'dist/sandbox/dist'), withCommentLines)
writePackage('redeemkit')
