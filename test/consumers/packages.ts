import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sandboxManifest = JSON.parse(readFileSync(join(root, 'src/sandbox/package.json'), 'utf8'))

/** The entry points of a package by its manifest, without the internals that only the sandbox may have. */
const pathsOf = ({ name, exports }: { name: string; exports: object }) =>
  Object.keys(exports)
    .filter((path) => !/internal|package\.json/.test(path))
    .map((path) => `${name}${path.slice(1)}`)

/** What an import may name. */
export const entryPoints: readonly string[] = [...pathsOf(manifest), ...pathsOf(sandboxManifest)]

/** The optional packages, and which entry points need them to be there. */
export const needsPackage: Readonly<Record<string, string>> = {
  'redeemkit/solana': '@solana/web3.js',
  'redeemkit/stellar': '@stellar/stellar-sdk',
  '@redeemkit/sandbox/testing/vitest': 'vitest',
}

/** A package as the lockfile has it, so that a test of today is one of tomorrow: `viem@2.57.1`. */
export function pinned(name: string): string {
  return `${name}@${manifest.devDependencies[name]}`
}

/** The names that an entry point shows, one a line. */
export function exportNames(entryPoint: string): string {
  return readFileSync(join(root, `test/consumers/exports/${entryPoint.replaceAll('/', '-')}.txt`), 'utf8')
}

export type Tarballs = { redeemkit: string; sandbox: string }

/** Builds and packs both packages, by the command that a release uses. */
export function packBoth(): Tarballs {
  execFileSync('npm', ['run', 'pack'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  const { version } = manifest
  return {
    redeemkit: join(root, `dist/redeemkit-${version}.tgz`),
    sandbox: join(root, `dist/redeemkit-sandbox-${version}.tgz`),
  }
}
