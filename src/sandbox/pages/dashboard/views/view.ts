import type { Child } from 'hono/jsx'
import type { Ask } from '../actions.ts'

/** A page of the dashboard. */
export type View = {
  /** Below `/dashboard`; the first page's is empty. Segments that begin with a colon are given to `draw`. */
  path: string
  /** Name in the navigation; a page without one is reached by links. */
  name: string | undefined
  /** Default: the name. */
  title?: string
  /** Path of the page that leads to this one. */
  within?: string
  draw: (context: ViewContext) => Promise<Child>
}

export type ViewContext = {
  ask: Ask
  merchantId: string
  /** What proves that a form comes from this page: a hidden field of each. */
  token: string
  /** Segments of the address, by their names in `path`. */
  params: Readonly<Record<string, string>>
  /** What stands after the question mark. */
  query: URLSearchParams
  /** The headers that name a customer to the service. */
  walletHeaders: (customer: { blockchain: string; address: string }) => Readonly<Record<string, string>>
  /** The sandbox's people, by name. */
  people: Readonly<Record<string, string>>
}
