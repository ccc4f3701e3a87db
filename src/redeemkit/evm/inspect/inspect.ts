import type { Hex } from 'viem'
import { utf8Text } from '../../core/attempt.ts'
import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import { isStandardNonce } from '../../core/authMessage/isStandardNonce.ts'
import { maxLifeMs } from '../../core/authMessage/isWithinLifetime.ts'
import type { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection, createRefusal } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionDigests } from '../../core/inspection/inspection.ts'
import {
  otherAccount,
  otherPage,
  otherSite,
  unusualLayout,
  unusualNonce,
} from '../../core/inspection/judgeText.ts'
import { withPlainLines } from '../../core/inspection/readSignIn.ts'
import { siteFindings, siteOf, subdomainFinding } from '../../core/inspection/site.ts'
import {
  addressValue,
  chainValue,
  dangersOf,
  findingSentence,
  kindValue,
  line,
  refusal,
  sentence,
  sentenceValue,
  textValue,
  timeValue,
  titleOf,
} from '../../core/inspection/values.ts'
import { credentialHours } from '../../core/limits.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { siweProblems } from '../authMessage/checkSiweMessage.ts'
import {
  hasChecksum,
  isStandardStatement,
  readSiweMessage,
  type SiweMessage,
} from '../authMessage/parseSiweMessage.ts'
import { checkAddress } from '../checkAddress.ts'
import { cancelCreditPermitTypes } from '../creditPermit/cancelCreditPermit.ts'
import { creditPermitTypes, readPermit } from '../creditPermit/creditPermit.ts'
import { redeemIntentMethod } from '../creditPermit/disclosedIntent.ts'
import {
  domainFindings,
  type inspectCreditPermit,
  judgeCreditPermit,
  walletFindings,
} from '../creditPermit/inspectCreditPermit.ts'
import {
  type InspectContext,
  type ReadContext,
  readInspectContext,
  withIntentError,
} from '../creditPermit/inspectOptions.ts'
import { pinFor } from '../creditPermit/pinFor.ts'
import { differsFindings, readPurchase } from '../creditPermit/purchase.ts'
import {
  layoutProblem,
  parseTypedData,
  readTypedData,
  UnknownTypedDataError,
} from '../eip712/readTypedData.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { typedDataDigests } from '../eip712/typedDataDigests.ts'
import { accountFindings, chainText, hasInvisible, invisibleFindings, quote, span } from '../findingTexts.ts'
import { readOwnField, readPlainData } from '../plainData.ts'
import { cancelUsdcAuthorizationTypes } from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import {
  type inspectUsdcAuthorization,
  judgeUsdcAuthorization,
  usdcDomainFindings,
} from '../usdcAuthorization/inspectUsdcAuthorization.ts'
import { readAuthorization } from '../usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import { checkAuthorizationType, usdcAuthorizationTypes } from '../usdcAuthorization/usdcAuthorization.ts'
import { checkHex, checkRecord, InvalidTextError } from '../values.ts'
import { hashMessage, hexToBytes } from '../viem.ts'
import { inspectCalls, inspectTransaction } from './inspectTransaction.ts'
import { isAddress, linesOf, type OtherTypedData, readOtherTypedData } from './otherTypedData.ts'
import { describeSignedCall } from './signedCall.ts'
import { judgeNftPermit, judgeTokenPermit, readTokenPermit } from './tokenPermit.ts'
import { namedAddress, walletChainFindings } from './tokenTexts.ts'

/** The known typed data, by primary type. */
const layouts = {
  CreditsAuthorization: creditPermitTypes.CreditsAuthorization,
  CancelCreditsAuthorization: cancelCreditPermitTypes.CancelCreditsAuthorization,
  TransferWithAuthorization: usdcAuthorizationTypes.TransferWithAuthorization.TransferWithAuthorization,
  ReceiveWithAuthorization: usdcAuthorizationTypes.ReceiveWithAuthorization.ReceiveWithAuthorization,
  CancelAuthorization: cancelUsdcAuthorizationTypes.CancelAuthorization,
} as const

