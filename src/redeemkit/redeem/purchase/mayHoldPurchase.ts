export const purchasePrefix = 'redeemkit.purchase.'

/** Returns true if the storage cannot list its keys. */
export async function mayHoldPurchase(storage: mayHoldPurchase.Storage | undefined): Promise<boolean> {
  if (typeof storage?.keys !== 'function') return true
  try {
    return [...(await storage.keys())].some((name) => name.startsWith(purchasePrefix))
  } catch {
    // The function that reads the purchases reports the failure.
    return true
  }
}

export declare namespace mayHoldPurchase {
  type Storage = { readonly keys?: (() => Iterable<string> | Promise<Iterable<string>>) | undefined }
}
