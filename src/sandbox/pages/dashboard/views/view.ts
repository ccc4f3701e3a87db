import type { Child } from 'hono/jsx'
import type { Ask } from '../actions.ts'

export type View = {
  /** Path below `/dashboard`; empty for the first page. Segments that start with a colon are parameters passed to `draw`. */
  path: string
  /** Name in the navigation. A page without a name is linked from other pages. */
  name: string | undefined
  /** Default: the name. */
  title?: string
  /** Path of the parent page. */
  within?: string
  draw: (context: ViewContext) => Promise<Child>
}

export type ViewContext = {
  ask: Ask
  merchantId: string
  /** Hidden field that proves that a form comes from this dashboard. */
  token: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  walletHeaders: (customer: { blockchain: string; address: string }) => Readonly<Record<string, string>>
  accounts: Readonly<Record<string, string>>
}
