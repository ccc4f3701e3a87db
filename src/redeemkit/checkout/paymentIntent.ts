import type { Address, Hex } from 'viem'
import { centsToAmount } from '../core/amount.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import { settlementHash } from '../evm/creditPermit/redeemIntentNonce.ts'
import { paymentIntentNonce } from '../evm/usdcAuthorization/paymentIntentNonce.ts'
import { PinsRequiredError } from '../redeem/errors.ts'
import type { TransactionData } from '../schema/transactionData.ts'

/** The purchase of a checkout. Pass the same values as in the checkout's body (PROTOCOL.md 10.2). */
export type PaymentTerms = {
  /** US cents. For a subtotal in another currency: the US cents that the service converts it to, rounded down. */
  subtotal: { cents: number; currency?: 'USD' | undefined }
  /** Transaction that the service executes with the subtotal. */
  transactionData?: TransactionData | undefined
  /** Used without `transactionData`: `Credits` mints credits, any other value pays USDC. */
  settlementType?: 'Credits' | 'USDC' | undefined
  /** The address of the checkout's `destinationAuthKey`. */
  destination?: Address | undefined
}

/** Trusted values for payments on one chain, from the caller's own configuration and never from the service (PROTOCOL.md 10.2). */
export type PaymentPins = Pick<
  RedeemPins,
  'chainId' | 'creditSeed' | 'bridgeAdapter' | 'usdcAuthorizationType'
> & {
  /** The contract that settles payments, and the only receiver of USDC. */
  settlementContract: Address
  /** The operator of that contract. It receives payments that stay in the merchant's wallet at the service. */
  settlementOperator?: Address | undefined
  /**
   * Whether the nonce of a USDC authorization commits to the payment. Default true. `false` is for services with random nonces, which
   * are trusted to use the authorization only for this checkout.
   */
  paymentIntentBound?: boolean | undefined
}

/**
 * Computes the nonce of the customer's USDC authorization from the caller's own terms. `value` is the USDC that the customer pays, in raw
 * units.
 *
 * @throws {@link PinsRequiredError} if the operator is the payee and is not pinned; {@link InvalidRecordError} for a subtotal in another
 * currency; the errors of `paymentIntentNonce` and `settlementHash`
 */
export function paymentIntent(options: {
  wallet: Address
  payment: PaymentTerms
  pinned: PaymentPins
  value: bigint
  orderKey: Hex
  salt: Hex
}): Hex {
  const { wallet, payment, pinned, value, orderKey, salt } = options
  const { subtotal, transactionData, settlementType, destination } = payment
  if ((subtotal.currency ?? 'USD') !== 'USD')
    throw new InvalidRecordError(`The subtotal is in ${showValue(subtotal.currency)}, not in US cents.`, {
      field: 'payment.subtotal.currency',
      fix: 'Pass the US cents that the service converts the subtotal to.',
    })
  const { creditSeed } = pinned
  const amount = centsToAmount(subtotal.cents, { field: 'payment.subtotal.cents' })
  const shared = { orderKey, salt, customer: wallet, creditSeed, amount, value }
  if (transactionData !== undefined)
    return paymentIntentNonce({
      ...shared,
      outcome: 'execute',
      settlementHash: settlementHash(transactionData, { bridgeAdapter: pinned.bridgeAdapter }),
    })
  if (settlementType === 'Credits')
    return paymentIntentNonce({ ...shared, outcome: 'mintCredits', receiver: destination ?? wallet })
  const receiver = destination ?? pinned.settlementOperator
  if (receiver === undefined)
    throw new PinsRequiredError("The USDC goes to the service's operator, but no operator is pinned.", {
      field: 'pinned.settlementOperator',
      fix: 'Pin `settlementOperator` from your own configuration, or pass the `transactionData`, `settlementType` or `destination` of the checkout.',
      source: 'PROTOCOL.md 10.2',
    })
  return paymentIntentNonce({ ...shared, outcome: 'payUsdc', receiver })
}
