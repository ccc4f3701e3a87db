import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Puts beside the built files of `@redeemkit/sandbox` what makes a package of them: its manifest and the project's texts.
 *
 * The version is the root's, and `redeemkit` is asked for at exactly that version: the sandbox imports its internals. It is
 * a peer dependency, so that there is one copy of it and of its classes, also under a strict package manager.
 */
export function writeSandboxPackage(folder: string): void {
  const { private: _, ...manifest } = readJson('src/sandbox/package.json')
  const { name, version } = readJson('package.json')
  const published = {
    name: manifest.name,
    version,
    ...manifest,
    peerDependencies: { [name]: version, ...manifest.peerDependencies },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of ['README.md', 'PROTOCOL.md', 'LICENSE', 'CHANGELOG.md'])
    copyFileSync(join(root, file), join(folder, file))
}

/** The repository's own manifests, which the type checker does not know. */
function readJson(path: string): Record<string, string & Record<string, string>> {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
