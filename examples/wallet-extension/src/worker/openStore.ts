import { fromJson, toJson } from 'redeemkit'
import type { Address } from 'viem'
import type { Account, Pin, Settings, Site } from '../messages.ts'
import type { CallBatch } from './callBatches.ts'
import type { QueueEntry } from './createQueue.ts'
import type { PageDocument, Platform } from './platform.ts'
import type { StoredRedeem } from './redeemBook.ts'

/** The wallet's stored data. Windows and pages cannot read it directly. */
type Stored = {
  vault: string | undefined
  accounts: readonly StoredAccount[]
  selected: Address | undefined
  settings: Settings
  sites: Readonly<Record<string, Site>>
  pins: readonly Pin[]
  /** By lower-case address. */
  names: Readonly<Record<Address, string>>
  nodes: Readonly<Record<number, string>>
  redeems: readonly StoredRedeem[]

  /** The key of the unlocked vault, stored so that a restart of the worker does not lock the vault. */
  vaultKey: string | undefined
  /** Time of the last use, in milliseconds since 1970. */
  usedAt: number
  queue: readonly QueueEntry[]
  batches: readonly CallBatch[]
  /** The last rejection by site: when, and whether it includes the site's requests of the next minute. */
  rejections: Readonly<Record<string, { at: number; isForAll: boolean }>>
  windowId: number | undefined
  /** Pages to notify of changes, by tab. A page that is shown again requests the changes that it missed. */
  documents: Readonly<Record<number, PageDocument>>
}

export type StoredAccount = Account & {
  /** Index of the phrase or key in the vault. */
  secret: number
  /** Index in the derivation path of the phrase (BIP-44). */
  index: number
}

export type Store = {
  get: <key extends keyof Stored>(key: key) => Stored[key]
  /** Changes values in memory immediately, and resolves when they are stored. Values of one call in the same area are stored together. */
  set: (changes: Partial<Stored>) => Promise<void>
  clear: () => Promise<void>
}

const initial: Stored = {
  vault: undefined,
  accounts: [],
  selected: undefined,
  settings: { lockAfterMinutes: 15, language: undefined, theme: undefined },
  sites: {},
  pins: [],
  names: {},
  nodes: {},
  redeems: [],
  vaultKey: undefined,
  usedAt: 0,
  queue: [],
  batches: [],
  rejections: {},
  windowId: undefined,
  documents: {},
}

/** This area is lost when the browser is closed. */
const inSession: readonly (keyof Stored)[] = [
  'vaultKey',
  'usedAt',
  'queue',
  'batches',
  'rejections',
  'windowId',
  'documents',
]

/**
 * Only the worker writes the data, so the copy in memory stays correct.
 *
 * @throws Error for damaged data. The wallet then does nothing, because each change would replace what can still be recovered
 */
export async function openStore({ local, session }: Pick<Platform, 'local' | 'session'>): Promise<Store> {
  const kept = { ...(await local.get()), ...(await session.get()) }
  const read = Object.entries(kept).filter(([key]) => Object.hasOwn(initial, key))
  const values: Stored = {
    ...initial,
    ...Object.fromEntries(read.map(([key, text]) => [key, fromJson(String(text)) ?? undefined])),
  }
  if (!isSound(values)) throw new Error('The stored data is damaged.')
  return {
    get: (key) => values[key],
    set: async (changes) => {
      // Converted to text before memory changes, so that a value without JSON changes nothing.
      const texts = Object.entries(changes).map(([key, value]) => [key, toJson(value ?? null)] as const)
      Object.assign(values, changes)
      const isInSession = ([key]: readonly [string, string]) => inSession.some((name) => name === key)
      const [temporary, lasting] = [texts.filter(isInSession), texts.filter((one) => !isInSession(one))]
      if (lasting.length > 0) await local.set(Object.fromEntries(lasting))
      if (temporary.length > 0) await session.set(Object.fromEntries(temporary))
    },
    clear: async () => {
      Object.assign(values, initial)
      await Promise.all([local.clear(), session.clear()])
    },
  }
}

/** Whether all values have the right types, and a wallet with accounts has a vault. */
function isSound({ vault, ...others }: Stored): boolean {
  const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)
  const { vault: _, ...usual } = initial
  const isOfType = ([key, value]: [string, unknown]) =>
    value === undefined || typeOf(value) === typeOf(Object(others)[key])
  return (
    Object.entries(usual).every(isOfType) &&
    (vault === undefined ? others.accounts.length === 0 : typeof JSON.parse(vault).data === 'string')
  )
}
