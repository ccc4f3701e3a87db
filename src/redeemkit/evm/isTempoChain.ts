import { tempoChainIds } from '../core/evmNetworks.ts'

export type TempoChainId = (typeof tempoChainIds)[number]

/**
 * Whether a chain is Tempo, where a permit may be signed with P-256, WebAuthn and access keys, fees are paid in TIP-20
 * tokens, and no token has EIP-3009.
 *
 * @example
 * ```ts
 * import { isTempoChain } from 'redeemkit/tempo'
 * isTempoChain(42431) // true
 * ```
 */
export function isTempoChain(chainId: number): chainId is TempoChainId {
  // compared as plain numbers
  return (tempoChainIds as readonly number[]).includes(chainId)
}
