import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** `redeemkit/evm` → `evm/index`: the file of `src` behind each entry point of the package. */
const entryPoints = Object.values<{ types?: string } | string>(exports)
  .map((target) => (typeof target === 'string' ? '' : (target.types ?? '')))
  .flatMap((types) => /^\.\/dist\/redeemkit\/([^*]+)\.d\.ts$/.exec(types)?.[1] ?? [])

/** What the declarations of `@redeemkit/sandbox`, which are built before, name of the package's internals. */
function internals(): string[] {
  const folder = join(root, 'dist/sandbox/dist')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  )
  const named = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/["']redeemkit\/internal\/([^"']+)["']/g)].map(
      ([, path = '']) => path,
    ),
  )
  return [...new Set(named)]
}

/**
 * The declarations of `redeemkit`: one file for each entry point, and what several share in files beside them. A disk gives each
 * file whole blocks: one for each source took more than a megabyte.
 */
export default defineConfig({
  name: 'types of redeemkit',
  cwd: root,
  entry: Object.fromEntries([...entryPoints, ...internals()].map((path) => [path, `src/${path}.ts`])),
  outDir: 'dist/redeemkit',
  clean: false,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  dts: { emitDtsOnly: true },
  outputOptions: { chunkFileNames: 'types/[name]-[hash].d.ts' },
  deps: { skipNodeModulesBundle: true },
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
})
