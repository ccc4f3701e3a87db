import type { AnyInstruction } from './layout.ts'

/** How many assertions wallets add at most: Phantom three before a payment and one after it (x402-foundation/x402#3318). */
export const maxGuards = 4

/**
 * Whether an instruction only reads accounts and fails the transaction when they are not as asserted: one of the
 * Lighthouse program, read to its last byte, without an account that it does not name.
 */
export function isGuard({ program, meaning, extraAccounts }: AnyInstruction): boolean {
  return program === 'lighthouse' && meaning === 'INSTRUCTION' && extraAccounts.length === 0
}
