import { BaseError } from '../core/errors/baseError.ts'

/**
 * Ends the loading of code that holds a merchant's secrets where customers could read them.
 *
 * Browsers call themselves `Mozilla/…`, in pages and in their workers alike; Node, Deno, Bun and workers at the edge go by their own
 * names, or by none, whatever else they have (`self`, `window`, `WorkerGlobalScope`). A page that jsdom or happy-dom plays is a test on
 * a server.
 *
 * @param scope what tells a browser from a server: tests give their own
 * @throws {@link MerchantCodeInBrowserError} in a page, in a browser's worker, and in an app of React Native
 */
export function refuseBrowser(scope: refuseBrowser.Scope = globalThis): void {
  const { document, navigator } = scope
  const agent = String(navigator?.userAgent)
  const isBrowser = document !== undefined || /^Mozilla\//.test(agent)
  const isPlayed = /\b(?:jsdom|HappyDOM)\//.test(agent)
  if ((!isBrowser || isPlayed) && navigator?.product !== 'ReactNative') return
  throw new MerchantCodeInBrowserError('redeemkit/merchant was loaded in a front end.', {
    fix: 'Import it in code of your server only: API keys and webhook secrets never reach a front end.',
    docs: 'PROTOCOL.md 1.3',
  })
}

export declare namespace refuseBrowser {
  type Scope = {
    document?: unknown
    navigator?: { product?: string | undefined; userAgent?: string | undefined } | undefined
  }
  type ErrorType = MerchantCodeInBrowserError
}

/** Code for a merchant's server that runs where customers are. */
export class MerchantCodeInBrowserError extends BaseError {
  override readonly name = 'MerchantCodeInBrowserError'
}
