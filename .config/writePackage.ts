import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { internals } from '../src/redeemkit/internal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the manifest and the texts of a package beside its built files in `dist`.
 *
 * @param declared internals that have declarations
 */
export function writePackage(name: 'redeemkit' | 'sandbox', declared: readonly string[] = []): void {
  const folder = join(root, 'dist', name)
  const { private: _, ...manifest } = readJson(`src/${name}/package.json`)
  const published = name === 'redeemkit' ? withInternals(manifest, declared) : withRedeemkit(manifest)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', 'PROTOCOL.md', 'LICENSE', 'CHANGELOG.md'])
    copyFileSync(join(root, file), join(folder, file))
  // PROTOCOL.md and errors refer to these pages.
  cpSync(join(root, 'docs/pages'), join(folder, 'docs/pages'), { recursive: true })
}

type Manifest = Record<string, string & Record<string, unknown>>

/** Exports the modules that the sandbox imports. */
function withInternals(manifest: Manifest, declared: readonly string[]) {
  const added = internals.map((path) => [
    `./internal/${path}`,
    {
      ...(declared.includes(path) ? { types: `./dist/${path}.d.ts` } : {}),
      default: `./dist/${path}.js`,
    },
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
