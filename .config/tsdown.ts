import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensePlugin } from 'rolldown-license-plugin'
import { defineConfig, type UserConfig } from 'tsdown'
import { internals } from '../src/redeemkit/internal.ts'
import { inlineGenerated } from './inlineGenerated.ts'
import { isFree } from './releaseCheck.ts'
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
  // Imports the types of dependencies: a copied class would be a different type.
  deps: { skipNodeModulesBundle: true },
  // Editors show the JSDoc of the declarations, so the JavaScript files need none.
  outputOptions: { comments: { jsdoc: false } },
  // Each file has one source with the same path, so comments that name the source are omitted.
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
  logLevel: 'warn',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} satisfies UserConfig

/** Packages that are not bundled, because they are optional or large, or have data files or no licence text. */
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

/** Makes the sandbox import redeemkit as a package, so that both share one `BaseError` class and no code is shipped twice. */
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

/** Writes the licence texts of all bundled packages. Fails if a text is missing or a licence is not allowed. */
const bundledLicences = licensePlugin({
  allow: ({ license }) => isFree(license),
  failOnViolation: true,
  failOnUnlicensed: true,
  done: (licences, context) => {
    const texts = licences.map(({ name, version, license, licenseText }) => {
      const text = licenseText === '' ? textElsewhere(name) : licenseText
      if (!isLicence.test(text))
        context.error(`${name}@${version} has no licence text. Import it instead of bundling it.`)
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
    context.emitFile({
      type: 'asset',
      fileName: 'THIRD_PARTY_LICENSES.txt',
      source: texts.join(`\n${'-'.repeat(80)}\n\n`),
    })
  },
})

const isLicence =
  /Apache License|Permission is hereby granted|Permission to use, copy|Blue Oak Model License|Redistribution and use/i

/** Licence texts of packages that have no licence file. */
const elsewhere: Readonly<Record<string, string>> = {
  // drizzle-orm has the unchanged text of Apache 2.0, like TypeScript.
  'drizzle-orm': 'typescript/LICENSE.txt',
  'pg-types': 'pg-types/README.md',
  pgpass: 'pgpass/README.md',
}

function textElsewhere(name: string): string {
  const file = elsewhere[name]
  if (file === undefined) return ''
  const text = readFileSync(join(root, 'node_modules', file), 'utf8')
  return file.endsWith('.md') ? text.slice(text.search(/^## license/im)) : text
}

export default defineConfig([
  {
    ...shared,
    name: 'redeemkit',
    // writeTypes.ts writes the declarations afterwards.
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
    // One bundle, because loading 1,400 modules took half of the start time. No other copy of redeemkit or viem is loaded, so `instanceof`
    // works.
    unbundle: false,
    dts: false,
    deps: { alwaysBundle: [/./], neverBundle: notBundled, onlyBundle: false },
    // Functions keep their names, for stack traces.
    minify: {
      compress: true,
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    // Code for Stellar and Solana stays separate, because it imports optional packages.
    outputOptions: {
      ...shared.outputOptions,
      codeSplitting: {
        groups: [
          { name: 'shared', test: (id) => !/stellar|solana/i.test(id), minShareCount: 3 },
          // The command loads this file first.
          { name: 'pgliteThread', test: /pgliteThread/, priority: 1 },
        ],
      },
    },
    entry: { index: 'src/sandbox/cli/index.ts' },
    outDir: 'dist/sandbox/dist/cli',
    plugins: [inlineGenerated, bundledLicences],
  },
])
