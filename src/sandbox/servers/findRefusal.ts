/**
 * Why a request to a server of this machine is refused; undefined when it may be answered.
 *
 * `Host` has to be a name of this machine: a foreign name that was pointed at it (DNS rebinding) makes a stranger's page
 * same-origin. `Origin`, which browsers send and pages cannot forge, has to be a page of this machine, or one that the
 * options name. Programs send none. A wallet that is a browser extension asks for its person, not for a page.
 *
 * @param request.host the request's `Host`
 * @param request.origin its `Origin`
 */
export function findRefusal(
  request: { host: string | null | undefined; origin: string | null | undefined },
  allowed: findRefusal.Options = {},
): string | undefined {
  const { host, origin } = request
  const { origins = [], hosts = [] } = allowed
  const name = host ? nameOf(`http://${host}`) : undefined
  if (name === undefined || !(isLocal(name) || hosts.includes(host ?? '') || hosts.includes(name)))
    return 'The Host header is not a name of this machine.'
  if (!origin || origins.includes(origin) || /^(chrome|moz|safari-web)-extension:\/\//.test(origin))
    return undefined
  const page = /^https?:/.test(origin) ? nameOf(origin) : undefined
  if (page !== undefined && isLocal(page)) return undefined
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

/** RFC 6761 6.3 gives `localhost` and every name under it to this machine. */
function isLocal(name: string): boolean {
  return /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name)
}

/** As a browser reads it: lower case, numbers of an IPv4 address in their usual form. */
function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
