import type { PurchaseStorage } from 'redeemkit'

/** The required functions of `@react-native-async-storage/async-storage`. */
type AsyncStorage = {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
  getAllKeys(): Promise<readonly string[]>
}

/** Stores purchases on the phone, so that a restarted app can resume an open payment. */
export function appStorage(storage: AsyncStorage): PurchaseStorage {
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: () => storage.getAllKeys(), // lists open payments
  }
}
