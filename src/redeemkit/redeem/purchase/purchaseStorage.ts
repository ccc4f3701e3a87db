import { RequestAbortedError } from '../../api/errors.ts'
import { PurchaseStorageError } from '../errors.ts'
import { within } from '../within.ts'
import { type Purchase, type PurchaseRecord, parsePurchaseRecord, purchaseName } from './purchaseRecord.ts'

/** Where purchases are kept: `localStorage` fits, and anything with these functions, async ones too. */
export type PurchaseStorage = {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
  /**
   * Puts `value` in the place of `expected`, in one step that nobody can come between; `null` stands for nothing on either side.
   * In SQL: an update with both in it, and how many rows it changed. Used instead of `setItem` and `removeItem` where it exists.
   * Needed where a nonce commits to nothing (`intentBound: false`, `allowRandomNonce`) and no Web Locks keep two callers apart: on a server, or on a
   * page that was not served over https.
   *
   * @returns whether `expected` was there, and `value` is now
   */
  replaceItem?(key: string, expected: string | null, value: string | null): boolean | Promise<boolean>
  /** The names of what it holds, for `listOpenRedeems`; `localStorage` tells them by `key` and `length`. */
  keys?(): Iterable<string> | Promise<Iterable<string>>
  /** The name at an index below `length`. */
  key?(index: number): string | null
  readonly length?: number
}

/** The record of one purchase. */
export type PurchaseStore = {
  read(): Promise<PurchaseRecord | undefined>
  /** Keeps a record, in the place of what this book has read or written. */
  write(record: PurchaseRecord): Promise<void>
  /** Removes what this book has read or written; what another page wrote since stays. */
  remove(): Promise<void>
}

const inProcess = new Map<string, string>()
export const processStorage: PurchaseStorage = {
  getItem: (key) => inProcess.get(key),
  setItem: (key, value) => inProcess.set(key, value),
  removeItem: (key) => inProcess.delete(key),
  keys: () => [...inProcess.keys()],
}

/**
 * The book of one purchase in a storage; without one, in this process. Where there are no Web Locks, another page may write
 * at any moment: its record may stand for a redeem that was sent, so nothing is put in its place, and nothing takes it away.
 *
 * @param options.timeoutMs longest wait for one answer of the storage; what is asked after an abort is waited for a second at most
 * @param options.opaque whether nonces commit to nothing
 * @throws {@link PurchaseStorageError} when the storage fails, or holds something else
 */
export function purchaseStore(
  purchase: Purchase,
  storage: PurchaseStorage = processStorage,
  {
    timeoutMs = 120_000,
    signal,
    opaque,
  }: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined; opaque?: boolean | undefined } = {},
): PurchaseStore {
  const name = purchaseName(purchase)
  const own = new Set<string | undefined>()
  const use = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    const how = signal?.aborted ? { ms: Math.min(timeoutMs, 1_000) } : { ms: timeoutMs, signal }
    const onEnd = (why: 'aborted' | 'timeout') =>
      why === 'aborted' ? new RequestAbortedError({ sent: false }) : new Error('no answer')
    try {
      return await within((async () => work())(), { ...how, onEnd })
    } catch (cause) {
      if (cause instanceof RequestAbortedError) throw cause
      throw new PurchaseStorageError(`The storage could not ${what} ${name}.`, {
        field: 'storage',
        fix: 'Make room in the storage, or allow it, and call redeem again: it goes on where it stands.',
        cause,
      })
    }
  }
  const get = async () => (await use('read', () => storage.getItem(name))) ?? undefined
  return {
    read: async () => {
      const text = await get()
      own.add(text)
      return text === undefined ? undefined : parsePurchaseRecord(text, name, { opaque })
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
      // A storage that takes nothing, or another page that wrote at the same moment, is found out before anything is sent.
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
  new PurchaseStorageError(`The storage did not keep ${name}.`, {
    field: 'storage',
    fix: 'Another page may have begun this purchase: call redeem again, and it goes on where it stands.',
  })