/**
 * Describes a request to an EVM wallet, and lists what is wrong with it.
 *
 * Knows credit permits, USDC authorizations, the cancellations of both and token permits (`eth_signTypedData_v4`), sign-in texts
 * (`personal_sign`), and the transfers and approvals of transactions (`eth_sendTransaction`, `wallet_sendCalls`). Everything else
 * comes back with kind `unknown`. Never throws.
 *
 * The verdict is `ok` only when all of it was compared. A redeem needs the purchase that the page disclosed (`intent`), and one
 * pinned entry that ties its contract, credit seed, merchant, receiver and page together (PROTOCOL.md 4.7).
 *
 * @param request as a wallet receives it: `{ method, params }` (EIP-1193)
 * @param context what the wallet knows: page, account, chain, pinned shops, the disclosed purchase
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/evm'
 * inspect({ method: 'personal_sign', params: ['hello', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] }).verdict // 'caution'
 * ```
 */
export function inspect(request: inspect.Request, context: InspectContext = {}): Inspection<inspect.Details> {
  let held: ReadContext
  try {
    held = readInspectContext(context)
  } catch (error) {
    return createRefusal(error, 'INVALID_EXPECTATION')
  }
  try {
    return inspectRequest(request, held)
  } catch (error) {
    return createRefusal(error, 'MALFORMED')
  }
}

export declare namespace inspect {
  type Request = { method: string; params?: unknown }
  type Context = InspectContext
  type Details =
    | inspectCreditPermit.Details
    | inspectUsdcAuthorization.Details
    | { domain: TypedDataDomain; message: Readonly<Record<string, unknown>> }
    | { domain: OtherTypedData['domain']; message: Readonly<Record<string, unknown>> }
    | { message: SiweMessage }
    | { text: string }
    | { fields: readonly string[] }
    | undefined
}

function inspectRequest(request: inspect.Request, context: ReadContext): Inspection<inspect.Details> {
  const record = checkRecord(request, 'request')
  const method = readPlainData(readOwnField(record, 'method'), 'method')
  if (typeof method !== 'string') throw notText('method')
  const params = readPlainData(readOwnField(record, 'params'), 'params')
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  if (method === redeemIntentMethod)
    return inspectTypedData(list[1], list[0], withIntentError(context, list[2]))
  if (method === 'eth_signTypedData_v3') return inspectTypedData(list[1], list[0], context)
  if ((method === 'eth_sendTransaction' || method === 'eth_signTransaction') && list.length > 0)
    return inspectTransaction(list[0], context)
  if (method === 'wallet_sendCalls' && list.length > 0) return inspectCalls(list[0], context)
  if (method === 'personal_sign') return inspectPersonalSign(list, context)
  if (method === 'eth_sign' || method === 'eth_signTypedData')
    return refused([
      finding(
        'danger',
        'BLIND_SIGNATURE',
        method === 'eth_sign'
          ? 'It signs bytes that cannot be read: they can be a transaction.'
          : 'It signs typed data of version 1, which names no site and no contract: it could be used anywhere.',
        { field: 'method', fix: 'Use eth_signTypedData_v4 or personal_sign.' },
      ),
    ])
  if (method === 'wallet_signAuthorization' || method === 'eth_signAuthorization')
    return refused([
      finding('danger', 'ACCOUNT_DELEGATION', 'It would let other code act as your account (EIP-7702).', {
        field: 'method',
        fix: 'Do not sign it: a page must not ask for this.',
      }),
    ])
  return createInspection({
    kind: 'unknown',
    title: sentence('unknown.request', { method: textValue(showValue(method)) }),
    findings: [
      finding('warning', 'UNKNOWN_REQUEST', `The request ${showValue(method)} is unknown.`, {
        field: 'method',
        fix: 'Its effect was not checked: sign it only if you know from another source what it does.',
      }),
    ],
    details: undefined,
  })
}

function inspectTypedData(data: unknown, asked: unknown, context: ReadContext): Inspection<inspect.Details> {
  const record = checkRecord(typeof data === 'string' ? readTypedDataText(data) : data, 'message')
  if (typeof record.primaryType !== 'string') throw notText('primaryType')
  let read: ReturnType<typeof readTypedData>
  try {
    read = readTypedData(record, layouts, { hex: true })
  } catch (error) {
    if (error instanceof UnknownTypedDataError) return inspectOther(record, error, asked, context)
    throw error
  }
  const { domain, primaryType, message } = read
  const { address } = context
  const requestFindings = (signer: string) => [
    ...ownAccountFindings(domain.verifyingContract, asked, context),
    ...accountFindings(asked, { signer, address }),
  ]
  if (primaryType === 'CreditsAuthorization') {
    const permit = readPermit(message)
    return judgeCreditPermit({ domain, permit }, context, requestFindings(permit.customerWallet))
  }
  if (primaryType === 'CancelCreditsAuthorization' || primaryType === 'CancelAuthorization')
    return inspectCancellation(
      { domain, message, requestFindings, isCredits: primaryType !== 'CancelAuthorization' },
      context,
    )
  const authorization = readAuthorization(message)
  return judgeUsdcAuthorization(
    { domain, type: checkAuthorizationType(primaryType), authorization },
    context,
    requestFindings(authorization.from),
  )
}

