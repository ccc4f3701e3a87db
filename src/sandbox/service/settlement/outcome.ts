import type { Hex } from 'viem'
import { centsToAmount } from '../../../redeemkit/core/amount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'

/** The message is for the merchant. */
export class PaymentNotSettledError extends BaseError {
  override readonly name = 'PaymentNotSettledError'
}

/**
 * The subtotal pays for a call, goes to the receiver in `destinationAuthKey`, or is added to the merchant's balance (PROTOCOL.md 10.2).
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

/** Whether a payment settles on Stellar, which its call or its receiver determines. */
export function isOnStellar(outcome: PaymentOutcome): boolean {
  return outcome.kind === 'stellar' || (outcome.kind === 'usdc' && stellarAddress.test(outcome.receiver))
}

/** Matches the address of an account or contract. */
export const stellarAddress = /^[GC][A-Z2-7]{55}$/

export type PaymentTerms = Pick<PaymentRow, 'usdCents' | 'carried' | 'wallet'>

export type PaymentOutcome = { amount: bigint } & (
  | { kind: 'execute'; transactionData: TransactionData }
  | { kind: 'stellar'; stellarTransaction: string }
  /** The receiver of the credits. Undefined: the customer's wallet. */
  | { kind: 'credits'; receiver: string | undefined }
  | { kind: 'usdc'; receiver: string }
  | { kind: 'wallet' }
)

export function paysUsdc({ carried }: PaymentRow): boolean {
  return carried.customerUsdcTransferData !== undefined || carried.customerUsdcTransferDataV2 !== undefined
}

/** Returns the receiver of the credits or USDC. The operator holds the merchant's balance. */
export function receiverOf(chain: Pick<EvmChain, 'operator'>, outcome: PaymentOutcome): Hex {
  return outcome.kind === 'credits' || outcome.kind === 'usdc'
    ? addressOf(outcome.receiver, 'the receiver')
    : checkNonZeroAddress(chain.operator.address, 'operator')
}

export function addressOf(text: string | null | undefined, what: string): Hex {
  if (text === null || text === undefined)
    throw new PaymentNotSettledError(`The payment does not specify ${what}.`)
  try {
    return checkNonZeroAddress(text, what)
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new PaymentNotSettledError(`${JSON.stringify(text)} is not an EVM address and cannot be ${what}.`, {
      cause,
    })
  }
}
