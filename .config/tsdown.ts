import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'tsdown'
import { writeSandboxPackage } from './writeSandboxPackage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
/** The folders and files of `src` that belong to `@redeemkit/sandbox`; everything else there is `redeemkit`. */
const sandboxFolders = ['simulation', 'sandbox', 'testing', 'cli']

const shared = {
  cwd: root,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  // One file out for one in: what a browser does not import stays out of its bundle.
  unbundle: true,
  dts: true,
  // Nothing of node_modules is copied, types included: a copy of a class or type is another class or type.
  deps: { skipNodeModulesBundle: true },
  // An editor shows the comments of the types.
  outputOptions: { comments: { jsdoc: false } },
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} satisfies UserConfig

/**
 * Makes an import of redeemkit's sources, in the sandbox's, an import of the package: `instanceof BaseError` holds across
 * both packages, and nothing is shipped twice.
 */
const importRedeemkit = {
  name: 'import-redeemkit',
  resolveId: {
    order: 'pre' as const,
    handler(specifier: string, importer: string | undefined) {
      if (!specifier.startsWith('.') || importer === undefined) return null
      const path = relative(source, resolve(dirname(importer), specifier))
      if (path.startsWith('..') || sandboxFolders.some((folder) => path.startsWith(`${folder}/`))) return null
      return { id: `redeemkit/internal/${path.replace(/\.ts$/, '')}`, external: true }
    },
  },
}

export default defineConfig([
  {
    ...shared,
    name: 'redeemkit',
    // Written afterwards, by tsdown.types.ts.
    dts: false,
    // Every file keeps all it exports, for the sandbox's sake; an application's bundler takes what it uses.
    entry: [
      'src/**/*.{ts,tsx}',
      '!src/**/*.{test,fixture}.{ts,tsx}',
      ...sandboxFolders.map((folder) => `!src/${folder}/**`),
    ],
    root: 'src',
    outDir: 'dist/redeemkit',
  },
  {
    ...shared,
    name: '@redeemkit/sandbox',
    entry: {
      'sandbox/index': 'src/sandbox/index.ts',
      'testing/index': 'src/sandbox/testing/index.ts',
      'testing/vitest': 'src/sandbox/testing/vitest.ts',
      'testing/wallet/index': 'src/sandbox/testing/wallet/index.ts',
      'cli/index': 'src/sandbox/cli/index.ts',
    },
    outDir: 'dist/sandbox/dist',
    plugins: [importRedeemkit],
    onSuccess: () => writeSandboxPackage(join(root, 'dist/sandbox')),
  },
])
