import { type Finding, finding } from '../finding/finding.ts'
import { parseUrl } from '../parseUrl.ts'

/** Host and port of an origin, as a sign-in message names its site; the text itself if it is no URL. */
export const siteOf = (origin: string) => parseUrl(origin)?.host || origin

/** Whether a site asks over plain http, which others on the network can change, and not from this machine. */
function isInsecure(url: string): boolean {
  const { protocol, hostname = '' } = parseUrl(url) ?? {}
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Whether an origin is that of a web page. A sandboxed frame's is `null`, and a file or an extension has no host to compare. */
const isSite = (origin: string) => /^https?:$/.test(parseUrl(origin)?.protocol ?? '')

/** Findings about the site of a sign-in message: one that was compared with no page, and plain http. */
export function siteFindings(
  site: string,
  { origin, urls }: { origin: string | undefined; urls: readonly string[] },
): Finding[] {
  const findings: Finding[] = []
  if ([...urls, origin ?? ''].some(isInsecure))
    findings.push(
      finding('warning', 'INSECURE_SITE', `The site ${site} asks over plain http.`, {
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
