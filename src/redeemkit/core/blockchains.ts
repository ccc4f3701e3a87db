import { BaseError } from './errors/baseError.ts'
import { showValue } from './errors/showValue.ts'

/**
 * All blockchains (PROTOCOL.md 11.2) with their families. `user` stands for a customer without a chain. If you add an EVM chain, the type
 * checker requires a row in `evmNetworks`.
 */
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

/** All blockchains, including `user`. */
// `Object.keys` returns `string[]`; the keys are exactly these names.
export const blockchains = /* @__PURE__ */ Object.keys(families) as unknown as List<Blockchain>

/** Chains that run the EVM. */
// the cast is needed because the type of `filter` is not a non-empty tuple
export const evmBlockchains = /* @__PURE__ */ blockchains.filter(
  isEvmBlockchain,
) as unknown as List<EvmBlockchain>

/** The environments of a service (PROTOCOL.md 1.1). */
export const environments = ['sandbox', 'prod'] as const
export type Environment = (typeof environments)[number]

export function isEvmBlockchain(blockchain: string): blockchain is EvmBlockchain {
  return familyOf(blockchain) === 'evm'
}

/**
 * Returns the family of a chain.
 *
 * @throws {@link UnsupportedBlockchainError} for `user`, which has no chain, and for unknown names
 */
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
  return Object.hasOwn(families, blockchain) ? families[blockchain as Blockchain] : undefined // `families` has this key
}

/** The blockchain does not support the requested operation. */
export class UnsupportedBlockchainError extends BaseError {
  override readonly name = 'UnsupportedBlockchainError'
}
