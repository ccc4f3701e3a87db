/**
 * The id of a purchase that the page has no name of its own for: kept in this tab until it is paid, so that a reload goes on with the
 * same one. The page keeps it, because browsers refuse storage to frames of other sites.
 *
 * @param what the service, the merchant and what is bought
 * @param begin the id of a purchase that is not known yet. Default: a new one
 */
export function keptPurchaseId(what: string, begin = newId): { id: string; forget: () => void } {
  const name = `card-form ${what}`
  const id = storage()?.getItem(name) ?? ofThisPage.get(name) ?? begin()
  ofThisPage.set(name, id)
  try {
    storage()?.setItem(name, id)
  } catch {
    // A full storage keeps nothing: a reload begins another purchase.
  }
  return {
    id,
    forget: () => {
      ofThisPage.delete(name)
      storage()?.removeItem(name)
    },
  }
}

/** For where the browser keeps nothing: until a reload it is the same purchase. */
const ofThisPage = new Map<string, string>()

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
