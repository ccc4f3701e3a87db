/**
 * The id of a purchase that the page has no name of its own for: kept in this tab until it is paid, so that a reload goes on with the
 * same one. The page keeps it, because browsers refuse storage to frames of other sites.
 *
 * @param what the service, the merchant and what is bought
 */
export function keptPurchaseId(what: string): { id: string; forget: () => void } {
  const name = `card-form ${what}`
  const kept = storage()?.getItem(name) ?? newId()
  try {
    storage()?.setItem(name, kept)
  } catch {
    // A full storage keeps nothing: a reload begins another purchase.
  }
  return { id: kept, forget: () => storage()?.removeItem(name) }
}

/** Undefined where the browser refuses it. */
function storage(): Storage | undefined {
  try {
    return window.sessionStorage
  } catch {
    return undefined
  }
}

/** As hard to guess as a UUID, which pages without https cannot ask for. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
