import type { AnyInstruction } from './layout.ts'

/**
 * How many assertions wallets add to a payment at most: Phantom three before it and one after it (x402-foundation/x402#3318).
 * It asserts something of each account that is written; transactions that write more than a payment does came with six and nine.
 */
export const maxGuards = 4

/**
 * Whether an instruction only reads accounts and fails the transaction when they are not as asserted: one of the
 * Lighthouse program, read to its last byte, without an account that it does not name.
 *
 * That it only reads is the word of that program as it is deployed. An account has its roles in the whole message: a
 * guard of the fee payer, such as Phantom's, is called with that signature. Its makers call releases that cannot be
 * replaced a thing to come (github.com/Jac0xb/lighthouse), so whoever may replace it is trusted with both signatures.
 */
export function isGuard({ program, meaning, extraAccounts }: AnyInstruction): boolean {
  return program === 'lighthouse' && meaning === 'INSTRUCTION' && extraAccounts.length === 0
}
