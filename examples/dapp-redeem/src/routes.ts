import { useMemo, useSyncExternalStore } from 'react'

/** The URL contains the order of a purchase, so that a reload resumes it. */
export type Route =
  | { page: 'moths' }
  | { page: 'moth'; slug: string; orderId: string | undefined }
  | { page: 'cabinet' }
  | { page: 'bills' }
  | { page: 'bill'; number: string }
  | { page: 'credits' }
  | { page: 'society' }
  | { page: 'unknown' }

export function parseRoute(hash: string): Route {
  const [page = '', first, second] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  if (page === '') return { page: 'moths' }
  if (page === 'moth' && first !== undefined) return { page, slug: first, orderId: second }
  if (page === 'bill' && first !== undefined) return { page, number: first }
  if (page === 'cabinet' || page === 'bills' || page === 'credits' || page === 'society') return { page }
  return { page: 'unknown' }
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'moth':
      return `#/moth/${route.slug}${route.orderId === undefined ? '' : `/${route.orderId}`}`
    case 'bill':
      return `#/bill/${route.number}`
    case 'moths':
    case 'unknown':
      return '#/'
    default:
      return `#/${route.page}`
  }
}

/** A URL that a visitor typed may contain an invalid `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

/** Changes the URL without a history entry, so that the back button leaves the page. */
export function replaceAddress(href: string): void {
  window.history.replaceState(null, '', href)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}
