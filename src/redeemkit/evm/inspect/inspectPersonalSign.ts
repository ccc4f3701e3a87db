import { utf8Text } from '../../core/attempt.ts'
import { claimsSignIn, isStandardNonce, maxLifeMs } from '../../core/authMessage.ts'
import { unixSeconds } from '../../core/clock.ts'
import type { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection, createRefusal, refusedInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionDigests } from '../../core/inspection/inspection.ts'
import {
  otherAccount,
  otherPage,
  otherSite,
  plainTextFinding,
  unusualLayout,
  unusualNonce,
  withoutHarmless,
} from '../../core/inspection/judgeText.ts'
import { siteFindings, siteOf, subdomainFinding, withPlainLines } from '../../core/inspection/signInText.ts'
import {
  addressValue,
  chainValue,
  line,
  sentence,
  textValue,
  timeValue,
  titleOf,
} from '../../core/inspection/values.ts'
import { credentialHours } from '../../core/limits.ts'
import {
  hasChecksum,
  isStandardStatement,
  readSiweMessage,
  type SiweMessage,
  siweProblems,
} from '../authMessage/siweMessage.ts'
import { checkAddress } from '../checkAddress.ts'
import type { ReadContext } from '../creditPermit/inspectOptions.ts'
import { accountFindings, chainText, hasInvisible, invisibleFindings, quote, span } from '../findingTexts.ts'
import { isHex } from '../values.ts'
import { hashMessage, hexToBytes } from '../viem.ts'
import { isAddress } from './otherTypedData.ts'

/** The first parameter of `personal_sign` is the text, the second the account. Some wallets also accept them swapped. */
export function inspectPersonalSign(
  [data, account]: readonly unknown[],
  context: ReadContext,
): Inspection<inspectPersonalSign.Details> {
  if (isAddress(data) && !isAddress(account))
    return refusedInspection([
      finding(
        'danger',
        'SWAPPED_PARAMETERS',
        `Account and text are swapped: the text is ${showValue(data)}.`,
        { field: 'params', fix: 'Do not sign it. A page must pass the text first, then the account.' },
      ),
    ])
  if (typeof data !== 'string') throw new TypeError('no text')
  const text = readText(data)
  const refuse = (code: 'RAW_TRANSACTION' | 'BARE_HASH', message: string) =>
    refusedInspection([
      finding('danger', code, message, {
        field: 'message',
        fix: 'Do not sign it. Only text and typed data may be signed.',
      }),
      ...accountFindings(account, context),
    ])
  if (isRawTransaction(data) || isRawTransaction(text))
    return refuse('RAW_TRANSACTION', 'Asks you to sign raw bytes that look like an Ethereum transaction.')
  if (isBareHash(data, text))
    return refuse('BARE_HASH', 'The text is 32 bytes that cannot be read, such as the hash of a transaction.')
  // wallets sign the bytes of a hex string, even if these are not UTF-8
  const digests = () => ({ eip191: hashMessage(isHex(data) ? { raw: data } : data) })
  return claimsSignIn(text)
    ? inspectSignIn(text, { asked: account, digests }, context)
    : inspectPlainText(text, {
        isBytes: isHex(data) && text === data,
        digests,
        requestFindings: accountFindings(account, context),
      })
}

export declare namespace inspectPersonalSign {
  type Details = { message: SiweMessage } | { text: string } | undefined
}

/** Whether text looks like a transaction: an RLP list of at least 6 fields, with or without a type byte (EIP-2718). */
function isRawTransaction(text: string): boolean {
  if (/^0x0[1-4]f[89a][0-9a-f]*$/i.test(text.trim())) return true
  const [, digits = ''] = /^(?:0x)?(?:0[1-9a-f])?([c-f][0-9a-f]+)$/i.exec(text.trim()) ?? []
  const [start, end] = rlpItem(digits, 0)
  if (digits === '' || end !== digits.length) return false
  let fields = 0
  for (let at = start; at < end; fields++) [, at] = rlpItem(digits, at)
  return fields >= 6
}

/** Returns the start and end of an RLP item's content, as offsets in hex digits. */
function rlpItem(digits: string, at: number): [start: number, end: number] {
  const first = Number.parseInt(digits.slice(at, at + 2), 16)
  if (!(first >= 0x80)) return [at, at + 2]
  const base = first - (first < 0xc0 ? 0x80 : 0xc0)
  if (base <= 55) return [at + 2, at + 2 + 2 * base]
  const start = at + 2 + 2 * (base - 55)
  return [start, start + 2 * Number.parseInt(digits.slice(at + 2, start), 16)]
}

