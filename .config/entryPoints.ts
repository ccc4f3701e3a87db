import { readFileSync } from 'node:fs'

/** The entry points in the manifests of both packages: `redeemkit/evm` → `src/redeemkit/evm/index.ts`. */
export const entryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  ['redeemkit', 'sandbox'].flatMap((folder) => {
    const manifest = new URL(`../src/${folder}/package.json`, import.meta.url)
    const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8'))
    // The other exports are single files: Solidity sources and the manifest.
    return Object.entries<{ types?: string } | string>(exports).flatMap(([path, target]) =>
      typeof target === 'string' || target.types === undefined
        ? []
        : [[name + path.slice(1), target.types.replace('./dist', `src/${folder}`).replace('.d.ts', '.ts')]],
    )
  }),
)
