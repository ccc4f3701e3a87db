import { problem, type ServiceProblem } from '../../http/problem.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'
import { type CardRefusal, refusalWords } from './cardOutcome.ts'

/** The error of a card that was refused, with the payment that failed for it. */
export function cardProblem(
  refusal: CardRefusal,
  { paymentId }: Pick<PaymentRow, 'paymentId'>,
): ServiceProblem {
  const code = refusal === 'fraud' ? 'FRAUD_SUSPECTED' : 'CARD_DECLINED'
  return problem(code, refusalWords[refusal], { details: { paymentId, reason: refusal } })
}
