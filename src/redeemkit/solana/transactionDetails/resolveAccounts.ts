import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'

/** A lookup table as web3.js gives it (`AddressLookupTableAccount`). */
export type LookupTable = { key: AddressLike; state: { addresses: readonly AddressLike[] } }

/**
 * Lists all accounts of a transaction in the order in which instructions count them: the message's own, then
 * the written and then the read ones of its lookup tables.
 *
 * @returns `missing` names the tables that are not given or too short; their accounts are `?…`, which is no
 *   address
 */
export function resolveAccounts(
  parsed: ParsedTransaction,
  lookupTables: readonly LookupTable[],
): { accounts: string[]; writable: string[]; missing: string[] } {
  const missing = new Set<string>()
  const load = (pick: 'writable' | 'readonly') =>
    parsed.lookups.flatMap(({ table, ...indexes }) => {
      const found = lookupTables.find(({ key }) => parseAddress(key, { field: 'lookupTables' }) === table)
      return indexes[pick].map((index) => {
        const address = found?.state?.addresses?.[index]
        if (address !== undefined) return parseAddress(address, { field: 'lookupTables' })
        missing.add(table)
        return `?${index} of ${table}`
      })
    })
  const { keys, signers, readonlySigners, readonlyOthers } = parsed
  const loaded = load('writable')
  const own = keys.filter((_, index) =>
    index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers,
  )
  return {
    accounts: [...keys, ...loaded, ...load('readonly')],
    writable: [...own, ...loaded],
    missing: [...missing],
  }
}
