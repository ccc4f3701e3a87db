import type { Environment, EvmBlockchain } from './blockchains.ts'

type Row = readonly [
  chainId: number,
  name: string,
  explorer: string,
  usdcName?: string,
  usdcAddress?: `0x${string}`,
]

/**
 * A row (PROTOCOL.md 9.1, 9.2) has the chain id, the name, the host of the block explorer (EIP-3091), and, if the network has a USDC
 * with EIP-3009, its EIP-712 name and address. The EIP-712 name often differs from the name in token lists.
 */
// biome-ignore format: one row per network
const table = {
  eth: {
    coin: 'ETH',
    prod: [1, 'Ethereum', 'etherscan.io', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    sandbox: [11155111, 'Sepolia', 'sepolia.etherscan.io', 'USDC', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'],
  },
  polygon: {
    coin: 'POL',
    prod: [137, 'Polygon', 'polygonscan.com', 'USD Coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
    sandbox: [80002, 'Polygon Amoy', 'amoy.polygonscan.com', 'USDC', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'],
  },
  base: {
    coin: 'ETH',
    prod: [8453, 'Base', 'basescan.org', 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    sandbox: [84532, 'Base Sepolia', 'sepolia.basescan.org', 'USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  },
  arbitrum: {
    coin: 'ETH',
    prod: [42161, 'Arbitrum One', 'arbiscan.io', 'USD Coin', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
    sandbox: [421614, 'Arbitrum Sepolia', 'sepolia.arbiscan.io', 'USD Coin', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'],
  },
  monad: {
    coin: 'MON',
    prod: [143, 'Monad', 'monadscan.com', 'USDC', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603'],
    sandbox: [10143, 'Monad Testnet', 'testnet.monadexplorer.com', 'USDC', '0x534b2f3A21130d7a60830c2Df862319e593943A3'],
  },
  tempo: {
    coin: undefined,
    prod: [4217, 'Tempo', 'explore.tempo.xyz'],
    sandbox: [42431, 'Tempo Testnet', 'explore.testnet.tempo.xyz'],
  },
} as const satisfies Readonly<
  Record<EvmBlockchain, Readonly<Record<Environment, Row> & { coin: string | undefined }>>
>

/** Chain ids of Tempo, which has more signature types than other chains: mainnet and the Moderato test network. */
export const tempoChainIds = [table.tempo.prod[0], table.tempo.sandbox[0]] as const

export const evmNetworks = /* @__PURE__ */ Object.entries(table).flatMap(
  ([blockchain, { coin, ...environments }]) =>
    Object.entries<Row>(environments).map(
      ([environment, [chainId, name, explorer, usdcName, usdcAddress]]) => ({
        // `Object.entries` returns `string` keys.
        blockchain: blockchain as EvmBlockchain,
        environment: environment as Environment,
        chainId,
        name,
        explorer,
        coin,
        usdc: usdcName && usdcAddress ? { name: usdcName, address: usdcAddress } : undefined,
      }),
    ),
)
