import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { clientFix, type EvmClient, isClient, whyNoClient } from '../../evm/client/evmClient.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../../evm/values/checkHex.ts'
import { checkUint, parseUint } from '../../evm/values/checkUint.ts'
import { InvalidRedeemRequestError } from '../errors.ts'
import type { RedeemKey } from './lookUpRedeem.ts'

/**
 * Checks with what, and by what, a redeem is looked up, and leaves out everything else.
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
 * A block number or a time: a bigint, or what JSON makes of one.
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
 * Takes what reads the chain: anything with `request`. The value is never shown: the address of a node may hold a key.
 *
 * @param field what it is called where the caller gave it
 * @throws InvalidRedeemRequestError
 */
export function checkPublicClient(client: unknown, field = 'publicClient'): EvmClient {
  if (isClient(client)) return client
  throw new InvalidRedeemRequestError(`${field} ${whyNoClient(client)}`, {
    field,
    fix: clientFix,
    docs: 'EIP-1193',
  })
}

export declare namespace checkPublicClient {
  type ErrorType = InvalidRedeemRequestError
}
