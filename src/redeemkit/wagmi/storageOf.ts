import type { PurchaseStorage } from '../redeem/purchase/purchaseStorage.ts'
import type { Redeemkit } from './kit.ts'

/** Returns the kit's purchase storage; `undefined` means memory. Evaluated on each call: on a server there is no page storage. */
export function storageOf({ storage }: Redeemkit): PurchaseStorage | undefined {
  if (storage !== undefined) return storage ?? undefined
  return globalThis.document === undefined ? undefined : pageStorage
}

/** The browser may deny a page its storage; redeem then reports the error. */
const pageStorage: PurchaseStorage = {
  getItem: (key) => globalThis.localStorage.getItem(key),
  setItem: (key, value) => globalThis.localStorage.setItem(key, value),
  removeItem: (key) => globalThis.localStorage.removeItem(key),
  keys: () =>
    Array.from({ length: globalThis.localStorage.length }, (_, at) => globalThis.localStorage.key(at) ?? ''),
}
