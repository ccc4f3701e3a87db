import type { VerificationStatus } from '../../../../redeemkit/schema/verification.ts'

/**
 * Tax ids with which the passive shape ends otherwise than approved (PROTOCOL.md 10.7). Simulated: nobody asks a register of companies.
 * `pending`: documents are asked for, with a 451.
 */
export const testTins = {
  '000000001': 'pending',
  '000000002': 'partial-approval',
  '000000003': 'rejected',
} as const satisfies Record<string, VerificationStatus>

/** What the check of a tax id comes to. */
export function statusOfTin(tin: string): VerificationStatus {
  return Object.entries(testTins).find(([known]) => known === tin)?.[1] ?? 'approved'
}
