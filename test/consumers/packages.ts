import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What an import may name, without the internals that only the sandbox may have, and without Solidity. */
export const entryPoints: readonly string[] = [
  ...Object.keys(manifest.exports)
    .filter((path) => !/internal|contracts|package\.json/.test(path))
    .map((path) => `redeemkit${path.slice(1)}`),
  '@redeemkit/sandbox',
]

/** The optional packages, and which entry points need them to be there. */
export const needsPackage: Readonly<Record<string, string>> = {
  'redeemkit/solana': '@solana/web3.js',
  'redeemkit/stellar': '@stellar/stellar-sdk',
}

/** A package as the lockfile has it, so that a test of today is one of tomorrow: `viem@2.57.1`. */
export function pinned(name: string): string {
  return `${name}@${manifest.devDependencies[name]}`
}

/** The names that an entry point shows, one a line. */
export function exportNames(entryPoint: string): string {
  return readFileSync(join(root, `test/consumers/exports/${entryPoint.replace('/', '-')}.txt`), 'utf8')
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
