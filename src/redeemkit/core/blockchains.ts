import { BaseError } from './errors/baseError.ts'
import { showValue } from './errors/showValue.ts'

/** The chains of the service (PROTOCOL.md 11.2). `user` names a customer without a chain. */
export const blockchains = [
  'solana',
  'eth',
  'polygon',
  'base',
  'user',
  'arbitrum',
  'stellar',
  'monad',
  'tempo',
] as const

export type Blockchain = (typeof blockchains)[number]

/** Chains that speak the EVM. */
export const evmBlockchains = ['eth', 'polygon', 'base', 'arbitrum', 'monad', 'tempo'] as const
export type EvmBlockchain = (typeof evmBlockchains)[number]

export type ChainFamily = 'evm' | 'solana' | 'stellar'

/** Environments of the service (PROTOCOL.md 1.1). */
export const environments = ['sandbox', 'prod'] as const
export type Environment = (typeof environments)[number]

export function isEvmBlockchain(blockchain: string): blockchain is EvmBlockchain {
  return (evmBlockchains as readonly string[]).includes(blockchain)
}

/**
 * The family of a chain.
 *
 * @throws {@link UnsupportedBlockchainError} for `user`, for which nothing can be signed, and for unknown names
 */
export function chainFamily(blockchain: string): ChainFamily {
  if (isEvmBlockchain(blockchain)) return 'evm'
  if (blockchain === 'solana' || blockchain === 'stellar') return blockchain
  throw new UnsupportedBlockchainError(
    blockchain === 'user'
      ? 'Blockchain "user" names a customer without a chain.'
      : `Blockchain ${showValue(blockchain)} is not known.`,
    { field: 'blockchain', fix: `Use one of ${blockchains.filter((name) => name !== 'user').join(', ')}.` },
  )
}

/** A chain on which the asked thing does not exist. */
export class UnsupportedBlockchainError extends BaseError {
  override readonly name = 'UnsupportedBlockchainError'
}
