import { clockSkewMs, isStandardNonce, maxLifeMs } from '../authMessage.ts'
import { type Clock, readClock } from '../clock.ts'
import { quoteText, showText, showValue } from '../errors/showValue.ts'
import { type Finding, finding } from '../finding/finding.ts'
import { credentialHours } from '../limits.ts'
import { plainHost } from '../parseUrl.ts'
import type { InspectionLine } from './inspection.ts'
import {
  readSignIn,
  type SignIn,
  siteFindings,
  siteOf,
  subdomainFinding,
  withPlainLines,
} from './signInText.ts'
import { addressValue, line, sentence, textValue, timeValue } from './values.ts'

/** In characters. A statement is shown in full, because the user agrees to all of it. A longer one gets a finding. */
const longestStatement = 4_000

export type TextTerms = {
  blockchain: 'Solana' | 'Stellar'
  address: string
  /** Names of the network in sign-in texts. If absent, the network is not compared. */
  networks: readonly string[] | undefined
  origin: string | undefined
  now: Clock | undefined
  /** Whether the text has exactly the layout of PROTOCOL.md 8. */
  isStrict: boolean
}

/** Quotes the text to sign on one line. The default does not truncate: that could hide terms that the user agrees to. */
export const shownText = (text: string, longest = text.length) =>
  textValue(quoteText(text.replace(/\r?\n/g, '↵'), longest))

export const signInSentence = (key: 'signIn' | 'signIn.challenge', { domain, address }: SignIn) =>
  sentence(key, { site: textValue(showText(domain)), account: addressValue(address) })

/** `signIn` has the fields of a sign-in message; `undefined` for other text. */
export function judgeText(
  text: string,
  terms: TextTerms,
): { signIn: SignIn | undefined; findings: Finding[] } {
  const signIn = readSignIn(text, terms.blockchain)
  if (signIn !== undefined) return { signIn, findings: signInFindings(text, signIn, terms) }
  // Finds the phrase even with spaces or invisible characters in it.
  if (/wantsyoutosign/i.test(text.replace(/[^!-~]/g, '')))
    return {
      signIn,
      findings: [
        finding('danger', 'SIGN_IN', 'The text claims to be a sign-in message, but its format is invalid.', {
          field: 'message',
          fix: 'Do not sign it.',
        }),
      ],
    }
  return {
    signIn,
    findings: [
      ...(/[\p{C}\p{Zl}\p{Zp}]/u.test(withoutHarmless(text))
        ? [
            finding('warning', 'INVISIBLE_CHARACTERS', 'The text contains invisible characters.', {
              field: 'message',
              fix: 'Do not sign it: it looks different from its real content.',
            }),
          ]
        : []),
      plainTextFinding(),
    ],
  }
}

/** Replaces line breaks, tabs, and the joiners in emojis and in Persian or Hindi words. */
export const withoutHarmless = (text: string) => text.replace(/[\t\n\r]|\u200c|\u200d/g, ' ')

export const plainTextFinding = () =>
  finding(
    'warning',
    'PLAIN_TEXT',
    'The text is not a sign-in message, so the purpose of the signature is unknown.',
    { field: 'message', fix: 'Sign it only if you know who asked and why.' },
  )

function signInFindings(
  text: string,
  signIn: SignIn,
  { address, networks, origin, now, isStrict }: TextTerms,
): Finding[] {
  const { domain, fields, resources } = signIn
  const { URI: uri } = fields
  const findings: Finding[] = []
  const refuse = (field: string, message: string) =>
    findings.push(
      finding('danger', 'SIGN_IN', message, { field: `message.${field}`, fix: 'Do not sign it.' }),
    )
  // Without the page's origin, there is nothing to compare the site with, so it counts as equal.
  const site = (origin === undefined ? domain : siteOf(origin)).toLowerCase()
  if (signIn.address !== address) refuse('address', otherAccount(signIn.address, address))
  if (domain.toLowerCase() !== site) refuse('domain', otherSite(domain, site))
  if (uri !== undefined && plainHost(uri) !== site) {
    const subdomain = subdomainFinding(uri, site)
    if (subdomain !== undefined) findings.push(subdomain)
    else refuse('URI', otherPage(uri, site))
  }
  if (resources.some((resource) => /^urn:recap:/i.test(resource)))
    refuse('Resources', 'The sign-in also lets the site act for your account.')
  findings.push(...networkFindings(fields, networks))
  timeFindings(fields, readClock(now), { refuse, findings })
  if (fields.Nonce === undefined)
    findings.push(
      finding(
        'warning',
        'SIGN_IN',
        'The sign-in has no nonce, so its signature could be used more than once.',
        { field: 'message.Nonce', fix: 'Sign it only on a site that you trust.' },
      ),
    )
  else if (!isStandardNonce(fields.Nonce)) findings.push(unusualNonce(fields.Nonce))
  if (/[\p{C}\p{Z}]/u.test(withPlainLines(text).replace(/[ \n]/g, '')))
    findings.push(
      finding('danger', 'INVISIBLE_CHARACTERS', 'The text contains invisible characters.', {
        field: 'message',
        fix: 'Do not sign it: it looks different from its real content.',
      }),
    )
  else if (!isStrict && findings.length === 0) findings.push(unusualLayout())
  findings.push(...siteFindings(showText(domain), { origin, urls: uri === undefined ? [] : [uri] }))
  return findings
}

