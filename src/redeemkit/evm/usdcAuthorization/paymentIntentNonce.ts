import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import {
  type InvalidAddressError,
  InvalidOptionError,
  InvalidRecordError,
} from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkNonZeroAddress, zeroAddress } from '../checkAddress.ts'
import { checkOrderKey, nonceOf } from '../creditPermit/orderKey.ts'
import { hashAbiEncoded } from '../typedData.ts'
import {
  checkHex,
  checkRecord,
  checkText,
  checkUint,
  type InvalidHexError,
  type InvalidTextError,
} from '../values.ts'
import { keccak256, stringToBytes } from '../viem.ts'

/** keccak256 of the payment intent's type string (PROTOCOL.md 10.2). */
const paymentTypehash = '0xe59c0fb9b5df6e30d9d5a16da44ae66769d4b02493cfa2bd8e0658fc3112a47e'
const zeroHash = `0x${'0'.repeat(64)}`

/** What a payment can do with its amount, with the numbers of the contract's enum. */
export const paymentOutcomes = { execute: 0, mintCredits: 1, payUsdc: 2 } as const
export type PaymentOutcomeName = keyof typeof paymentOutcomes

/**
 * Returns the nonce of a customer's USDC authorization for a payment: the order key, then a commitment to the payment's terms.
 * The settlement contract recomputes the nonce, so it can collect the USDC for these terms only.
 *
 * The commitment is the last 20 bytes of `keccak256(abi.encode(paymentTypehash, customer, outcome, receiver, settlementHash,
 * keccak256(creditSeed), amount, value, salt))` (PROTOCOL.md 10.2).
 *
 * @returns 32 bytes in lower case
 * @throws InvalidAddressError, InvalidAmountError, {@link InvalidHexError}, InvalidTextError; {@link InvalidRecordError} when
 * `receiver` and `settlementHash` do not match the outcome
 * @see PROTOCOL.md 10.2
 * @example
 * ```ts
 * import { orderKey, paymentIntentNonce, settlementHash } from 'redeemkit/evm'
 * paymentIntentNonce({
 *   orderKey: orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }),
 *   customer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   outcome: 'execute',
 *   settlementHash: settlementHash({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
 *   creditSeed: 'shop',
 *   amount: 10_000_000n,
 *   value: 4_000_000n,
 *   salt: '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70',
 * }) // '0xcff8661c04b781a2804ce2e8367568ef…'
 * ```
 */
export function paymentIntentNonce(options: paymentIntentNonce.Options): Hex {
  checkRecord(options, 'options')
  const { outcome } = options
  if (typeof outcome !== 'string' || !Object.hasOwn(paymentOutcomes, outcome))
    throw new InvalidOptionError(`${showValue(outcome)} is not an outcome of a payment.`, {
      field: 'outcome',
      fix: `Pass one of ${Object.keys(paymentOutcomes).join(', ')}.`,
    })
  const executes = outcome === 'execute'
  if ((options.receiver === undefined) !== executes) throw misplaced('receiver', outcome)
  if ((options.settlementHash === undefined) === executes) throw misplaced('settlementHash', outcome)
  const key = checkOrderKey(options.orderKey)
  const commitment = hashAbiEncoded('bytes32 address uint8 address bytes32 bytes32 uint256 uint256 bytes32', [
    paymentTypehash,
    checkNonZeroAddress(options.customer, 'customer'),
    paymentOutcomes[outcome],
    executes ? zeroAddress : checkNonZeroAddress(options.receiver, 'receiver'),
    executes ? checkHex(options.settlementHash, 'settlementHash', { bytes: 32 }) : zeroHash,
    keccak256(stringToBytes(checkText(options.creditSeed, 'creditSeed'))),
    checkUint(options.amount, 'amount'),
    checkUint(options.value, 'value'),
    checkHex(options.salt, 'salt', { bytes: 32 }),
  ])
  return nonceOf(key, commitment)
}

export declare namespace paymentIntentNonce {
  type Options = {
    /** 12 bytes, highest bit set: `orderKey({ merchantId, purchaseId })`, or random. */
    orderKey: Hex
    /** The payer: `from` of the authorization. */
    customer: Address
    /** What the payment does with the amount. */
    outcome: PaymentOutcomeName
    /** Receiver of the credits or the USDC; absent with `execute`. */
    receiver?: Address | undefined
    /** With `execute`: `settlementHash(transactionData)`; absent otherwise. */
    settlementHash?: Hex | undefined
    /** Name of the merchant's credit balance. */
    creditSeed: string
    /** Amount that the payment spends, mints or pays, in raw units of USDC. */
    amount: bigint
    /** Amount that the customer pays, in raw units of USDC: `value` of the authorization. The part above `amount` is the fee. */
    value: bigint
    /** 32 random bytes that the client chooses. */
    salt: Hex
  }
  type ErrorType =
    | InvalidAddressError
    | InvalidAmountError
    | InvalidHexError
    | InvalidOptionError
    | InvalidRecordError
    | InvalidTextError
}

function misplaced(field: 'receiver' | 'settlementHash', outcome: PaymentOutcomeName): InvalidRecordError {
  const needs = (field === 'settlementHash') === (outcome === 'execute')
  return new InvalidRecordError(
    `A payment with outcome ${outcome} ${needs ? `needs ${field}` : `takes no ${field}`}.`,
    { field, fix: needs ? `Pass \`${field}\`.` : `Leave \`${field}\` out.` },
  )
}
