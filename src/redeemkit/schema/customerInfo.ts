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

const byFirstAndLastName = z.strictObject({ ...shared, firstName: z.string(), lastName: z.string() })
const byName = z.strictObject({ ...shared, name: text })

// The type has a name of its own: the declarations of every checkout would else spell it out.
export type CustomerInfo = z.infer<typeof byFirstAndLastName> | z.infer<typeof byName>

/**
 * Who the customer is (PROTOCOL.md 11.5): with `firstName` and `lastName`, or with an optional `name`.
 * Every other field is optional text.
 */
export const customerInfo: z.ZodMiniType<CustomerInfo, CustomerInfo> = oneOf([byFirstAndLastName, byName], {
  pick: ({ firstName, lastName }) => (firstName === undefined && lastName === undefined ? 1 : 0),
})
