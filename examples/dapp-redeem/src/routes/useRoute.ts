import { useMemo, useSyncExternalStore } from 'react'
import { parseRoute, type Route } from './route.ts'

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/** Where the visitor is; renders again when they go elsewhere, forward or back. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

/** Changes the address without a step in the browser's history: the back button leaves the page as before. */
export function replaceAddress(href: string): void {
  window.history.replaceState(null, '', href)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}
