import { type Hex, keccak256 } from 'viem'
import type { StorageSlot } from '../node/prestate.ts'
import { changesOf } from './outcome.ts'
import type { EconomicContext } from './rule.ts'

export type Stored = {
  /** The first change that is stored for an account: in a slot with the account as key, or as a value that contains the account. */
  of: (account: Hex) => StorageSlot | undefined
  /** Whether everything that is stored in mappings has this account as its key. */
  isOnlyUnder: (account: Hex) => boolean
}

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

/** Whether a slot is in a mapping or array. Slots of other variables are small numbers. */
export const isHashed = ({ slot }: Pick<StorageSlot, 'slot'>) => BigInt(slot) >= 2n ** 64n

/**
 * Returns whether a slot is derived from an account: compilers and libraries hash the account, or a hash of it. Includes the words of a
 * struct.
 */
export async function keysIn({ hashed }: EconomicContext): Promise<(slot: Hex, account: Hex) => boolean> {
  // Data that begins with 0x19 is a signed message: it contains addresses, but is not a storage key.
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
