import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../core/amount.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidAddressError } from '../core/errors/inputErrors.ts'
import type { EvmClient } from '../evm/client.ts'
import { checkHex, type InvalidHexError } from '../evm/values.ts'
import type { lookUpRandomNonce, RandomNonceLookUp } from './chain/lookUpRandomNonce.ts'
import { lookUpRedeem, type RedeemLookUp } from './chain/lookUpRedeem.ts'
import { toRedeemKey, toUint } from './chain/redeemKey.ts'
import type { InvalidRedeemRequestError } from './errors.ts'
import { loadOnDemand } from './loadOnDemand.ts'

/**
 * Looks up a redeem on chain, once, without the service. Looks up the order, so it also finds a redeem whose transaction was replaced, that
 * a third party relayed, or that another device made.
 *
 * `redeemed`: this nonce was redeemed. A nonce does not commit to the credit seed: compare `outcome.creditSeedHash` before you treat
 * the order as paid. `otherAttempt`: another attempt of the order was redeemed; compare contract, seed, receiver and amount of its
 * `outcome`. With `intentBound: false`, the contract has no state per nonce: `findRedeem` reads the receipt of `hash`, or searches the
 * transfers out of the credits contract.
 *
 * @param publicClient a viem client, an EIP-1193 provider, or anything with their `request`, on the chain of the redeem
 * @returns `state`, the `block` of the look-up and, once redeemed, the `outcome` in raw units. `outcome` is missing if the node
 * does not serve the event's block: pass `fromBlock`, or another node
 * @throws InvalidAddressError, InvalidHexError, InvalidAmountError, InvalidChainIdError and InvalidRedeemRequestError for invalid
 * options; ChainReadError if the chain cannot be read or has no credits contract there; WrongNetworkError if the node is on another chain
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
  return readLookUp(publicClient, options, findOptionKinds).look({ chainId: options.chainId })
}

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

/** The options may be a submitted redeem or the error of an open redeem, which have more fields. */
export function readLookUp<options extends findRedeem.Options>(
  publicClient: EvmClient,
  options: options,
  kinds: OptionKinds<options>,
) {
  if (!(options instanceof Error)) checkOptions(options, { ...submittedKinds, ...kinds })
  const { intentBound, hash } = options
  const key = toRedeemKey(publicClient, options)
  const fromBlock = toUint(options.fromBlock, 'fromBlock')
  const validBefore = toUint(options.validBefore, 'validBefore')
  if (hash !== undefined) checkHex(hash, 'hash', { bytes: 32 })
  const look = async (more: Pick<lookUpRandomNonce.Options, 'chainId' | 'confirmations' | 'search'>) => {
    const how = { fromBlock, validBefore, hash, ...more }
    if (intentBound !== false) return lookUpRedeem(publicClient, key, how)
    // Only needed for services with random nonces.
    return (await loadOnDemand()).lookUpRandomNonce(publicClient, key, how)
  }
  return { key, validBefore, look }
}

const submittedKinds = { version: 'any' } as const

export declare namespace findRedeem {
  type Options = {
    /** Wallet that signed the permit. */
    wallet: Address
    /** Nonce of the permit. It contains the order key. */
    nonce: Hex
    /** The pinned credits contract. Events of other contracts are ignored. */
    creditsContract: Address
    /** Chain of the redeem. A `publicClient` on another chain is rejected. */
    chainId?: number | undefined
    /** Oldest block to search; the search starts at the newest. Default: block 0. */
    fromBlock?: bigint | undefined
    /** `intentBound` of your pinned values: `false` for a service with random nonces. Default true. */
    intentBound?: boolean | undefined
    /** Hash that the service reported. Used only with `intentBound: false`; otherwise the order is looked up. */
    hash?: Hex | undefined
    /** `validBefore` of the permit, unix seconds. Used only with `intentBound: false`. */
    validBefore?: bigint | string | undefined
  }
  type ReturnType = RedeemLookUp | RandomNonceLookUp
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidRedeemRequestError
    | InvalidAddressError
    | InvalidHexError
    | InvalidAmountError
    | lookUpRedeem.ErrorType
    | lookUpRandomNonce.ErrorType
}
