import { isOwnHost } from './isOwnHost.ts'
import { isOwnPage } from './isOwnPage.ts'

/**
 * Why a request to a local chain or a page of this machine is refused; undefined when it may be answered. The service asks the
 * same of its callers (`checkCaller`), but for wallets: one that is a browser extension asks a chain for its person, not for a page.
 *
 * @param request.host the request's `Host`: every server has one
 * @param request.origin its `Origin`; programs send none
 */
export function findRefusal(
  request: { host: string | null | undefined; origin: string | null | undefined },
  allowed: findRefusal.Options = {},
): string | undefined {
  const { host, origin } = request
  const { origins, hosts } = allowed
  if (!host || !isOwnHost(host, hosts)) return 'The Host header is not a name of this machine.'
  if (origin === undefined || origin === null || isOwnPage(origin, origins) || isExtension(origin))
    return undefined
  return 'Pages of other origins are not answered; name the origin in "allowedOrigins" to allow it.'
}

export declare namespace findRefusal {
  type Options = {
    /** Origins of pages that may ask beside those of this machine, such as `https://shop.example`. */
    origins?: readonly string[] | undefined
    /** Names, with or without a port, at which the server is reached beside those of this machine. */
    hosts?: readonly string[] | undefined
  }
  type ErrorType = never
}

function isExtension(origin: string): boolean {
  return /^(chrome|moz|safari-web)-extension:\/\//.test(origin)
}
