import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { clientFix, type EvmClient, isClient, whyNoClient } from '../../evm/client.ts'
import { checkHex, checkUint, type InvalidHexError, parseUint } from '../../evm/values.ts'
import { InvalidRedeemRequestError } from '../errors.ts'

/** Identifies a redeem. */
export type RedeemKey = {
  /** Wallet that signed the permit. */
  wallet: Address
  /** Nonce of the permit. A fee replacement changes the transaction's hash, but not the nonce. */
  nonce: Hex
  /** The credits contract that the caller trusts. Events of other contracts are ignored. */
  creditsContract: Address
}

/**
 * Validates a look-up's client and key, and drops all other fields.
 *
 * @throws InvalidRedeemRequestError, InvalidAddressError, InvalidHexError
 */
export function toRedeemKey(client: EvmClient, key: RedeemKey): RedeemKey {
  checkPublicClient(client)
  return {
    wallet: checkAddress(key.wallet, 'wallet'),
    nonce: checkHex(key.nonce, 'nonce', { bytes: 32 }),
    creditsContract: checkAddress(key.creditsContract, 'creditsContract'),
  }
}

export declare namespace toRedeemKey {
  type ErrorType = checkPublicClient.ErrorType | InvalidAddressError | InvalidHexError
}

/**
 * Parses a block number or a time, given as a bigint or as its JSON form.
 *
 * @throws InvalidAmountError
 */
export function toUint(value: bigint | number | string | undefined, field: string): bigint | undefined {
  if (value === undefined) return undefined
  return typeof value === 'bigint' ? checkUint(value, field) : parseUint(value, field)
}

export declare namespace toUint {
  type ErrorType = InvalidAmountError
}

/**
 * Validates a client: anything with `request`. The value is never shown, because a node's URL may contain a key.
 *
 * @param field name of the client in errors
 * @throws InvalidRedeemRequestError
 */
export function checkPublicClient(client: unknown, field = 'publicClient'): EvmClient {
  if (isClient(client)) return client
  throw new InvalidRedeemRequestError(`${field} ${whyNoClient(client)}`, {
    field,
    fix: clientFix,
    source: 'EIP-1193',
  })
}

export declare namespace checkPublicClient {
  type ErrorType = InvalidRedeemRequestError
}

/** Validates the clients of a redeem, if they are passed. */
export function checkNodes({ publicClient, dryRun }: { publicClient?: unknown; dryRun?: unknown }): void {
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
}
