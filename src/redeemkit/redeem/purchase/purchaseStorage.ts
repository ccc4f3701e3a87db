import { RequestAbortedError } from '../../api/errors.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { checkPinned } from '../check/readRedeemTerms.ts'
import { PurchaseStorageError } from '../errors.ts'
import type { RedeemPins } from '../preparedRedeem.ts'
import { within } from '../within.ts'
import { type Purchase, type PurchaseRecord, parsePurchaseRecord, purchaseName } from './purchaseRecord.ts'

/** Where purchases are stored: `localStorage`, or any object with these functions. They may be asynchronous. */
export type PurchaseStorage = {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
  /**
   * Replaces `expected` with `value` atomically (compare and swap); `null` means no value. In SQL: an UPDATE whose WHERE matches key and
   * `expected`, then its row count. If defined, redeemkit uses it instead of `setItem` and `removeItem`. Required for random nonces
   * (`intentBound: false`, `allowRandomNonce`) without Web Locks: on a server, or on a page that is not served over https.
   *
   * @returns true if `expected` was stored and has been replaced
   */
  replaceItem?(key: string, expected: string | null, value: string | null): boolean | Promise<boolean>
  /** Lists the stored names, for `listOpenRedeems`. `localStorage` has `key` and `length` instead. */
  keys?(): Iterable<string> | Promise<Iterable<string>>
  /** Returns the name at an index below `length`. */
  key?(index: number): string | null
  readonly length?: number
}

export type PurchaseStore = {
  read(): Promise<PurchaseRecord | undefined>
  /** Throws if another page has written the record. */
  write(record: PurchaseRecord): Promise<void>
  /** Does nothing if another page has written the record. */
  remove(): Promise<void>
}

export const storageTimeoutMs = 120_000

const inProcess = new Map<string, string>()
export const processStorage: PurchaseStorage = {
  getItem: (key) => inProcess.get(key),
  setItem: (key, value) => inProcess.set(key, value),
  removeItem: (key) => inProcess.delete(key),
  keys: () => [...inProcess.keys()],
}

/**
 * Reads and writes the record of one purchase. Without Web Locks, another page may write at any moment. That page's record may belong to a
 * submitted redeem, so it is never replaced or removed. `timeoutMs` limits one request; after an abort, at most a second.
 */
export function purchaseStore(
  purchase: Purchase,
  storage: PurchaseStorage = processStorage,
  {
    timeoutMs = storageTimeoutMs,
    signal,
    randomNonce,
  }: {
    timeoutMs?: number | undefined
    signal?: AbortSignal | undefined
    randomNonce?: boolean | undefined
  } = {},
): PurchaseStore {
  const name = purchaseName(purchase)
  const own = new Set<string | undefined>()
  const use = <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    const how = signal?.aborted ? { ms: Math.min(timeoutMs, 1_000) } : { ms: timeoutMs, signal }
    const fix = 'Free space in the storage or allow access to it, then call redeem again to resume.'
    return askStorage(`${what} ${name}`, work, { ...how, fix })
  }
  const get = async () => (await use('read', () => storage.getItem(name))) ?? undefined
  return {
    read: async () => {
      const text = await get()
      own.add(text)
      return text === undefined ? undefined : parsePurchaseRecord(text, name, { randomNonce })
    },
    write: async (record) => {
      const text = JSON.stringify(record)
      const before = await get()
      if (!own.has(before)) throw lost(name)
      own.add(text)
      if (storage.replaceItem !== undefined) {
        if ((await use('write', () => storage.replaceItem?.(name, before ?? null, text))) !== true)
          throw lost(name)
        return
      }
      await use('write', () => storage.setItem(name, text))
      // Before anything is submitted, detect storage that loses values, and concurrent writes by another page.
      if ((await get()) !== text) throw lost(name)
    },
    remove: async () => {
      const before = await get()
      if (own.has(before) && before !== undefined)
        await use('remove', () => storage.replaceItem?.(name, before, null) ?? storage.removeItem(name))
      own.add(undefined)
    },
  }
}

const lost = (name: string) =>
  new PurchaseStorageError(`The record ${name} was changed by another page, or was not stored.`, {
    field: 'storage',
    fix: 'Call redeem again to resume the purchase. If this repeats, check that the storage keeps data.',
  })

export async function askStorage<T>(
  what: string,
  work: () => T | Promise<T>,
  { fix, ...how }: { ms: number; signal?: AbortSignal | undefined; fix: string },
): Promise<T> {
  try {
    return await within((async () => work())(), how)
  } catch (cause) {
    if (cause instanceof RequestAbortedError) throw cause
    throw new PurchaseStorageError(`The storage could not ${what}.`, { field: 'storage', fix, cause })
  }
}

export function checkPurchaseOptions({
  pinned,
  storage,
}: {
  pinned?: Partial<RedeemPins> | undefined
  storage?: PurchaseStorage | undefined
}): void {
  checkPinned(pinned)
  const missing = storageFunctions.find((name) => typeof storage?.[name] !== 'function')
  if (storage !== undefined && missing !== undefined)
    throw new InvalidOptionError(`The storage has no function ${missing}.`, {
      field: 'storage',
      fix: `Pass localStorage, or an object with ${storageFunctions.join(', ')}.`,
    })
}

const storageFunctions = ['getItem', 'setItem', 'removeItem'] as const
