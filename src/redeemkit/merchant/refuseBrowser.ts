import { BaseError } from '../core/errors/baseError.ts'

/**
 * Throws if code with a merchant's secrets is loaded where customers could read them: in a page, a browser's worker, or a React Native
 * app.
 *
 * The user agent of browsers and their workers begins with `Mozilla/`. That of Node, Deno, Bun and edge workers does not, even if they
 * define `self`, `window` or `WorkerGlobalScope`. jsdom and happy-dom simulate a browser in tests on a server.
 */
export function refuseBrowser(scope: refuseBrowser.Scope = globalThis): void {
  const { document, navigator } = scope
  const agent = String(navigator?.userAgent)
  const isBrowser = document !== undefined || /^Mozilla\//.test(agent)
  const isSimulated = /\b(?:jsdom|HappyDOM)\//.test(agent)
  if ((!isBrowser || isSimulated) && navigator?.product !== 'ReactNative') return
  throw new MerchantCodeInBrowserError('redeemkit/merchant was loaded in a front end.', {
    fix: 'Import it only on your server. API keys and webhook secrets must never reach a front end.',
    source: 'PROTOCOL.md 1.3',
  })
}

export declare namespace refuseBrowser {
  type Scope = {
    document?: unknown
    navigator?: { product?: string | undefined; userAgent?: string | undefined } | undefined
  }
}

/** Merchant server code was loaded in a front end. */
export class MerchantCodeInBrowserError extends BaseError {
  override readonly name = 'MerchantCodeInBrowserError'
}
