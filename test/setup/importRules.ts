/** The imports that each folder of `src/redeemkit` and `src/sandbox` may have, in addition to itself and `core`. */
export const mayImport: Record<string, readonly string[]> = {
  core: [],
  schema: [],
  languages: [],
  api: ['schema'],
  evm: ['schema'],
  tempo: ['schema', 'evm'],
  solana: ['schema'],
  stellar: ['schema'],
  auth: ['schema', 'api'],
  redeem: ['schema', 'api', 'evm'],
  simulation: ['schema', 'evm', 'contracts'],
  merchant: ['schema', 'api'],
  checkout: ['schema', 'api', 'evm', 'redeem'],
  wagmi: ['schema', 'api', 'evm', 'redeem', 'auth', 'checkout'],
  cardForm: ['schema', 'api'],
  react: ['wagmi', 'cardForm'],
  // For tests and stories of a page, so no other folder imports it.
  mock: ['schema', 'api', 'evm', 'redeem'],
  sandbox: ['schema', 'languages', 'evm', 'tempo', 'solana', 'stellar', 'simulation', 'contracts'],
  testing: allFoldersBut('wagmi', 'react', 'testing', 'cli'),
  cli: allFoldersBut('wagmi', 'react', 'cli'),
  internal: [],
  index: ['schema', 'api', 'auth', 'redeem', 'evm', 'cardForm', 'checkout'],
}

/** Single files that a folder may import, in addition to `mayImport`. */
export const mayImportFile: Record<string, readonly string[]> = {
  // A merchant's server recognizes its orders with this file, and needs nothing else from a chain.
  merchant: ['evm/creditPermit/orderKeyWith.ts'],
  // The card form page uses the texts that the merchant’s page shows before the form loads.
  sandbox: ['cardForm/formPlace.ts'],
}

/** Lowest first. Each layer imports only itself and lower layers. */
export const layers: Record<string, readonly string[]> = {
  sandbox: ['store', 'contracts', 'chains', 'relayer', 'service', 'start'],
}

/** Only these folders may import a package, so that no browser entry point includes server code or another chain's code. */
export const packageFolders: Record<string, readonly string[]> = {
  viem: ['evm', 'tempo', 'redeem', 'checkout', 'simulation', 'wagmi', 'mock', 'sandbox', 'testing', 'cli'],
  '@noble/curves': ['evm', 'tempo', 'solana', 'sandbox'],
  '@noble/hashes': ['merchant', 'solana', 'stellar', 'sandbox'],
  '@solana/web3.js': ['solana', 'sandbox', 'testing', 'cli'],
  '@solana/kit': ['sandbox'],
  '@stellar/stellar-sdk': ['stellar', 'sandbox', 'testing', 'cli'],
  litesvm: ['sandbox'],
  hono: ['sandbox', 'merchant', 'testing'],
  '@wagmi/core': ['wagmi', 'react'],
  wagmi: ['react'],
  react: ['react'],
  '@tanstack/react-query': ['react'],
  zod: ['schema', 'api', 'evm', 'tempo', 'auth', 'merchant', 'sandbox', 'cli'],
}

function allFoldersBut(...others: string[]): string[] {
  const folders =
    'languages schema api evm tempo solana stellar auth redeem checkout cardForm simulation merchant wagmi sandbox testing contracts'
  return folders.split(' ').filter((folder) => !others.includes(folder))
}

/** The folder below `redeemkit`, or `index` for its main entry point. The sandbox is one folder, apart from those that build on it. */
export function folderBelow(path: string): string {
  const [top = '', next = ''] = path.split('/')
  if (top === 'sandbox') return ['simulation', 'testing', 'cli'].includes(next) ? next : top
  return next.replace(/\.ts$/, '')
}
