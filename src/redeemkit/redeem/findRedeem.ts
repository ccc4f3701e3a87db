import type { Address, Hex } from 'viem'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { EvmClient } from '../evm/client.ts'
import { checkHex } from '../evm/values.ts'
import { lookUpRedeem, type RedeemLookUp } from './chain/lookUpRedeem.ts'
import type { lookUpUnbound, UnboundLookUp } from './chain/lookUpUnbound.ts'
import { toRedeemKey, toUint } from './chain/toRedeemKey.ts'
import { loadOnDemand } from './loadOnDemand.ts'

/**
 * Looks up once what the chain knows about a redeem. Follows its order, so it also finds a redeem whose transaction was replaced,
 * that a stranger relayed, or that another device made. Does not rely on the service.
 *
 * `redeemed` is the attempt of this nonce. `otherAttempt` is another attempt of the same order: it may have paid another amount to
 * another receiver, so compare its `outcome` with the order before you treat that as paid.
 *
 * With `intentBound: false`, for a service whose contract tells nothing about a nonce, it says what can be known, and in
 * `words` what cannot: by the receipt of `hash`, else by the transfers out of the credits contract; `over` when the chain has
 * passed `validBefore`.
 *
 * @param publicClient a viem client, an EIP-1193 provider, or anything with their `request`; on the chain of the redeem
 * @returns `state`, the `block` of the look and, when the order was redeemed, the `outcome`; amounts in raw units. `outcome` is
 * absent when the event could not be found in the range that the node serves: pass `fromBlock`.
 * @throws InvalidAddressError, InvalidHexError for a malformed key; InvalidAmountError, InvalidChainIdError for a malformed
 * `fromBlock` or `chainId`; InvalidRedeemRequestError for a client without `request`; ChainReadError when the chain cannot be
 * read or there is no credits contract; WrongNetworkError when `chainId` is given and is another one
 * @see PROTOCOL.md 7.4
 * @example
 * ```ts
 * import { type EvmClient, findRedeem } from 'redeemkit'
 * const hashOf = async (publicClient: EvmClient, key: findRedeem.Options) => {
 *   const { state, outcome } = await findRedeem(publicClient, key)
 *   return state === 'redeemed' ? outcome?.hash : undefined
 * }
 * ```
 */
export async function findRedeem(
  publicClient: EvmClient,
  options: findRedeem.Options & { intentBound?: true | undefined },
): Promise<RedeemLookUp>
export async function findRedeem(
  publicClient: EvmClient,
  options: findRedeem.Options,
): Promise<findRedeem.ReturnType>
export async function findRedeem(
  publicClient: EvmClient,
  options: findRedeem.Options,
): Promise<findRedeem.ReturnType> {
  checkKeyOptions(options, findOptionKinds)
  const { chainId, hash } = options
  const key = toRedeemKey(publicClient, options)
  const fromBlock = toUint(options.fromBlock, 'fromBlock')
  const validBefore = toUint(options.validBefore, 'validBefore')
  if (hash !== undefined) checkHex(hash, 'hash', { bytes: 32 })
  if (options.intentBound !== false) return lookUpRedeem(publicClient, key, { fromBlock, chainId })
  // Loaded for services that know no bound nonces only.
  const { lookUpUnbound } = await loadOnDemand()
  return lookUpUnbound(publicClient, key, { fromBlock, chainId, hash, validBefore })
}

/** What both look-ups take. */
export const findOptionKinds: OptionKinds<findRedeem.Options> = {
  wallet: 'any',
  nonce: 'any',
  creditsContract: 'any',
  chainId: 'any',
  fromBlock: 'any',
  intentBound: 'boolean?',
  hash: 'any',
  validBefore: 'any',
}

/** Options, or a redeem that was submitted, or the error of an open one, which have more fields than are needed here. */
export function checkKeyOptions<options extends object>(options: options, kinds: OptionKinds<options>): void {
  if (!(options instanceof Error)) checkOptions(options, { ...submittedKinds, ...kinds })
}

const submittedKinds = { version: 'any' } as const

export declare namespace findRedeem {
  type Options = {
    /** Who signed the permit. */
    wallet: Address
    /** The permit's nonce: it holds the order. */
    nonce: Hex
    /** The credits contract that you trust: only its events count. */
    creditsContract: Address
    /** The chain of the redeem: refuses a `publicClient` of another one. */
    chainId?: number | undefined
    /** Where the search for the event may end; it begins at the newest block. Default: the chain's first block. */
    fromBlock?: bigint | undefined
    /** `false` for a service that knows no bound nonces, as pinned. Default true. */
    intentBound?: boolean | undefined
    /** The hash that the service named. Used with `intentBound: false` only: otherwise the order is what is followed. */
    hash?: Hex | undefined
    /** The permit's `validBefore`, unix seconds. Used with `intentBound: false` only. */
    validBefore?: bigint | string | undefined
  }
  type ReturnType = RedeemLookUp | UnboundLookUp
  type ErrorType =
    | checkOptions.ErrorType
    | toRedeemKey.ErrorType
    | toUint.ErrorType
    | lookUpRedeem.ErrorType
    | lookUpUnbound.ErrorType
}
