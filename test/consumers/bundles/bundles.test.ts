import { readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { entryPoints } from '../packages.ts'
import { type Bundle, everyFile, ownCode, packageOf } from './bundleOf.ts'

/**
 * Size and content of each entry point. `BUDGETS=write npx vitest run --config .config/vitest.ts test/consumers/bundles` writes the current
 * sizes as budgets.
 */

/** An entry point, or part of it, for a browser or an edge server. */
type EntryBundle = {
  code: string
  /** Folders of `src/redeemkit` that the bundle may contain. */
  folders: readonly string[]
  /** The bundle may contain them or load them on demand. */
  packages: readonly string[]
  /** Modules loaded on demand whose size is included, as import paths. */
  onDemand?: readonly string[]
  /** Upper limit in kB for the code that is loaded first. `BUDGETS=write` cannot raise it. */
  mostKB?: number
}

const viem = ['viem', 'ox', 'abitype', 'isows', '@noble/curves', '@noble/hashes']
const wagmi = [...viem, '@wagmi/core', 'zustand', 'mipd', 'eventemitter3']
/** Loaded only for an account that has an ENS name. */
const ens = '@adraffy/ens-normalize'
/** Dependencies of Solana's SDK, including `Buffer` for browsers. */
const solana = [
  ...['@solana/web3.js', '@solana/buffer-layout', '@solana/codecs-core', '@solana/codecs-numbers'],
  ...[
    '@solana/errors',
    '@noble/curves',
    '@noble/hashes',
    '@scure/base',
    'base-x',
    'base64-js',
    'bn.js',
    'borsh',
    'bs58',
  ],
  ...['buffer', 'eventemitter3', 'ieee754', 'jayson', 'rpc-websockets', 'safe-buffer', 'superstruct'],
  ...['text-encoding-utf-8', 'uuid'],
]
const stellar = ['@stellar/stellar-sdk', '@noble/hashes', '@scure/base']
const client = ['core', 'schema', 'api', 'auth', 'checkout', 'evm', 'redeem', 'cardForm']
const buttonFolders = ['core', 'schema', 'api', 'evm', 'redeem', 'wagmi', 'react']
const buttonPackages = [
  ...[...wagmi, 'react', 'wagmi', 'use-sync-external-store'],
  ...['@tanstack/query-core', '@tanstack/react-query'],
]
const all = (entryPoint: string) => `export * from '${entryPoint}'`

/** Every entry point, and the parts that applications import. The sizes are in budgets.json. */
const entryBundles: Readonly<Record<string, EntryBundle>> = {
  redeemkit: { code: all('redeemkit'), folders: client, packages: [...viem, 'zod'] },
  'redeemkit: a redeem': {
    code: "export { createPaymentsClient, redeem } from 'redeemkit'",
    folders: ['core', 'schema', 'api', 'evm', 'redeem'],
    packages: [...viem, 'zod'],
  },
  'redeemkit/evm': { code: all('redeemkit/evm'), folders: ['core', 'schema', 'evm'], packages: viem },
  'redeemkit/tempo': {
    code: all('redeemkit/tempo'),
    folders: ['core', 'schema', 'evm', 'tempo'],
    packages: viem,
  },
  'redeemkit/solana': { code: all('redeemkit/solana'), folders: ['core', 'solana'], packages: solana },
  'redeemkit/solana: a transfer': {
    code: "export { confirmUsdcTransfer, prepareUsdcTransfer, signUsdcTransfer, submitUsdcTransfer } from 'redeemkit/solana'",
    folders: ['core', 'solana'],
    packages: solana,
  },
  'redeemkit/stellar': {
    code: all('redeemkit/stellar'),
    folders: ['core', 'stellar'],
    packages: stellar,
  },
  'redeemkit/stellar: a transfer': {
    code: "export { signTransaction, usdcTransfer } from 'redeemkit/stellar'",
    folders: ['core', 'stellar'],
    packages: stellar,
  },
  'redeemkit/languages': { code: all('redeemkit/languages'), folders: ['core', 'languages'], packages: [] },
  'redeemkit/schema': { code: all('redeemkit/schema'), folders: ['core', 'schema'], packages: ['zod'] },
  'redeemkit/wagmi': {
    code: all('redeemkit/wagmi'),
    folders: [...client, 'wagmi'],
    packages: [...wagmi, ens, 'zod', '@tanstack/query-core'],
  },
  'redeemkit/react': {
    code: all('redeemkit/react'),
    folders: [...client, 'wagmi', 'react'],
    packages: [
      ...[...wagmi, ens, 'zod', 'react', 'wagmi', 'use-sync-external-store'],
      ...['@tanstack/query-core', '@tanstack/react-query'],
    ],
  },
  'redeemkit/react: a redeem button': {
    code: "export { createRedeemkit, RedeemkitProvider, useOpenRedeems, useRedeem } from 'redeemkit/react'",
    onDemand: ['./engine.ts'],
    mostKB: 25,
    folders: buttonFolders,
    packages: buttonPackages,
  },
  'redeemkit/react: a redeem button, a transaction type and sign-in': {
    // Imported by file, as Rollup, Rolldown and webpack do; esbuild would load all code that `redeemkit/evm` and the engine share.
    code: `export { createRedeemkit, RedeemButton, RedeemkitProvider, useLogin, useOpenRedeems } from 'redeemkit/react'
      export { token } from './src/redeemkit/evm/transactionData/builders.ts'`,
    onDemand: ['./engine.ts', '../engine/login.ts'],
    mostKB: 25,
    folders: [...buttonFolders, 'auth'],
    packages: buttonPackages,
  },
  'redeemkit/react: balances': {
    code: "export { createRedeemkit, RedeemkitProvider, useBalances } from 'redeemkit/react'",
    folders: [...client, 'wagmi', 'react'],
    packages: buttonPackages,
  },
  'redeemkit/merchant': {
    code: all('redeemkit/merchant'),
    // Of the EVM code, only the parts for order keys.
    folders: ['core', 'schema', 'api', 'merchant', 'evm/values', 'evm/creditPermit'],
    packages: ['zod', 'jose', '@noble/hashes'],
  },
  'redeemkit/mock': { code: all('redeemkit/mock'), folders: [...client, 'mock'], packages: [...viem, 'zod'] },
}

type Budget = { kB: number; allKB?: number | undefined; folders: Readonly<Record<string, number>> }

const file = new URL('budgets.json', import.meta.url)
const budgets: Record<string, Budget> = JSON.parse(readFileSync(file, 'utf8'))
/** Returns the budget plus its tolerance: 2 percent, and at least 0.3 kB. */
const limitOf = (kB = 0) => kB + Math.max(kB / 50, 0.3)

/** Lists the folders that grew, largest growth first: `src/redeemkit/redeem/check 812 bytes more (of 9120)`. */
function grown(bundle: Bundle, budget: Budget): string[] {
  return Object.entries(bundle.folders)
    .map(([folder, bytes]) => ({ folder, bytes, more: bytes - (budget.folders[folder] ?? 0) }))
    .filter(({ more }) => more > 0)
    .sort((one, other) => other.more - one.more)
    .map(({ folder, bytes, more }) => `${folder}: ${more} bytes more, ${bytes} now`)
}

const names = Object.keys(entryBundles)

test('every entry point of redeemkit has a budget', () => {
  const ofBrowsers = entryPoints.filter((name) => name.startsWith('redeemkit'))
  expect(ofBrowsers.filter((name) => entryBundles[name] === undefined)).toEqual([])
  if (process.env.BUDGETS !== 'write') expect(Object.keys(budgets)).toEqual(names)
})

describe.each(Object.entries(entryBundles))('%s', (name, { code, folders, packages, onDemand, mostKB }) => {
  let own: Bundle
  let files: string[]
  beforeAll(async () => {
    ;[own, files] = await Promise.all([ownCode(code, onDemand), everyFile(code)])
  })

  test('weighs no more than its budget', () => {
    if (process.env.BUDGETS === 'write') {
      budgets[name] = { kB: own.kB, allKB: own.allKB, folders: own.folders }
      const ordered = Object.fromEntries(names.flatMap((one) => (budgets[one] ? [[one, budgets[one]]] : [])))
      writeFileSync(file, `${JSON.stringify(ordered, null, 2)}\n`)
    }
    const budget = budgets[name] ?? { kB: 0, folders: {} }
    const grew = own.kB > limitOf(budget.kB) ? grown(own, budget) : []
    expect(
      grew,
      `${own.kB} kB gzipped, and the budget is ${budget.kB}. Minified:\n${grew.join('\n')}`,
    ).toEqual([])
    expect(own.kB).toBeLessThanOrEqual(mostKB ?? own.kB)
  })

  test('is within its budget, including modules loaded on demand', () => {
    expect(own.allKB ?? 0).toBeLessThanOrEqual(limitOf(budgets[name]?.allKB))
  })

  test('contains only its own folders: no other chain and no test code', () => {
    const others = files.filter(
      (path) =>
        path.startsWith('src/') && !folders.some((folder) => path.startsWith(`src/redeemkit/${folder}/`)),
    )
    expect(others.filter((path) => !/^src\/redeemkit\/[^/]+$/.test(path))).toEqual([])
  })

  test('contains only the packages that belong to it', () => {
    const pulled = new Set(files.map(packageOf).filter((one) => one !== undefined))
    expect([...pulled].filter((one) => !packages.includes(one))).toEqual([])
  })

  test('needs neither Node nor Buffer', () => {
    expect(own.imports.filter((path) => isBuiltin(path))).toEqual([])
    expect(own.text).not.toMatch(/\b(Buffer\b[.(]|process\.(?!env\b)|require\()/)
  })

  test('contains nothing that is for development only', () => {
    expect(own.text).not.toMatch(/console\.|NODE_ENV/)
  })

  test('contains no zod locale', () => {
    expect(files.filter((path) => /zod\/.*\/locales\//.test(path))).toEqual([])
  })
})
