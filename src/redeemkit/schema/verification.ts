import * as z from 'zod/mini'
import { double } from './values.ts'

const text = z.optional(z.string())

/** The states of a verification (PROTOCOL.md 10.6). */
export const verificationStatus = z.enum(['pending', 'partial-approval', 'approved', 'rejected', 'expired'])
export type VerificationStatus = z.infer<typeof verificationStatus>

const verificationFields = {
  reference: z.string(),
  status: verificationStatus,
  /** Any text (PROTOCOL.md 11.13 and 11.14). */
  vendor: z.string(),
  name: text,
  attested: z.optional(z.boolean()),
  shareToken: text,
  shareTokenStatus: text,
  sessionToken: text,
  rejectionReasons: z.optional(z.array(z.string())),
}

/** A verification (PROTOCOL.md 11.13). */
export const verification = z.strictObject(verificationFields)
export type Verification = z.infer<typeof verification>

/** The verification of a business owner (PROTOCOL.md 11.13). */
export const owner = z.strictObject({
  ...verificationFields,
  ownershipPct: z.optional(double),
  isControllingPerson: z.optional(z.boolean()),
})
export type Owner = z.infer<typeof owner>
