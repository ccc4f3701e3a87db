import * as z from 'zod/mini'
import { dateText } from './dates.ts'
import { oneOf } from './oneOf.ts'

const text = z.optional(z.string())

const shared = {
  verificationId: text,
  displayName: text,
  address: text,
  city: text,
  state: text,
  zip: text,
  country: text,
  ip: text,
  lat: text,
  lng: text,
  dob: z.optional(dateText),
  email: text,
}

/**
 * Who the customer is (PROTOCOL.md 11.5): with `firstName` and `lastName`, or with an optional `name`.
 * Every other field is optional text.
 */
export const customerInfo = oneOf(
  [
    z.strictObject({ ...shared, firstName: z.string(), lastName: z.string() }),
    z.strictObject({ ...shared, name: text }),
  ],
  { pick: ({ firstName, lastName }) => (firstName === undefined && lastName === undefined ? 1 : 0) },
)
export type CustomerInfo = z.infer<typeof customerInfo>
