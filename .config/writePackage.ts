import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { internals } from '../src/redeemkit/internal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the manifest and the texts of a package beside its built files in `dist`. `README.md`, `AGENTS.md` and `CHANGELOG.md` are the
 * package's own. The protocol and the pages that it links come with `redeemkit`, which the sandbox requires.
 */
export function writePackage(name: 'redeemkit' | 'sandbox'): void {
  const folder = join(root, 'dist', name)
  const { private: _, ...manifest } = readJson(`src/${name}/package.json`)
  const published = name === 'redeemkit' ? withInternals(manifest) : withRedeemkit(manifest)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', 'AGENTS.md', 'CHANGELOG.md'])
    copyFileSync(join(root, 'src', name, file), join(folder, file))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  // Pages of an earlier build.
  rmSync(join(folder, 'docs'), { recursive: true, force: true })
  if (name === 'sandbox') return
  for (const path of linkedPages('PROTOCOL.md')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const text = readFileSync(join(root, path), 'utf8')
    writeFileSync(join(folder, path), path === 'PROTOCOL.md' ? withContents(text) : text)
  }
}

/** Returns a page and every Markdown page that it links, directly or through another one, as paths from the root. */
function linkedPages(path: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const links = readFileSync(join(root, path), 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]+\.md)(?:#[^)]*)?\)/g)
  for (const [, link = ''] of links) linkedPages(normalize(join(dirname(path), link)), found)
  return found
}

/** Adds a table of contents before the first section, with anchors as GitHub and npm make them. */
export function withContents(page: string): string {
  if (/^## Contents$/m.test(page)) return page
  const lines = page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^(##|###) (.+)$/gm)
  const contents = [...lines].map(([, level, title = '']) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    return `${level === '##' ? '' : '  '}- [${title}](#${anchor})`
  })
  return page.replace(/^## /m, () => `## Contents\n\n${contents.join('\n')}\n\n## `)
}

type Manifest = {
  version: string
  exports: Record<string, unknown>
  peerDependencies: Record<string, string>
  [name: string]: unknown
}

/** Exports the modules that the sandbox imports. */
function withInternals(manifest: Manifest) {
  const added = internals.map((path) => [
    `./internal/${path}`,
    { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` },
  ])
  return { ...manifest, exports: { ...manifest.exports, ...Object.fromEntries(added) } }
}

/**
 * The sandbox imports redeemkit's internals, so it needs exactly its own version. A peer dependency gives one copy of redeemkit and its
 * classes under strict package managers, too.
 */
function withRedeemkit(manifest: Manifest) {
  return { ...manifest, peerDependencies: { redeemkit: manifest.version, ...manifest.peerDependencies } }
}

/** The repository's own manifests, which the type checker does not know. */
function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
