import { type Hex, keccak256 } from 'viem'
import type { StorageSlot } from '../node/prestate.ts'
import { changesOf } from './outcome.ts'
import type { EconomicContext } from './rule.ts'

export type Stored = {
  /** The first change that is stored for an account: under it as a key, or with it as a value. */
  of: (account: Hex) => StorageSlot | undefined
  /** Whether an account is the key of everything that is stored in mappings. */
  isOnlyUnder: (account: Hex) => boolean
}

/** Returns for whom the redeem stores something. */
export async function storedIn(context: EconomicContext): Promise<Stored> {
  const stored = await changesOf(context, {})
  const hashed = stored.filter(isHashed)
  const isUnder = hashed.length === 0 ? () => false : await keysIn(context)
  return {
    of: (account) => {
      const digits = account.slice(2).toLowerCase()
      return stored.find(({ slot, value }) => isUnder(slot, account) || value.toLowerCase().includes(digits))
    },
    isOnlyUnder: (account) => hashed.length > 0 && hashed.every(({ slot }) => isUnder(slot, account)),
  }
}

/** Whether a slot is in a mapping or array: slots of other variables are small numbers. */
export const isHashed = ({ slot }: Pick<StorageSlot, 'slot'>) => BigInt(slot) >= 2n ** 64n

/**
 * Returns a function that says whether a contract derives a storage slot from an account: by hashing it, or a hash of
 * it, as every compiler and library does for mappings. Includes the words of a struct.
 */
export async function keysIn({ hashed }: EconomicContext): Promise<(slot: Hex, account: Hex) => boolean> {
  // A signed message contains addresses, but is not a storage key.
  const keys = (await hashed()).filter((data) => !data.startsWith('0x19'))
  const hashes = keys.map((data) => ({ data, hash: keccak256(data) }))
  const isFrom = (data: string, digits: string): boolean =>
    data.includes(digits) ||
    hashes.some(({ data: inner, hash }) => data.includes(hash.slice(2)) && isFrom(inner, digits))
  return (slot, account) => {
    const digits = account.slice(2).toLowerCase()
    return hashes.some(({ data, hash }) => {
      const word = BigInt(slot) - BigInt(hash)
      return word >= 0n && word < structWords && isFrom(data, digits)
    })
  }
}

const structWords = 16n
