import type { Hex } from 'viem'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { checkOrderId } from '../../core/orderId.ts'
import { jsonText } from '../../core/parseJson.ts'
import { readOwnField, readPlainData } from '../plainData.ts'
import { checkHex, checkKeys, checkRecord } from '../values.ts'
import type { RedeemRequest } from './redeemIntent.ts'

/**
 * The purchase behind a credit permit, as a page discloses it to a wallet (PROTOCOL.md 4.7). The permit's nonce commits to the purchase,
 * so a wallet can show what the customer buys. A disclosed purchase is never a reason to trust a contract or a receiver.
 */
export type DisclosedIntent = {
  version: 1
  merchantId: string
  /** Absent for a purchase without an order id. */
  purchaseId?: string | undefined
  /** The salt of the intent-bound nonce, 32 bytes. */
  salt: Hex
  request: Pick<RedeemRequest, 'subtotal' | 'usdcAmount' | 'transactionData'>
}

/** The name of a wallet capability (EIP-5792), and of the field with the intent in the third parameter of `eth_signTypedData_v4`. */
export const redeemIntentCapability = 'redeemIntent'

/** The method that can carry the intent as its third parameter. */
export const redeemIntentMethod = 'eth_signTypedData_v4'

/** The version of {@link DisclosedIntent}. A wallet announces the versions that it supports. */
export const redeemIntentVersion = 1

/** Maximum size of an intent as JSON: in bytes when a page sends it, in characters when `inspect` reads it. */
export const mostIntentBytes = 65_536

/**
 * Returns the purchase that a page disclosed with an `eth_signTypedData_v4` request, for `inspect`. Never throws.
 *
 * @returns `undefined` if the page disclosed no purchase or uses another version. Also `undefined` if the purchase is malformed or too
 * large; `inspect` then refuses the request
 * @example
 * ```ts
 * import { disclosedIntentOf, inspect } from 'redeemkit/evm'
 * const look = (request: inspect.Request) => inspect(request, { intent: disclosedIntentOf(request) })
 * ```
 */
export function disclosedIntentOf(request: {
  method: string
  params?: unknown
}): DisclosedIntent | undefined {
  try {
    if (readOwnField(checkRecord(request, 'request'), 'method') !== redeemIntentMethod) return undefined
    const params = readOwnField(request, 'params')
    return Array.isArray(params) ? readThirdParameter(readOwnField(params, '2')) : undefined
  } catch {
    return undefined
  }
}

/** Returns the intent in a request's third parameter. Returns `undefined` without an intent, or for one of another version. */
export function readThirdParameter(options: unknown): DisclosedIntent | undefined {
  if (typeof options !== 'object' || options === null) return undefined
  const intent = readOwnField(options, redeemIntentCapability)
  return intent === undefined ? undefined : readDisclosedIntent(intent)
}

/** Reads a disclosed intent; `undefined` for another version. `redeemIntent` checks the amounts and `transactionData` later. */
export function readDisclosedIntent(value: unknown): DisclosedIntent | undefined {
  const intent = readPlainData(value, 'intent')
  if (checkRecord(intent, 'intent').version !== redeemIntentVersion) return undefined
  const size = jsonText(intent).length
  if (size > mostIntentBytes)
    throw new InvalidRecordError(`The intent has ${size} characters.`, {
      field: 'intent',
      fix: `Pass at most ${mostIntentBytes}.`,
    })
  const { merchantId, purchaseId, salt, request } = checkKeys(intent, 'intent', {
    required: ['version', 'merchantId', 'salt', 'request'],
    optional: ['purchaseId'],
  })
  const at = 'intent.request'
  const { subtotal, usdcAmount, transactionData } = checkKeys(request, at, {
    required: ['subtotal', 'transactionData'],
    optional: ['usdcAmount'],
  })
  checkSubtotal(subtotal, `${at}.subtotal`)
  if (usdcAmount !== undefined) checkKeys(usdcAmount, `${at}.usdcAmount`, { required: ['cents'] })
  return {
    version: redeemIntentVersion,
    merchantId: checkOrderId(merchantId, 'intent.merchantId'),
    ...(purchaseId !== undefined && { purchaseId: checkOrderId(purchaseId, 'intent.purchaseId') }),
    salt: checkHex(salt, 'intent.salt', { bytes: 32 }),
    // the fields are checked above; `redeemIntent` checks their values when it computes the nonce
    request: { subtotal, usdcAmount, transactionData } as DisclosedIntent['request'],
  }
}

function checkSubtotal(subtotal: unknown, field: string): void {
  if (checkRecord(subtotal, field).cents === undefined)
    checkKeys(subtotal, field, { required: ['address', 'amount'], optional: ['decimals'] })
  else checkKeys(subtotal, field, { required: ['cents'], optional: ['currency'] })
}