const notText = (field: string) =>
  new InvalidTextError(`Malformed request: \`${field}\` must be text.`, { field })

/** Parsed text is plain data already, unless a key is `__proto__`, however it is written; and it may be too large. */
function readTypedDataText(text: string): unknown {
  const value = parseTypedData(text)
  return text.length > 10_000 || /proto|\\u/i.test(text) ? readPlainData(value, 'message') : value
}

/** Names of the known typed data. */
const names: Readonly<Record<keyof typeof layouts, string>> = {
  CreditsAuthorization: 'credit permit',
  CancelCreditsAuthorization: 'cancellation of a credit permit',
  TransferWithAuthorization: 'USDC authorization',
  ReceiveWithAuthorization: 'USDC authorization',
  CancelAuthorization: 'cancellation of a USDC authorization',
}

/** Typed data with a layout of its own: a permit to spend tokens, or fields to read. */
function inspectOther(
  record: Record<string, unknown>,
  error: UnknownTypedDataError,
  asked: unknown,
  context: ReadContext,
): Inspection<inspect.Details> {
  const primaryType = String(record.primaryType)
  const details = { fields: error.fields }
  if (primaryType === 'EIP712Domain' || Object.hasOwn(layouts, primaryType)) {
    const name = primaryType as keyof typeof layouts // a key of `layouts`, or without a name
    const message =
      names[name] === undefined
        ? 'It signs a domain and no message.'
        : `This is not a valid ${names[name]}: ${layoutProblem(record, primaryType, layouts[name])}.`
    return refused(
      [
        finding('danger', 'UNKNOWN_TYPED_DATA', message, {
          field: 'types',
          fix: error.fix ?? 'Do not sign it.',
        }),
        ...accountFindings(asked, context),
      ],
      details,
    )
  }
  const data = readOtherTypedData(record)
  const permit = readTokenPermit(data)
  const judged =
    permit === undefined ? judgeNftPermit(data, context) : judgeTokenPermit(permit, data, context)
  const { name, chainId, verifyingContract } = data.domain
  const call = describeSignedCall(data, { chainId, context })
  const findings = [
    ...(judged?.findings ?? [
      finding(
        'warning',
        'UNKNOWN_TYPED_DATA',
        `The type ${quote(primaryType)} of the typed data is unknown.`,
        {
          field: 'types',
          fix: 'Sign it only if you know from another source what it does.',
        },
      ),
    ]),
    ...(call?.findings ?? []),
    ...walletChainFindings(chainId, context, 'domain.chainId'),
    ...riskFindings(data, asked, context),
    ...accountFindings(asked, { signer: permit?.owner, address: context.address }),
  ]
  const own =
    judged?.title ??
    // other calls are a line: fields that are not known could change what they do
    (call?.title.key === 'call.delegate'
      ? call.title
      : sentence(name === undefined ? 'unknown.typedData' : 'unknown.typedDataFor', {
          type: textValue(quote(primaryType)),
          name: textValue(quote(name ?? '')),
        }))
  // an approval's own sentence says more than its finding
  const sentences = dangersOf(findings).map((one) =>
    one.code === 'UNLIMITED_APPROVAL' ? (call?.title ?? own) : findingSentence(one),
  )
  const { title, lines } = refusal(sentences.length > 0 ? sentences : [own])
  return createInspection({
    kind: judged === undefined ? 'unknown' : 'tokenPermit',
    title,
    lines: [
      ...lines,
      ...(verifyingContract === undefined
        ? []
        : [line('contract', namedAddress(verifyingContract, { chainId, context }))]),
      line('chain', chainId === undefined ? sentenceValue(sentence('chain.any')) : chainValue(chainId)),
      ...(call?.lines ?? []),
      ...(judged?.lines ?? linesOf(data)),
    ],
    findings,
    moves: call?.moves ?? [],
    grants: judged?.grants ?? call?.grants ?? [],
    digests: () => digestsOf({ ...record, domain: data.domainValues, message: data.message }),
    details: judged === undefined ? details : { domain: data.domain, message: data.message },
  })
}

