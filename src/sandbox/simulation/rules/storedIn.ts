import { concat, type Hex, keccak256, numberToHex } from 'viem'
import type { StorageChange } from '../node/prestate.ts'
import { sameAddress } from '../trace/frames.ts'
import type { EconomicContext } from './rule.ts'

export type Stored = {
  /** The first change that is stored for an account: under it as a key, or with it as a value. */
  of: (account: Hex) => StorageChange | undefined
  /** Whether an account is the key of everything that is stored in mappings. */
  isOnlyUnder: (account: Hex) => boolean
}

/** Returns what the redeem stores, without USDC, the credits contract and the wallet. */
export async function storedIn(context: EconomicContext): Promise<Stored> {
  const { changes, usdc, creditsContract, redeem, settlement } = context
  const left = [usdc, creditsContract, redeem.wallet]
  const stored = (await changes({})).filter(({ address }) => !left.some((one) => sameAddress(one, address)))
  return {
    of: (account) => {
      const slots = slotsOf(account, settlement.data)
      const digits = account.slice(2).toLowerCase()
      return stored.find(({ slot, value }) => slots.has(BigInt(slot)) || value.toLowerCase().includes(digits))
    },
    isOnlyUnder: (account) => {
      const slots = slotsOf(account, settlement.data)
      const hashed = stored.filter(({ slot }) => BigInt(slot) >= leastHash)
      return hashed.length > 0 && hashed.every(({ slot }) => slots.has(BigInt(slot)))
    },
  }
}

/** Slots of variables outside mappings are small numbers. */
const leastHash = 2n ** 64n

/**
 * Storage slots of an account in mappings, which compilers derive by hashing the key with the slot of the mapping, Vyper
 * in the other order. Includes the words of small structs. For nested mappings, assumes that the other key is a word of the call data.
 */
function slotsOf(account: Hex, data: Hex): ReadonlySet<bigint> {
  const words = [...new Set(data.slice(10).match(/.{64}/g) ?? [])].slice(0, mostWords)
  const keys = words.map((word) => BigInt(`0x${word}`))
  const places = [...Array.from({ length: mostPlaces }, (_, place) => BigInt(place)), ...namespaces]
  const found = new Set<bigint>()
  const add = (slot: bigint) => {
    for (let word = 0n; word < structWords; word++) found.add(slot + word)
  }
  for (const slotIn of [solidity, vyper])
    for (const place of places) {
      const own = slotIn(place, BigInt(account))
      add(own)
      for (const key of keys) {
        add(slotIn(own, key))
        add(slotIn(slotIn(place, key), BigInt(account)))
      }
    }
  return found
}

const solidity = (mapping: bigint, key: bigint) => hashOf(key, mapping)
const vyper = (mapping: bigint, key: bigint) => hashOf(mapping, key)
const hashOf = (...words: [bigint, bigint]) =>
  BigInt(keccak256(concat(words.map((word) => numberToHex(word, { size: 32 })))))

const mostPlaces = 64
const mostWords = 8
const structWords = 4n
/** Balances of OpenZeppelin's upgradeable ERC-20 and ERC-721 (EIP-7201). */
const namespaces = [
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
  0x80bb2b638cc20bc4d0a60d66940f3ab4a00c1d7b313497ca82fb0b4ab0079303n,
]
