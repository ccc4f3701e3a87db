import { showText } from '../errors/showValue.ts'
import { type Finding, finding } from '../finding/finding.ts'
import { parseUrl, plainHost } from '../parseUrl.ts'

/** A sign-in text in the layout of EIP-4361. As in Sign In With Solana, only site and account are required. */
export type SignIn = {
  domain: string
  address: string
  statement?: string
  fields: Readonly<Partial<Record<FieldLabel, string>>>
  resources: readonly string[]
}

type FieldLabel = (typeof labels)[number]

const labels = [
  'URI',
  'Version',
  'Chain ID',
  'Network',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
] as const

const siteLine =
  /^(?:https:\/\/)?([^\s/@?#\x7f-\uffff]+) wants you to sign in with your (Solana|Stellar) account:$/
const addressLine = /^[1-9A-Za-z]{32,56}$/

/** Some sites write Windows line breaks, or one at the end. Without the look-behind, a long text would take minutes. */
export const withPlainLines = (text: string) =>
  (/(^|[^\r])\n/.test(text) ? text : text.replaceAll('\r\n', '\n')).replace(/(?<!\n)\n+$/, '')

/** Returns `undefined` for text that is not a sign-in. `parseAuthMessage` is stricter, for the service's messages. */
export function readSignIn(text: string, blockchain: 'Solana' | 'Stellar'): SignIn | undefined {
  const [first = '', address = '', ...rest] = withPlainLines(text).split('\n')
  const [, domain, named] = siteLine.exec(first) ?? []
  if (domain === undefined || named !== blockchain || !addressLine.test(address) || text.length > 4096)
    return undefined
  const read = readRest(rest)
  return read && { domain, address, ...read }
}

/** A site's parser could read such a line as another part of the text. */
const partLine = new RegExp(`^(?:${labels.join('|')}|Resources):| wants you to sign in with your `)

function readRest(lines: readonly string[]): Omit<SignIn, 'domain' | 'address'> | undefined {
  if (lines.length === 0) return { fields: {}, resources: [] }
  if (lines[0] !== '') return undefined
  const hasStatement = lines[1] !== undefined && lines[1] !== '' && labelOf(lines[1]) === undefined
  if (!hasStatement) return readFields(lines.slice(lines[1] === '' ? 2 : 1))
  // Some sites write a statement of several lines.
  const next = lines.findIndex((line, index) => (index > 1 ? partLine : siteLine).test(line))
  const end = next === -1 ? lines.length : next - 1
  const read = next === -1 || lines[end] === '' ? readFields(lines.slice(end + 1)) : undefined
  return read && { ...read, statement: lines.slice(1, end).join('↵') }
}

const labelOf = (line: string) =>
  line === 'Resources:' ? line : labels.find((label) => line.startsWith(`${label}: `))

function readFields(lines: readonly string[]): Pick<SignIn, 'fields' | 'resources'> | undefined {
  const end = lines.indexOf('Resources:')
  const fields: Partial<Record<FieldLabel, string>> = {}
  for (const line of end === -1 ? lines : lines.slice(0, end)) {
    const label = labels.find((label) => line.startsWith(`${label}: `))
    if (label === undefined || fields[label] !== undefined) return undefined
    fields[label] = line.slice(label.length + 2)
  }
  const resources = end === -1 ? [] : lines.slice(end + 1)
  if (!resources.every((line) => line.startsWith('- '))) return undefined
  return { fields, resources: resources.map((line) => line.slice(2)) }
}

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
    { field: 'message.uri', fix: 'Sign it only if both belong to the same site.' },
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