/** Whether text is a bare 32-byte hash. Some wallets also accept hex without 0x, with 0X, or without its leading zero. */
function isBareHash(data: string, text: string): boolean {
  const [, digits = ''] = /^(?:0x)?([0-9a-f]{63,64})$/i.exec(data.trim()) ?? []
  return digits !== '' && (text === data || hasInvisible(withoutHarmless(text)))
}

function inspectPlainText(
  text: string,
  options: { isBytes: boolean; requestFindings: readonly Finding[]; digests: () => InspectionDigests },
): Inspection<inspectPersonalSign.Details> {
  const { isBytes, requestFindings, digests } = options
  const findings = [
    ...invisibleFindings(withoutHarmless(text), 'message', 'warning'),
    plainTextFinding(),
    ...requestFindings,
  ]
  const { title, lines } = titleOf(
    findings,
    sentence(isBytes ? 'bytes' : 'text', { text: shownText(text, 64) }),
  )
  return createInspection({
    kind: 'text',
    title,
    lines: [...lines, line('text', shownText(text))],
    findings,
    digests,
    details: { text },
  })
}

/** Returns text as a value on one line. By default, it is never shortened: a cut could hide terms that the user agrees to. */
function shownText(text: string, longest?: number) {
  const shown = text.replace(/\r?\n/g, ' ↵ ')
  return textValue(quote(shown, longest ?? shown.length))
}

/** Matches a line of a statement that a site's parser could read as a field. */
const fieldLine = /^(?:URI|Version|Chain ID|Nonce|Resources):|wants you to/m

function inspectSignIn(
  text: string,
  { asked, digests }: { asked: unknown; digests: () => InspectionDigests },
  context: ReadContext,
): Inspection<inspectPersonalSign.Details> {
  const plain = withPlainLines(text)
    // EIP-4361 requires two empty lines if there is no statement, but many sites write only one
    .replace(/^(.*\n.*\n\n)(?=URI: .*\nVersion: )/, '$1\n')
    // some sites write a statement of several lines
    .replace(/^(.*\n.*\n\n)([^\n][\s\S]*?)(?=\n\nURI: )/, (all, head: string, statement: string) =>
      fieldLine.test(statement) ? all : head + statement.replace(/\n+/g, ' ↵ '),
    )
  let message: SiweMessage
  try {
    message = readSiweMessage(plain)
  } catch (error) {
    return createRefusal(error, 'MALFORMED', { kind: 'signIn', lines: [line('text', shownText(text))] })
  }
  const { address, origin } = context
  const site = origin === undefined ? undefined : siteOf(origin)
  const unusual = keyUriFinding(message.uri) ?? (site && subdomainFinding(message.uri, site))
  const problems = siweProblems(message, {
    address: address === undefined ? undefined : checkAddress(address, 'address'),
    chainId: context.chainId,
    domains: site === undefined ? undefined : [site],
    now: context.now,
    // other sites may allow longer sessions than the payments service
    isLifetimeFree: true,
  }).map((error) => signInProblem(error, message, { address, chainId: context.chainId, site }))
  const findings = unusual ? [...problems.filter(({ field }) => field !== 'message.uri'), unusual] : problems
  const isUsual = plain === text
  findings.push(...lifetimeFindings(message), ...statementFindings(message, isUsual))
  if (!isUsual) findings.push(unusualLayout())
  if (!isStandardNonce(message.nonce)) findings.push(unusualNonce(message.nonce))
  if (!hasChecksum(plain, message))
    findings.push(
      finding('warning', 'ADDRESS_CHECKSUM', 'The sign-in message has your address without its checksum.', {
        field: 'message.address',
        fix: 'Check that the whole address is yours. A site that requires the checksum rejects the signature.',
      }),
    )
  const [resource] = message.resources.filter((uri) => !/^(?:https?|urn:recap):/i.test(uri))
  if (resource !== undefined)
    findings.push(
      finding(
        'warning',
        'NOT_COMPARED',
        `The rights that ${quote(resource)} gives the site were not checked.`,
        { field: 'message.resources', fix: 'Sign it only if you know how the site will use it.' },
      ),
    )
  const urls = [message.uri, `${message.scheme ?? 'https'}://${message.domain}`]
  findings.push(...siteFindings(quote(message.domain), { origin, urls }))
  findings.push(...accountFindings(asked, { signer: message.address, address }))
  const { domain, statement, uri, chainId, expirationTime, resources } = message
  const account = addressValue(message.address)
  const { title, lines } = titleOf(
    findings,
    sentence('signIn', { site: textValue(quote(domain, 255)), account }),
  )
  const seconds = expirationTime === undefined ? undefined : BigInt(Math.floor(expirationTime / 1000))
  return createInspection({
    kind: 'signIn',
    title,
    lines: [
      ...lines,
      line('site', textValue(quote(domain, 255))),
      line('page', textValue(quote(uri, 160))),
      line('account', account),
      line('chain', chainValue(chainId)),
      ...(statement === undefined
        ? []
        : [
            // never shortened, because the user agrees to all of it
            line('statement', textValue(quote(statement, statement.length))),
          ]),
      line('until', timeValue(seconds, unixSeconds(context.now))),
      ...resources.map((resource) => line('resource', textValue(quote(resource, 160)))),
    ],
    findings,
    digests,
    details: { message },
  })
}

