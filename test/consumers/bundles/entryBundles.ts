/** An entry point, or part of it, for a browser or an edge server. */
export type EntryBundle = {
  code: string
  /** Folders of `src/redeemkit` that the bundle may contain. */
  folders: readonly string[]
  /** The bundle may contain them or load them on demand. */
  packages: readonly string[]
  /** Modules loaded on demand whose size is included, as import paths. */
  onDemand?: readonly string[]
  /** Maximum size of the initially loaded code, whatever the budget, in kB. */
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
export const entryBundles: Readonly<Record<string, EntryBundle>> = {
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
