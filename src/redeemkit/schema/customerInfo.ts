import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'
import { dateText, type SchemaOf } from './values.ts'

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

// a named type, so that the TypeScript declarations of checkouts do not repeat both options
export type CustomerInfo = z.infer<typeof byFirstAndLastName> | z.infer<typeof byName>

/** The customer (PROTOCOL.md 11.5): with `firstName` and `lastName`, or with an optional `name`. */
export const customerInfo: SchemaOf<CustomerInfo> = oneOf(
  { byFirstAndLastName, byName },
  {
    pick: ({ firstName, lastName }) =>
      firstName === undefined && lastName === undefined ? 'byName' : 'byFirstAndLastName',
  },
)