/** Digests of typed data whose values were not all read here; none for values that cannot be hashed. */
function digestsOf(record: Record<string, unknown>): InspectionDigests {
  try {
    return typedDataDigests(record as Parameters<typeof typedDataDigests>[0]) // it throws for anything else
  } catch {
    return {}
  }
}

/** Typed data that no page must ask for. */
function riskFindings(
  { primaryType, message, hasDomain, domain }: OtherTypedData,
  asked: unknown,
  context: ReadContext,
): Finding[] {
  const findings: Finding[] = []
  const fix = 'Do not sign it.'
  if (primaryType === 'Delegation') {
    const { delegate, delegatee } = message
    const who = isAddress(delegate) ? delegate : delegatee
    findings.push(
      finding(
        'danger',
        'ACCOUNT_DELEGATION',
        `It lets ${isAddress(who) ? who : 'another account'} ${isAddress(delegate) ? 'act' : 'act or vote'} for your account.`,
        { field: 'primaryType', fix },
      ),
    )
  }
  if (!hasDomain)
    findings.push(
      finding(
        'danger',
        'MISSING_DOMAIN',
        'It does not declare its domain (`EIP712Domain`), so it could be used anywhere.',
        {
          field: 'types',
          fix,
        },
      ),
    )
  return [...findings, ...ownAccountFindings(domain.verifyingContract, asked, context)]
}

/** A contract that is the account itself: code of the account could take what is signed for it. */
function ownAccountFindings(
  contract: string | undefined,
  asked: unknown,
  { address }: ReadContext,
): Finding[] {
  const isOwn = [address, asked].some(
    (one) => isAddress(one) && one.toLowerCase() === contract?.toLowerCase(),
  )
  if (!isOwn) return []
  return [
    finding(
      'danger',
      'OWN_ACCOUNT',
      'Its contract is your own account: the signature could control the account.',
      { field: 'domain.verifyingContract', fix: 'Do not sign it.' },
    ),
  ]
}

function inspectCancellation(
  {
    domain,
    message,
    requestFindings,
    isCredits,
  }: {
    domain: TypedDataDomain
    message: Record<string, unknown>
    requestFindings: (signer: string) => Finding[]
    isCredits: boolean
  },
  context: ReadContext,
): Inspection<inspect.Details> {
  const walletField = isCredits ? 'customerWallet' : 'authorizer'
  const wallet = checkAddress(message[walletField], `message.${walletField}`)
  const nonce = checkHex(message.nonce, 'message.nonce', { bytes: 32 })
  const terms = pinFor(context, { chainId: domain.chainId, contract: domain.verifyingContract })
  const { purchase, findings: intentFindings } = readPurchase(terms, {
    chainId: domain.chainId,
    wallet,
    nonce,
  })
  const findings = [
    ...(isCredits
      ? domainFindings(domain, terms)
      : usdcDomainFindings(domain, terms, { isRedeem: purchase !== undefined })),
    ...intentFindings,
    // It cancels the given purchase.
    ...(purchase === undefined || terms.pin?.intentBound === false
      ? []
      : differsFindings('message.nonce', purchase.nonce, nonce)),
    ...walletFindings(wallet, terms, `message.${walletField}`),
    ...requestFindings(wallet),
  ]
  const kind = isCredits ? 'creditPermitCancel' : 'usdcAuthorizationCancel'
  const values = { [walletField]: wallet, nonce }
  const { verifyingContract: contract, chainId } = domain
  const { title, lines } = titleOf(findings, sentence(isCredits ? 'cancel.permit' : 'cancel.usdc'))
  return createInspection({
    kind,
    title,
    lines: [
      ...lines,
      line('request', kindValue(kind)),
      line('contract', namedAddress(contract, { chainId, context })),
      line('chain', chainValue(chainId)),
      line('account', addressValue(wallet)),
      line('nonce', textValue(nonce)),
    ],
    findings,
    digests: () =>
      typedDataDigests({
        domain,
        types: isCredits ? cancelCreditPermitTypes : cancelUsdcAuthorizationTypes,
        primaryType: isCredits ? 'CancelCreditsAuthorization' : 'CancelAuthorization',
        message: values,
      }),
    details: { domain, message: values },
  })
}

