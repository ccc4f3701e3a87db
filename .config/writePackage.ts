import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sitePages } from '../docs/generate/sitePages.ts'
import { internals } from '../src/redeemkit/internal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Only `redeemkit` contains the documentation, because the sandbox requires that package. */
export function writePackage(name: 'redeemkit' | 'sandbox'): void {
  const folder = join(root, 'dist', name)
  const { private: _, devDependencies: __, ...manifest } = readJson(`src/${name}/package.json`)
  const published = name === 'redeemkit' ? withInternals(manifest) : withRedeemkit(manifest)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', 'AGENTS.md', 'CHANGELOG.md'])
    copyFileSync(join(root, 'src', name, file), join(folder, file))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  // Removes the pages of an earlier build.
  rmSync(join(folder, 'docs'), { recursive: true, force: true })
  if (name === 'sandbox') return
  for (const [path, text] of packagedPages()) {
    mkdirSync(dirname(join(folder, 'docs', path)), { recursive: true })
    writeFileSync(join(folder, 'docs', path), text)
  }
}

/** Returns the documentation pages without pictures, and without the API reference, which repeats the declarations. */
export function packagedPages(): Map<string, string> {
  const pages = [...sitePages()].filter(([path]) => !path.startsWith('reference/api/'))
  return new Map(
    pages.map(([path, text]) => [
      path,
      text.replace(/^!\[.*\]\(\/.*\)\n\n/gm, '').replaceAll(/\[([^\]]+)\]\([\w./]*\/api\/[^)]*\)/g, '$1'),
    ]),
  )
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

/** The sandbox imports redeemkit's internals, so it requires exactly its own version. A peer dependency is installed only once. */
function withRedeemkit(manifest: Manifest) {
  return { ...manifest, peerDependencies: { redeemkit: manifest.version, ...manifest.peerDependencies } }
}

/** The repository's own manifests, which the type checker does not know. */
function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
