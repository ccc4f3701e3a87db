import { type Answer, challengeOf, codeOf, detailsOf } from './calls.ts'
import type { FieldName } from './cardFields.ts'
import { textOf } from './isRecord.ts'

/** Why nothing was paid. */
export type Refusal = {
  code: string
  /** The service's, for the developer. */
  message: string
  paymentId?: string | undefined
  /** The bank's. */
  reason?: string | undefined
}

export const noAnswer: Refusal = { code: 'UNAVAILABLE', message: 'The service does not answer.' }

export function refusalOf(answer: Answer): Refusal {
  const { body } = answer
  const details = detailsOf(body)
  return {
    code: codeOf(answer),
    message: textOf(body.message, 2_000) ?? `The service answered ${answer.status}.`,
    paymentId: textOf(details.paymentId ?? body.paymentId, 256),
    reason: textOf(details.reason, 64),
  }
}

/** Whether an answer is about a payment that was made: what refuses a call before names none. */
export function isOfPayment(answer: Answer): boolean {
  return (
    answer.status === 200 || challengeOf(answer) !== undefined || refusalOf(answer).paymentId !== undefined
  )
}

/** The field that a code is about. */
export const fieldsOfCodes: Readonly<Record<string, FieldName>> = {
  INVALID_CARD_NUMBER: 'number',
  CARD_EXPIRED: 'expiry',
  INVALID_CVV: 'cvv',
}