/** `personal_sign` takes the text first and the account second. Some wallets swap them back. */
function inspectPersonalSign(
  [data, account]: readonly unknown[],
  context: ReadContext,
): Inspection<inspect.Details> {
  if (isAddressText(data) && !isAddressText(account))
    return refused([
      finding('danger', 'SWAPPED_PARAMETERS', `The text is ${showValue(data)}, an account.`, {
        field: 'params',
        fix: 'Do not sign it: pass the text first, then the account.',
      }),
    ])
  if (typeof data !== 'string') throw new TypeError('no text')
  const text = readText(data)
  if (isRawTransaction(data) || isRawTransaction(text))
    return refused([
      finding(
        'danger',
        'RAW_TRANSACTION',
        'Asks you to sign raw bytes that look like an Ethereum transaction.',
        {
          field: 'message',
          fix: 'Do not sign it. Only text and typed data may be signed.',
        },
      ),
      ...accountFindings(account, context),
    ])
  if (isBareHash(data, text))
    return refused([
      finding('danger', 'BARE_HASH', 'It is 32 unreadable bytes, such as the hash of a transaction.', {
        field: 'message',
        fix: 'Do not sign it. Only text and typed data may be signed.',
      }),
      ...accountFindings(account, context),
    ])
  // wallets sign the bytes of hex, also of hex that is not text
  const digests = () => ({ eip191: hashMessage(isHexText(data) ? { raw: data } : data) })
  return claimsSignIn(text)
    ? inspectSignIn(text, { asked: account, digests }, context)
    : inspectPlainText(text, { digests, requestFindings: accountFindings(account, context) })
}

const isAddressText = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

/** An RLP list of at least 6 fields, after the number of its kind (EIP-2718) where there is one. */
function isRawTransaction(text: string): boolean {
  const [, digits = ''] = /^(?:0x)?(?:0[1-9a-f])?([c-f][0-9a-f]+)$/i.exec(text.trim()) ?? []
  const [start, end] = rlpItem(digits, 0)
  if (digits === '' || end !== digits.length) return false
  let fields = 0
  for (let at = start; at < end; fields++) [, at] = rlpItem(digits, at)
  return fields >= 6
}

/** Where the content of an RLP item begins and ends, in hex digits. */
function rlpItem(digits: string, at: number): [start: number, end: number] {
  const first = Number.parseInt(digits.slice(at, at + 2), 16)
  if (!(first >= 0x80)) return [at, at + 2]
  const base = first - (first < 0xc0 ? 0x80 : 0xc0)
  if (base <= 55) return [at + 2, at + 2 + 2 * base]
  const start = at + 2 + 2 * (base - 55)
  return [start, start + 2 * Number.parseInt(digits.slice(at + 2, start), 16)]
}

/** 32 bytes without readable content. Wallets differ in which hex they accept: without 0x, with 0X, or with a digit missing. */
function isBareHash(data: string, text: string): boolean {
  const [, digits = ''] = /^(?:0x)?([0-9a-f]{63,64})$/i.exec(data.trim()) ?? []
  return digits !== '' && (text === data || hasInvisible(text.replace(/[\t\n\r]/g, ' ')))
}

function inspectPlainText(
  text: string,
  { requestFindings, digests }: { requestFindings: readonly Finding[]; digests: () => InspectionDigests },
): Inspection<inspect.Details> {
  const findings = [
    // line breaks, and joiners in emojis and in Persian or Hindi words, are harmless
    ...invisibleFindings(text.replace(/[\t\n\r]|\u200c|\u200d/g, ' '), 'message', 'warning'),
    finding(
      'warning',
      'PLAIN_TEXT',
      'It is not a sign-in message: the purpose of its signature is unknown.',
      {
        field: 'message',
        fix: 'Sign it only if you know who asked and why.',
      },
    ),
    ...requestFindings,
  ]
  const shown = text.replace(/\r?\n/g, ' ↵ ')
  const { title, lines } = titleOf(findings, sentence('text', { text: textValue(quote(shown)) }))
  return createInspection({
    kind: 'text',
    title,
    // in full, because a cut could hide what the user agrees to
    lines: [...lines, line('text', textValue(quote(shown, shown.length)))],
    findings,
    digests,
    details: { text },
  })
}

