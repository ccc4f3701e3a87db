import type { Child } from 'hono/jsx'
import type { Ask } from '../actions.ts'

export type View = {
  /** Below `/dashboard`; empty for the first page. Segments that start with a colon are passed to `draw`. */
  path: string
  /** Name in the navigation; pages without one are linked from others. */
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
  /** Proves that a form comes from this page: a hidden field. */
  token: string
  /** Path segments by their names in `path`. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  walletHeaders: (customer: { blockchain: string; address: string }) => Readonly<Record<string, string>>
  accounts: Readonly<Record<string, string>>
}
