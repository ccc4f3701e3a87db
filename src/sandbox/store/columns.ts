import { customType, timestamp } from 'drizzle-orm/pg-core'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { UnknownRowError } from './errors.ts'
import { parseReference, type Reference } from './reference.ts'

/** A column for raw units of money. `numeric(78,0)` holds every uint256 exactly. */
export const amount = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78,0)',
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
})

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Allows only the values in a list. */
export function oneOf<const values extends readonly string[]>(name: string, values: values) {
  return customType<{ data: values[number]; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (value) => {
      const word = values.find((known) => known === value)
      if (word !== undefined) return word
      throw new UnknownRowError(`The database has ${showValue(value)} in column "${name}".`, {
        field: name,
        fix: `Known values are ${values.join(', ')}. Open the folder with the version that wrote it, or use another folder.`,
      })
    },
  })(name)
}

export const reference = customType<{ data: Reference; driverData: unknown }>({
  dataType: () => 'jsonb',
  fromDriver: parseReference,
  toDriver: (value) => JSON.stringify(value),
})
