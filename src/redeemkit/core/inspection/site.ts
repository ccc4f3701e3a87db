import { showText } from '../errors/showText.ts'
import { type Finding, finding } from '../finding/finding.ts'
import { parseUrl, plainHost } from '../parseUrl.ts'

/** Host and port of an origin, as a sign-in message names its site; the text itself if it is not a URL. */
export const siteOf = (origin: string) => parseUrl(origin)?.host || origin

/** Whether a site uses plain http and is not on this machine: others on the network can change its page. */
function isInsecure(url: string): boolean {
  const { protocol, hostname = '' } = parseUrl(url) ?? {}
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Whether an origin is that of a web page. A sandboxed frame's is `null`, and a file or an extension has no host to compare. */
const isSite = (origin: string) => /^https?:$/.test(parseUrl(origin)?.protocol ?? '')

/** Whether a host is a subdomain of `of`, unless `of` is a bare top-level domain. */
const isSubdomain = (host: string, of: string) => host.endsWith(`.${of}`) && /[^.]\.[^.:]/.test(of)

/** A warning if the URI of a sign-in is on a subdomain of its site, or the other way round; `undefined` for any other URI. */
export function subdomainFinding(uri: string, site: string): Finding | undefined {
  const host = plainHost(uri)
  if (host === undefined || !(isSubdomain(host, site) || isSubdomain(site, host))) return undefined
  return finding(
    'warning',
    'SIGN_IN',
    `It signs in to ${showText(site)} at an address on ${showText(host)}.`,
    {
      field: 'message.uri',
      fix: 'Sign it only if both belong to the same site.',
    },
  )
}

/** Findings for a site that was not compared with a page, and for plain http. */
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
          ? `The site ${site} was not compared with the page that asks.`
          : `The page that asks has no address, so ${site} could not be compared with it.`,
        { field: 'message.domain', fix: 'Pass the origin that the browser reports.' },
      ),
    )
  return findings
}
