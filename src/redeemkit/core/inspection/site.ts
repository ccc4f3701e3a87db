import { showText } from '../errors/showText.ts'
import { type Finding, finding } from '../finding/finding.ts'
import { parseUrl, plainHost } from '../parseUrl.ts'

/** Returns the host and port, as sign-in messages name a site; the text itself if it is not a URL. */
export const siteOf = (origin: string) => parseUrl(origin)?.host || origin

/** Others on the network can change a page that uses plain http. Localhost is exempt. */
function isInsecure(url: string): boolean {
  const { protocol, hostname = '' } = parseUrl(url) ?? {}
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Sandboxed frames, files and extensions have no host to compare. */
const isSite = (origin: string) => /^https?:$/.test(parseUrl(origin)?.protocol ?? '')

/** Always false if `of` is a bare top-level domain. */
const isSubdomain = (host: string, of: string) => host.endsWith(`.${of}`) && /[^.]\.[^.:]/.test(of)

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
