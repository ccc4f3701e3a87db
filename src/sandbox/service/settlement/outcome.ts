import type { Hex } from 'viem'
import { centsToAmount } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/values/checkAddress.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'

/** What a payment carried cannot be done. The message says why, in words for the merchant. */
export class PaymentNotSettledError extends BaseError {
  override readonly name = 'PaymentNotSettledError'
}

/**
 * What a payment does once it settles (PROTOCOL.md 10.2): one thing with its subtotal in USDC. `transactionData` and
 * `stellarTransaction` spend it; credits or USDC go where `destinationAuthKey` says; and what nothing was said of stays in the
 * merchant's wallet at the service.
 *
 * `amount` is in raw units of USDC, 6 decimals.
 */
export function outcomeOf(payment: PaymentTerms): PaymentOutcome {
  const { carried } = payment
  const amount = centsToAmount(payment.usdCents, { field: 'usdCents' })
  const { transactionData, stellarTransaction, settlementType, destination } = carried
  if (transactionData !== undefined) return { kind: 'execute', transactionData, amount }
  if (stellarTransaction !== undefined) return { kind: 'stellar', stellarTransaction, amount }
  if (settlementType === 'Credits')
    return { kind: 'credits', receiver: destination ?? payment.wallet ?? undefined, amount }
  if (destination !== undefined) return { kind: 'usdc', receiver: destination, amount }
  return { kind: 'wallet', amount }
}

/** Whether a payment settles on Stellar: by the call that it names, or because its receiver is there. */
export function isOnStellar(outcome: PaymentOutcome): boolean {
  return outcome.kind === 'stellar' || (outcome.kind === 'usdc' && stellarAddress.test(outcome.receiver))
}

/** An account or a contract. */
export const stellarAddress = /^[GC][A-Z2-7]{55}$/

/** The columns of a payment that say what it does. */
export type PaymentTerms = Pick<PaymentRow, 'usdCents' | 'carried' | 'wallet'>

export type PaymentOutcome = { amount: bigint } & (
  | { kind: 'execute'; transactionData: TransactionData }
  | { kind: 'stellar'; stellarTransaction: string }
  /** The customer's wallet, unless another was named. */
  | { kind: 'credits'; receiver: string | undefined }
  | { kind: 'usdc'; receiver: string }
  | { kind: 'wallet' }
)

/** Whether a payment brings the customer's USDC along. */
export function paysUsdc({ carried }: PaymentRow): boolean {
  return carried.customerUsdcTransferData !== undefined || carried.customerUsdcTransferDataV2 !== undefined
}

/**
 * Returns who receives the credits or the USDC of a payment on an EVM chain. The operator holds what stays in the merchant's wallet
 * at the service.
 *
 * @throws {@link PaymentNotSettledError} when nothing names the receiver, or it is not an address there
 */
export function receiverOf(chain: Pick<EvmChain, 'operator'>, outcome: PaymentOutcome): Hex {
  return outcome.kind === 'credits' || outcome.kind === 'usdc'
    ? addressOf(outcome.receiver, 'the receiver')
    : checkNonZeroAddress(chain.operator.address, 'operator')
}

/** @throws {@link PaymentNotSettledError} */
export function addressOf(text: string | null | undefined, what: string): Hex {
  if (text === null || text === undefined) throw new PaymentNotSettledError(`Nothing says who ${what} is.`)
  try {
    return checkNonZeroAddress(text, what)
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new PaymentNotSettledError(
      `${JSON.stringify(text)} is no address on an EVM chain: it cannot be ${what}.`,
      { cause },
    )
  }
}