/** EIP-4361 requires at least 8 letters and digits. */
export const unusualNonce = (nonce: string) =>
  finding(
    'warning',
    'SIGN_IN',
    `The nonce ${showText(nonce, 80)} is unusual: it should have only letters and digits, at least 8.`,
    { field: 'message.nonce', fix: 'Sign it only on a site that you trust.' },
  )

export const unusualLayout = () =>
  finding('warning', 'SIGN_IN', 'The sign-in message does not have the usual format.', {
    field: 'message',
    fix: 'Sign it only on a site that you trust.',
  })

export const otherAccount = (named: string, address: string) =>
  `The sign-in is for the account ${named}, not for ${address}.`

export const otherSite = (named: string, site: string) =>
  `The sign-in is for ${showText(named)}, but ${siteText(site)} requests it.`

export const otherPage = (uri: string, site: string) =>
  `The sign-in is for the page ${showText(uri, 160)}, but ${siteText(site)} requests it.`

/** The origin of a sandboxed frame is `null`. */
const siteText = (site: string) => (site === 'null' ? 'a page without an address' : showText(site))

function networkFindings(fields: SignIn['fields'], networks: TextTerms['networks']): Finding[] {
  // the text may have both fields, and a service may read either
  const labels = (['Chain ID', 'Network'] as const).filter((label) => fields[label] !== undefined)
  const [label = 'Chain ID'] = labels
  // some libraries write `Chain ID: 1` or `solana:101`, which name no network of these chains
  const named = labels.filter((name) => !/^(?:solana:)?\d+$/.test(`${fields[name]}`))
  if (named.length === 0 || networks === undefined)
    return [
      finding('warning', 'UNPINNED_CHAIN', 'The network of the sign-in was not compared.', {
        field: `message.${label}`,
        fix: 'Sign it only on a site that you trust.',
      }),
    ]
  const wrong = named.find((name) => !networks.includes(`${fields[name]}`))
  if (wrong === undefined) return []
  return [
    finding(
      'danger',
      'SIGN_IN',
      `The sign-in is for the network ${showValue(fields[wrong])}, not for ${networks[0]}.`,
      {
        field: `message.${wrong}`,
        fix: 'Do not sign it.',
      },
    ),
  ]
}

function timeFindings(
  fields: SignIn['fields'],
  now: number,
  { refuse, findings }: { refuse: (field: string, message: string) => void; findings: Finding[] },
): void {
  const [issued, expires, start] = (['Issued At', 'Expiration Time', 'Not Before'] as const).map((name) => {
    const time = timeOf(fields[name])
    if (Number.isNaN(time)) refuse(name, `The sign-in has an invalid time: ${showText(fields[name] ?? '')}.`)
    return time
  })
  if (expires !== undefined && expires <= now) refuse('Expiration Time', 'The sign-in has expired.')
  else if (issued !== undefined && issued > now + clockSkewMs)
    refuse('Issued At', 'The sign-in was issued in the future.')
  else if (start !== undefined && start > now + clockSkewMs)
    refuse('Not Before', 'The sign-in is not valid yet.')
  else if (expires === undefined || expires > (issued ?? now) + maxLifeMs)
    findings.push(
      finding(
        'warning',
        'EXPIRES_TOO_LATE',
        expires === undefined
          ? 'The sign-in never expires.'
          : `The sign-in is valid for more than ${credentialHours} hours.`,
        { field: 'message.Expiration Time', fix: 'Sign it only if you trust the site for that long.' },
      ),
    )
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** `NaN` for text that is not a time. */
const timeOf = (text: string | undefined) =>
  text === undefined ? undefined : dateTime.test(text) ? Date.parse(text) : Number.NaN

export function signInLines(signIn: SignIn, now: bigint): InspectionLine[] {
  const { domain, address, statement, fields, resources } = signIn
  const shown = (key: 'page' | 'chain', text: string | undefined) =>
    text === undefined ? [] : [line(key, textValue(showText(text)))]
  const end = timeOf(fields['Expiration Time'])
  return [
    line('site', textValue(showText(domain))),
    ...shown('page', fields.URI),
    line('account', addressValue(address)),
    ...shown('chain', fields['Chain ID']),
    ...shown('chain', fields.Network),
    ...(statement === undefined
      ? []
      : [line('statement', textValue(quoteText(statement, longestStatement)))]),
    line(
      'until',
      timeValue(end === undefined || Number.isNaN(end) ? undefined : BigInt(Math.floor(end / 1000)), now),
    ),
    ...resources.map((resource) => line('resource', textValue(showText(resource, 160)))),
  ]
}
