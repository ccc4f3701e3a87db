import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { checkHex, checkUint, type InvalidHexError, parseUint } from '../../evm/values.ts'
import { checkPublicClient } from './checkPublicClient.ts'
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
