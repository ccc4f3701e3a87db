import type { PurchaseStorage } from '../../redeem/purchase/purchaseStorage.ts'
import type { Redeemkit } from './createRedeemkit.ts'

/**
 * Where the kit keeps purchases; `undefined` stands for this process. The page's storage is looked for when it is needed: on a
 * server there is none, and a page may be denied it.
 */
export function storageOf({ storage }: Redeemkit): PurchaseStorage | undefined {
  if (storage !== undefined) return storage ?? undefined
  return globalThis.document === undefined ? undefined : pageStorage
}

/** One that a page is denied says so when it is asked, and redeem says what that means. */
const pageStorage: PurchaseStorage = {
  getItem: (key) => globalThis.localStorage.getItem(key),
  setItem: (key, value) => globalThis.localStorage.setItem(key, value),
  removeItem: (key) => globalThis.localStorage.removeItem(key),
  keys: () =>
    Array.from({ length: globalThis.localStorage.length }, (_, at) => globalThis.localStorage.key(at) ?? ''),
}
