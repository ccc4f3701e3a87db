import type { CardBehaviour } from '../../../store/states.ts'

/**
 * The card numbers that the sandbox knows, and what each does. Every other number is declined. Expiry: any month that has not
 * passed. The numbers pass the Luhn check, and belong to no bank.
 *
 * - `approved`: pays
 * - `declined`, `insufficientFunds`: refused by the card's bank, with that reason
 * - `fraud`: refused as fraud
 * - `challenge`: asks for a 3DS challenge when the customer pays; charged later, it pays
 * - `declinedLater`: pays when the customer is there, is refused when the merchant charges it later
 *
 * @example
 * ```ts
 * import { testCards } from '@redeemkit/sandbox'
 * const { number, cvv } = testCards.challenge
 * ```
 */
export const testCards = {
  approved: { number: '4000009900000012', cvv: '123' },
  declined: { number: '4000009900000020', cvv: '123' },
  insufficientFunds: { number: '4000009900000038', cvv: '123' },
  fraud: { number: '4000009900000046', cvv: '123' },
  challenge: { number: '4000009900000053', cvv: '123' },
  declinedLater: { number: '4000009900000061', cvv: '123' },
} as const satisfies Record<Exclude<CardBehaviour, 'unknown'>, { number: string; cvv: string }>