function inspectSignIn(
  text: string,
  { asked, digests }: { asked: unknown; digests: () => InspectionDigests },
  context: ReadContext,
): Inspection<inspect.Details> {
  const plain = withPlainLines(text)
  const message = readSiweMessage(plain)
  const { address, origin } = context
  const site = origin === undefined ? undefined : siteOf(origin)
  const subdomain = site === undefined ? undefined : subdomainFinding(message.uri, site)
  const problems = siweProblems(message, {
    address: address === undefined ? undefined : checkAddress(address, 'address'),
    chainId: context.chainId,
    domains: site === undefined ? undefined : [site],
    now: context.now,
    // other sites have longer sessions
    isLifetimeFree: true,
  }).map((error) => signInProblem(error, message, { address, chainId: context.chainId, site }))
  const findings =
    subdomain === undefined
      ? problems
      : [...problems.filter(({ field }) => field !== 'message.uri'), subdomain]
  findings.push(...lifetimeFindings(message), ...statementFindings(message))
  if (plain !== text) findings.push(unusualLayout())
  if (!isStandardNonce(message.nonce)) findings.push(unusualNonce(message.nonce))
  if (!hasChecksum(plain, message))
    findings.push(
      finding(
        'warning',
        'ADDRESS_CHECKSUM',
        'The sign-in message writes your address without its checksum.',
        {
          field: 'message.address',
          fix: 'Check that the whole address is yours. A site that requires the checksum rejects the signature.',
        },
      ),
    )
  const [resource] = message.resources.filter((uri) => !/^(?:https?|urn:recap):/i.test(uri))
  if (resource !== undefined)
    findings.push(
      finding('warning', 'NOT_COMPARED', `What ${quote(resource)} allows the site was not checked.`, {
        field: 'message.resources',
        fix: 'Sign it only if you know how the site will use it.',
      }),
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
            // in full, because the user agrees to all of it
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

/** A session that never ends, or ends late: anyone who gets the signature can use it until then. */
function lifetimeFindings({ issuedAt, expirationTime }: SiweMessage): Finding[] {
  if (expirationTime !== undefined && expirationTime <= issuedAt + maxLifeMs) return []
  const life =
    expirationTime === undefined
      ? 'It never expires.'
      : `It is valid for ${span(BigInt(Math.floor((expirationTime - issuedAt) / 1000)))}; at most ${credentialHours} hours is usual.`
  return [
    finding('warning', 'EXPIRES_TOO_LATE', life, {
      field: 'message.expirationTime',
      fix: 'Sign it only if you trust the site for that long.',
    }),
  ]
}

/** EIP-4361 allows no letters of other languages, but they are harmless. Invisible characters are not. */
function statementFindings({ statement }: SiweMessage): Finding[] {
  const field = 'message.statement'
  if (statement === undefined || isStandardStatement(statement)) return []
  return [
    ...invisibleFindings(statement, field),
    finding(
      'warning',
      'STATEMENT_CHARACTERS',
      `EIP-4361 allows only ASCII letters, digits, spaces and URI characters in a statement; ${quote(statement)} has others. The rest of the message is well-formed.`,
      { field, fix: 'Read the statement. A strict site refuses the signature.' },
    ),
  ]
}

const isHexText = (data: string): data is Hex => /^0x(?:[0-9a-fA-F]{2})*$/.test(data)

/** The text of `personal_sign`: 0x-hex of UTF-8, or the text itself. */
function readText(data: string): string {
  // hex that is not UTF-8 is shown as hex
  return isHexText(data) ? (utf8Text(hexToBytes(data)) ?? data) : data
}

/** A problem of a sign-in. The words of an error are for the developer of a dApp. */
function signInProblem(
  { shortMessage, field, fix = 'Do not sign it.' }: BaseError,
  message: SiweMessage,
  known: { address?: string | undefined; chainId?: number | undefined; site?: string | undefined },
): Finding {
  const { address = '', chainId = 0, site = '' } = known
  const sentences: Readonly<Record<string, string>> = {
    'message.address': otherAccount(message.address, address),
    'message.chainId': `It is for ${chainText(message.chainId)}, and your wallet is on ${chainText(chainId)}.`,
    'message.domain': otherSite(message.domain, site),
    ...(site !== '' && { 'message.uri': otherPage(message.uri, site) }),
  }
  return finding('danger', 'SIGN_IN', sentences[field ?? ''] ?? shortMessage, { field, fix })
}

/** A request that is always refused, or that cannot be read. */
function refused(
  findings: readonly Finding[],
  details?: { fields: readonly string[] } | undefined,
): Inspection<inspect.Details> {
  return createInspection({
    kind: 'unknown',
    ...refusal(dangersOf(findings).map(findingSentence)),
    findings,
    details,
  })
}
