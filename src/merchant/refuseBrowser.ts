import { BaseError } from '../core/errors/baseError.ts'

/**
 * Ends the loading of code that holds a merchant's secrets where customers could read them.
 *
 * @param scope what tells a page from a server: tests give their own
 * @throws {@link MerchantCodeInBrowserError} in a page, and in an app of React Native
 */
export function refuseBrowser(scope: refuseBrowser.Scope = globalThis): void {
  // Workers of servers at the edge have `self` and `navigator`; a document has a page only.
  if (scope.document === undefined && scope.navigator?.product !== 'ReactNative') return
  throw new MerchantCodeInBrowserError('redeemkit/merchant was loaded in a front end.', {
    fix: 'Import it in code of your server only: API keys and webhook secrets never reach a front end.',
    docs: 'PROTOCOL.md 1.3',
  })
}

export declare namespace refuseBrowser {
  type Scope = { document?: unknown; navigator?: { product?: string | undefined } | undefined }
  type ErrorType = MerchantCodeInBrowserError
}

/** Code for a merchant's server that runs where customers are. */
export class MerchantCodeInBrowserError extends BaseError {
  override readonly name = 'MerchantCodeInBrowserError'
}
