import { PurchaseStorageError } from '../errors.ts'
import { type Purchase, type PurchaseRecord, parsePurchaseRecord, purchaseName } from './purchaseRecord.ts'

/** Where purchases are kept: `localStorage` fits, and anything with these three functions, async ones too. */
export type PurchaseStorage = {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/** The record of one purchase. */
export type PurchaseBook = {
  read(): Promise<PurchaseRecord | undefined>
  /** Keeps a record; `over` is the salt that must be on record until then. */
  write(record: PurchaseRecord, over?: string): Promise<void>
  remove(): Promise<void>
}

const inProcess = new Map<string, string>()
const processStorage: PurchaseStorage = {
  getItem: (key) => inProcess.get(key),
  setItem: (key, value) => inProcess.set(key, value),
  removeItem: (key) => inProcess.delete(key),
}

/**
 * The book of one purchase in a storage; without one, in this process.
 *
 * @throws {@link PurchaseStorageError} when the storage fails, or holds something else; PurchaseMismatchError
 */
export function purchaseBook(purchase: Purchase, storage: PurchaseStorage = processStorage): PurchaseBook {
  const name = purchaseName(purchase)
  const use = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw new PurchaseStorageError(`The storage could not ${what} ${name}.`, {
        field: 'storage',
        fix: 'Make room in the storage, or allow it, and call redeem again: it goes on where it stands.',
        cause,
      })
    }
  }
  return {
    read: async () => {
      const text = await use('read', () => storage.getItem(name))
      return text === null || text === undefined ? undefined : parsePurchaseRecord(text, purchase)
    },
    write: async (record, over) => {
      const text = JSON.stringify(record)
      const held = over && (await use('read', () => storage.getItem(name)))
      if (over && !held?.includes(over)) throw lost(name)
      await use('write', () => storage.setItem(name, text))
      // A storage that takes nothing, or another page that wrote at the same moment, is found out before anything is sent.
      if ((await use('read', () => storage.getItem(name))) !== text) throw lost(name)
    },
    remove: async () => {
      await use('remove', () => storage.removeItem(name))
    },
  }
}

const lost = (name: string) =>
  new PurchaseStorageError(`The storage did not keep ${name}.`, {
    field: 'storage',
    fix: 'Another page may have begun this purchase: call redeem again, and it goes on where it stands.',
  })
