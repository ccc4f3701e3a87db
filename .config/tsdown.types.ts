import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'
import { writePackage } from './writePackage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'src/redeemkit/package.json'), 'utf8'))

/** `redeemkit/evm` → `evm/index`: the file of `src/redeemkit` behind each entry point of the package. */
const entryPoints = Object.values<{ types?: string } | string>(exports)
  .map((target) => (typeof target === 'string' ? '' : (target.types ?? '')))
  .flatMap((types) => /^\.\/dist\/(.+)\.d\.ts$/.exec(types)?.[1] ?? [])

/** The internals that the declarations of `@redeemkit/sandbox`, which are built before, import. */
const internals = [
  ...new Set(
    readdirSync(join(root, 'dist/sandbox/dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(root, 'dist/sandbox/dist', file), 'utf8')
        return [...text.matchAll(/["']redeemkit\/internal\/([^"']+)["']/g)].map(([, path = '']) => path)
      }),
  ),
]

/**
 * The declarations of `redeemkit`: one file for each entry point, and what several share in files beside them. A disk gives each
 * file whole blocks: one for each source took more than a megabyte.
 */
export default defineConfig({
  name: 'types of redeemkit',
  cwd: root,
  entry: Object.fromEntries([...entryPoints, ...internals].map((path) => [path, `src/redeemkit/${path}.ts`])),
  outDir: 'dist/redeemkit/dist',
  clean: false,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  dts: { emitDtsOnly: true },
  outputOptions: { chunkFileNames: 'types/[name]-[hash].d.ts' },
  deps: { skipNodeModulesBundle: true },
  logLevel: 'warn',
  onSuccess: () => writePackage('redeemkit', internals),
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
})
