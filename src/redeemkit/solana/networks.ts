import type { Environment } from '../core/blockchains.ts'
import { UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

export const usdcDecimals = 6

/** A Solana network of the service. */
export type Network = {
  readonly blockchain: 'solana'
  readonly environment: Environment
  readonly name: 'mainnet-beta' | 'devnet'
  /** Hash of the first block, as `getGenesisHash` returns it. No other RPC response identifies a node's network. */
  readonly genesisHash: string
  /** The mint of Circle's USDC: 6 decimals, classic Token program. */
  readonly usdcMint: string
  /** Names of this network in sign-in messages. The first is the Wallet Standard name. */
  readonly chainIds: readonly [`solana:${string}`, ...string[]]
}

/** The networks of the service (PROTOCOL.md 9.1), with USDC's mint on each. */
export const networks: readonly [Network, Network] = [
  {
    blockchain: 'solana',
    environment: 'prod',
    name: 'mainnet-beta',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    usdcMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    chainIds: ['solana:mainnet', 'mainnet', 'mainnet-beta', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  },
  {
    blockchain: 'solana',
    environment: 'sandbox',
    name: 'devnet',
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    usdcMint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    chainIds: ['solana:devnet', 'devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  },
]

/**
 * Returns the network of an environment.
 *
 * @throws {@link UnknownNetworkError} for an unknown environment
 */
export function networkOf(environment: Environment): Network {
  const network = networks.find((row) => row.environment === environment)
  if (network === undefined)
    throw new UnknownNetworkError(`Environment ${showValue(environment)} has no Solana network.`, {
      field: 'environment',
      fix: 'Use "sandbox" (devnet) or "prod" (mainnet-beta).',
    })
  return network
}

export declare namespace networkOf {
  type ErrorType = UnknownNetworkError
}
