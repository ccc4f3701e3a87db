import { showText } from '../errors/showText.ts'
import { type Finding, finding } from '../finding/finding.ts'
import { parseUrl, plainHost } from '../parseUrl.ts'

/** Returns the host and port of an origin, as sign-in messages name a site; the text itself if it is not a URL. */
export const siteOf = (origin: string) => parseUrl(origin)?.host || origin

/** Whether a site other than localhost uses plain http, so that others on the network can change its page. */
function isInsecure(url: string): boolean {
  const { protocol, hostname = '' } = parseUrl(url) ?? {}
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Whether an origin is that of a web page. Sandboxed frames, files and extensions have no host to compare. */
const isSite = (origin: string) => /^https?:$/.test(parseUrl(origin)?.protocol ?? '')

/** Whether a host is a subdomain of `of`. Always false if `of` is a bare top-level domain. */
const isSubdomain = (host: string, of: string) => host.endsWith(`.${of}`) && /[^.]\.[^.:]/.test(of)

/** Returns a warning if the URI of a sign-in is on a subdomain or a parent domain of its site; `undefined` for any other URI. */
export function subdomainFinding(uri: string, site: string): Finding | undefined {
  const host = plainHost(uri)
  if (host === undefined || !(isSubdomain(host, site) || isSubdomain(site, host))) return undefined
  return finding(
    'warning',
    'SIGN_IN',
    `The sign-in is for ${showText(site)}, but its page is on ${showText(host)}.`,
    {
      field: 'message.uri',
      fix: 'Sign it only if both belong to the same site.',
    },
  )
}

/** Returns findings for a site that was not compared with the page, and for plain http. */
export function siteFindings(
  site: string,
  { origin, urls }: { origin: string | undefined; urls: readonly string[] },
): Finding[] {
  const findings: Finding[] = []
  if ([...urls, origin ?? ''].some(isInsecure))
    findings.push(
      finding('warning', 'INSECURE_SITE', `The site ${site} uses plain http.`, {
        field: 'message.uri',
        fix: 'Others on the network can change this page. Use https.',
      }),
    )
  if (origin === undefined || !isSite(origin))
    findings.push(
      finding(
        'warning',
        'UNCHECKED_SITE',
        origin === undefined
          ? `The site ${site} was not compared with the requesting page.`
          : `The requesting page has no address, so ${site} could not be compared with it.`,
        { field: 'message.domain', fix: 'Pass the origin that the browser reports.' },
      ),
    )
  return findings
}
