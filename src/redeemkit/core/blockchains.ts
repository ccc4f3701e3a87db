import { BaseError } from './errors/baseError.ts'
import { showValue } from './errors/showValue.ts'

/** All blockchains (PROTOCOL.md 11.2) with their families. `user` stands for a customer without a chain. */
const families = {
  solana: 'solana',
  eth: 'evm',
  polygon: 'evm',
  base: 'evm',
  user: undefined,
  arbitrum: 'evm',
  stellar: 'stellar',
  monad: 'evm',
  tempo: 'evm',
} as const

export type Blockchain = keyof typeof families
export type ChainFamily = Exclude<(typeof families)[Blockchain], undefined>
export type EvmBlockchain = {
  [name in Blockchain]: (typeof families)[name] extends 'evm' ? name : never
}[Blockchain]

type List<name> = readonly [name, ...name[]]

// The type of `Object.keys` is `string[]`.
export const blockchains = /* @__PURE__ */ Object.keys(families) as unknown as List<Blockchain>

// The type of `filter` is not a non-empty tuple.
export const evmBlockchains = /* @__PURE__ */ blockchains.filter(
  isEvmBlockchain,
) as unknown as List<EvmBlockchain>

/** Environments of a service (PROTOCOL.md 1.1). */
export const environments = ['sandbox', 'prod'] as const
export type Environment = (typeof environments)[number]

export function isEvmBlockchain(blockchain: string): blockchain is EvmBlockchain {
  return familyOf(blockchain) === 'evm'
}

export function chainFamily(blockchain: string): ChainFamily {
  const family = familyOf(blockchain)
  if (family !== undefined) return family
  throw new UnsupportedBlockchainError(
    blockchain === 'user'
      ? 'Blockchain "user" means a customer without a chain.'
      : `Blockchain ${showValue(blockchain)} is not known.`,
    { field: 'blockchain', fix: `Use one of ${blockchains.filter(familyOf).join(', ')}.` },
  )
}

function familyOf(blockchain: string): ChainFamily | undefined {
  return Object.hasOwn(families, blockchain) ? families[blockchain as Blockchain] : undefined // `hasOwn` found the key
}

/** The blockchain does not support the requested operation. */
export class UnsupportedBlockchainError extends BaseError {
  override readonly name = 'UnsupportedBlockchainError'
}
