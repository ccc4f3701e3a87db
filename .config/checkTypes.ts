import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Checks the types of the repository and of its documentation examples with TypeScript 7, which takes a third of the time. Other tools
 * need the API of TypeScript 6.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.cache/redeemkit/docExamples')

function docExamples(): Map<string, string> {
  const found = new Map<string, string>()
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) {
    const blocks = readFileSync(file, 'utf8').matchAll(/^ *\* *```(tsx?)\n([\s\S]*?)^ *\* *```$/gm)
    for (const [index, [, language, block = '']] of [...blocks].entries()) {
      const path = relative(root, file).replace(/\.tsx?$/, `.example${index}.${language}`)
      // Makes an example without imports a module.
      found.set(path, `${block.replace(/^ *\* ?/gm, '')}\nexport {}\n`)
    }
  }
  for (const name of ['redeemkit', 'sandbox']) {
    const blocks = readFileSync(join(root, 'src', name, 'README.md'), 'utf8').matchAll(
      /^```ts\n([\s\S]*?)^```$/gm,
    )
    for (const [index, [, block = '']] of [...blocks].entries())
      found.set(`src/${name}/README.example${index}.ts`, `${block}export {}\n`)
  }
  return found
}

const examples = docExamples()
if (examples.size < 50) throw new Error(`Only ${examples.size} examples were found in src.`)

rmSync(folder, { recursive: true, force: true })
for (const [path, code] of examples) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), code)
}
const { include, exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
const project = join(folder, 'tsconfig.json')
const config = {
  extends: join(root, 'tsconfig.json'),
  // Examples import relative to their source file, although they are compiled from the cache folder.
  compilerOptions: { rootDirs: [root, folder] },
  files: [...examples.keys()],
  include: include.map((path: string) => join(root, path)),
  exclude: exclude.map((path: string) => join(root, path)),
}
writeFileSync(project, JSON.stringify(config))

const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--checkers', '2'], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