/** Returns a warning if the URI of a sign-in is a key that may act for the account at the site (CAIP-74), instead of a page. */
const keyUriFinding = (uri: string): Finding | undefined =>
  uri.startsWith('did:')
    ? finding('warning', 'SIGN_IN', `The sign-in lets the key ${quote(uri)} act for you.`, {
        field: 'message.uri',
        fix: 'Sign it only on a site that you trust.',
      })
    : undefined

/** Returns a finding if the message never expires or expires late: anyone with the signature can use it until then. */
function lifetimeFindings({ issuedAt, expirationTime }: SiweMessage): Finding[] {
  if (expirationTime !== undefined && expirationTime <= issuedAt + maxLifeMs) return []
  const life =
    expirationTime === undefined
      ? 'The sign-in never expires.'
      : `The sign-in is valid for ${span(BigInt(Math.floor((expirationTime - issuedAt) / 1000)) + 3599n)}; at most ${credentialHours} hours is usual.`
  return [
    finding('warning', 'EXPIRES_TOO_LATE', life, {
      field: 'message.expirationTime',
      fix: 'Sign it only if you trust the site for that long.',
    }),
  ]
}

/** Returns findings for characters that EIP-4361 forbids in a statement. Invisible characters are a danger, other characters a warning. */
function statementFindings({ statement }: SiweMessage, isUsual: boolean): Finding[] {
  const field = 'message.statement'
  if (statement === undefined || isStandardStatement(statement)) return []
  return [
    ...invisibleFindings(statement, field),
    finding(
      'warning',
      'STATEMENT_CHARACTERS',
      `The statement ${quote(statement)} has characters that EIP-4361 does not allow.${isUsual ? ' The rest of the message is well-formed.' : ''}`,
      { field, fix: 'Read the statement carefully. A strict site rejects the signature.' },
    ),
  ]
}

function readText(data: string): string {
  // bytes that are not UTF-8 are shown as hex
  return isHex(data) ? (utf8Text(hexToBytes(data)) ?? data) : data
}

/** Converts the error of a sign-in check into a finding for the user, because the error's own message is for dApp developers. */
function signInProblem(
  { shortMessage, field, fix = 'Do not sign it.' }: BaseError,
  message: SiweMessage,
  known: { address?: string | undefined; chainId?: number | undefined; site?: string | undefined },
): Finding {
  const { address = '', chainId = 0, site = '' } = known
  const sentences: Readonly<Record<string, string>> = {
    'message.address': otherAccount(message.address, address),
    'message.chainId': `The sign-in is for ${chainText(message.chainId)}, but your wallet is on ${chainText(chainId)}.`,
    'message.domain': otherSite(message.domain, site),
    ...(site !== '' && { 'message.uri': otherPage(message.uri, site) }),
  }
  const text = sentences[field ?? ''] ?? shortMessage
  // only a warning: many sites always name the same chain, and an EOA's signature is valid on every chain
  return field === 'message.chainId'
    ? finding('warning', 'SIGN_IN', text, {
        field,
        fix: 'Sign it only if you want to sign in on that chain.',
      })
    : finding('danger', 'SIGN_IN', text, { field, fix })
}
