import * as z from 'zod/mini'
import { merchant } from './merchant.ts'
import { oneOf } from './oneOf.ts'
import { currency } from './subtotal.ts'
import {
  anyAddress,
  blockchain,
  country,
  dateText,
  dateTimeText,
  filledText,
  orderIdText,
  safeUint,
} from './values.ts'
import { owner, verification } from './verification.ts'

const text = z.optional(z.string())

/** Body of `POST /api/withdraw/kyc/validate` (PROTOCOL.md 2.9 and 11.17). */
export const kycValidateBody = z.strictObject({
  firstName: filledText,
  lastName: filledText,
  dob: z.optional(dateText),
  country: z.optional(country),
  /** How closely the data must match: 0 is the least strict, 100 the most strict. Default 90. */
  matchThreshold: z.optional(safeUint.check(z.lte(100, 'expected a whole number from 0 to 100'))),
})
export type KycValidateBody = z.infer<typeof kycValidateBody>

/** Response of `POST /api/withdraw/kyc/validate` (PROTOCOL.md 11.17). */
export const kycValidateResponse = z.strictObject({ invalidFields: z.array(z.string()), valid: z.boolean() })
export type KycValidateResponse = z.infer<typeof kycValidateResponse>

/** Body of `POST /api/withdraw/iban` (PROTOCOL.md 11.18). */
export const ibanBody = z.strictObject({
  /** The IBAN; for a UK account the 8-digit account number. */
  number: filledText,
  /** The sort code. For UK accounts only. */
  sortCode: z.optional(z.string().check(z.regex(/^\d{6}$/, 'expected 6 digits'))),
  bic: z.optional(filledText),
  accountHolder: z.optional(filledText),
  alias: z.optional(filledText),
})
export type IbanBody = z.infer<typeof ibanBody>

/** Response of `POST /api/withdraw/iban` (PROTOCOL.md 11.18): the account's token, as a JSON string. */
export const ibanResponse = filledText
export type IbanResponse = z.infer<typeof ibanResponse>

const wallets = z.array(z.strictObject({ blockchain, wallet: anyAddress }))
const kyb = {
  merchantId: orderIdText,
  additionalWallets: z.optional(wallets),
  /** URL to which the client sends the user after the `verificationLink` of a 451 response. */
  redirectLink: z.optional(filledText),
}

/** Body of `POST /api/withdraw/kyb` (PROTOCOL.md 11.18): a passive verification if it has `info`, otherwise one with documents. */
export const kybBody = oneOf(
  {
    byDocuments: z.strictObject({ ...kyb, country: filledText, email: filledText }),
    byInfo: z.strictObject({
      ...kyb,
      info: z.strictObject({
        name: filledText,
        tin: filledText,
        website: filledText,
        business: z.strictObject({
          country: filledText,
          zip: filledText,
          state: filledText,
          city: filledText,
          address1: filledText,
          address2: text,
        }),
        person: z.strictObject({ email: filledText, lastName: filledText, firstName: filledText }),
        dateFormed: text,
        phoneNumber: text,
        entityType: text,
        merchantId: text,
      }),
      ubos: z.optional(
        z.array(
          z.strictObject({
            ssn: filledText,
            dob: dateText,
            country,
            zip: filledText,
            state: filledText,
            city: filledText,
            physicalAddress: filledText,
            surName: filledText,
            firstName: filledText,
          }),
        ),
      ),
    }),
  },
  { pick: ({ info, ubos }) => (info === undefined && ubos === undefined ? 'byDocuments' : 'byInfo') },
)
export type KybBody = z.infer<typeof kybBody>

/** Whether a withdrawer may withdraw (PROTOCOL.md 10.6). */
export const availabilityStatus = z.enum(['Functional', 'Blocked', 'Override'])

/** A withdrawer (PROTOCOL.md 11.14). */
export const withdrawer = z.strictObject({
  _id: z.string(),
  wallet: anyAddress,
  blockchain,
  wallets,
  email: z.string(),
  availability: z.strictObject({
    status: availabilityStatus,
    reason: z.string(),
    editor: z.string(),
    updatedAt: dateTimeText,
  }),
  currency,
  merchant: z.union([z.string(), merchant], { error: 'expected a merchant id or a merchant record' }),
  verification,
  riskScoreOverride: z.boolean(),
  country: z.string(),
  business: z.boolean(),
  ubos: z.array(owner),
  /** Any text (PROTOCOL.md 11.13 and 11.14). */
  originalCurrency: text,
  geoBlockOverride: z.optional(
    z.strictObject({
      reason: z.string(),
      setBy: z.string(),
      setAt: dateTimeText,
      expiresAt: z.optional(dateTimeText),
    }),
  ),
  blockCardReuseExempt: z.optional(z.boolean()),
  createdAt: z.optional(dateTimeText),
})
export type Withdrawer = z.infer<typeof withdrawer>

/** Response of `POST /api/withdraw/kyb` (PROTOCOL.md 2.9). */
export const kybResponse = z.strictObject({ withdrawer })
export type KybResponse = z.infer<typeof kybResponse>
