import type { Hex } from 'viem'
import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding, type Inspection, type Line, verdictOf } from '../../core/finding/finding.ts'
import { accountFindings } from '../accountFindings.ts'
import { describeSignIn, siweProblems } from '../authMessage/checkSiweMessage.ts'
import { isStandardStatement, readSiweMessage, type SiweMessage } from '../authMessage/parseSiweMessage.ts'
import { checkAddress } from '../checkAddress.ts'
import { cancelCreditPermitTypes } from '../creditPermit/cancelCreditPermit.ts'
import { creditPermitTypes, readPermit } from '../creditPermit/creditPermit.ts'
import {
  domainFindings,
  type inspectCreditPermit,
  judgeCreditPermit,
} from '../creditPermit/inspectCreditPermit.ts'
import { type InspectOptions, readInspectOptions } from '../creditPermit/inspectOptions.ts'
import { differsFindings, readPurchase } from '../creditPermit/purchase.ts'
import {
  layoutProblem,
  parseTypedData,
  readTypedData,
  UnknownTypedDataError,
} from '../eip712/readTypedData.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { chainText, hasInvisible, invisibleFindings, quote } from '../findingTexts.ts'
import { cancelUsdcAuthorizationTypes } from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import {
  type inspectUsdcAuthorization,
  judgeUsdcAuthorization,
  usdcDomainFindings,
} from '../usdcAuthorization/inspectUsdcAuthorization.ts'
import { readAuthorization } from '../usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import { checkAuthorizationType, usdcAuthorizationTypes } from '../usdcAuthorization/usdcAuthorization.ts'
import { checkHex, checkRecord, InvalidTextError } from '../values.ts'
import { hexToBytes } from '../viem.ts'
import { inspectCalls, inspectTransaction } from './inspectTransaction.ts'
import { isAddress, linesOf, type OtherTypedData, readOtherTypedData } from './otherTypedData.ts'
import { readOwnField, readPlainData } from './plainData.ts'
import { judgeTokenPermit, readTokenPermit } from './tokenPermit.ts'
import { walletChainFindings } from './tokenTexts.ts'

/** The typed data that is known here, by primary type. */
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
 * The verdict is `ok` only when all of it was compared: what a permit or an authorization pays for, too. That takes the
 * caller's own `intent`, or a cap (`mostCents`) and a pinned receiver.
 *
 * @param request as a wallet receives it: `{ method, params }` (EIP-1193)
 * @param options expected values: account, chain, pins, intent, sites
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/evm'
 * inspect({ method: 'personal_sign', params: ['hello', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] }).verdict // 'caution'
 * ```
 */
export function inspect(request: inspect.Request, options: InspectOptions = {}): Inspection<inspect.Details> {
  let held: InspectOptions
  try {
    held = readInspectOptions(options)
  } catch (error) {
    return unknown('A request that cannot be compared with what was given.', [
      problem(error, 'INVALID_EXPECTATION'),
    ])
  }
  try {
    return inspectRequest(request, held)
  } catch (error) {
    const found = problem(error, 'MALFORMED')
    return unknown(error instanceof BaseError ? found.message : 'A request that cannot be read.', [found])
  }
}

export declare namespace inspect {
  type Request = { method: string; params?: unknown }
  type Options = InspectOptions
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

function inspectRequest(request: inspect.Request, options: InspectOptions): Inspection<inspect.Details> {
  const record = checkRecord(request, 'request')
  const method = readPlainData(readOwnField(record, 'method'), 'method')
  const params = readPlainData(readOwnField(record, 'params'), 'params')
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  if (method === 'eth_signTypedData_v4' || method === 'eth_signTypedData_v3')
    return inspectTypedData(list[1], list[0], options)
  if ((method === 'eth_sendTransaction' || method === 'eth_signTransaction') && list.length > 0)
    return inspectTransaction(list[0], options)
  if (method === 'wallet_sendCalls' && list.length > 0) return inspectCalls(list[0], options)
  if (method === 'personal_sign') return inspectPersonalSign(list, options)
  if (method === 'eth_sign' || method === 'eth_signTypedData')
    return unknown(`${method}: a signature of something that cannot be read.`, [
      finding('danger', 'BLIND_SIGNATURE', `${method} signs without saying what.`, {
        field: 'method',
        fix: 'Use eth_signTypedData_v4 or personal_sign.',
      }),
    ])
  return unknown(`A request ${showValue(method)} that is not looked into here.`, [
    finding('warning', 'UNKNOWN_REQUEST', `Requests ${showValue(method)} are not known here.`, {
      field: 'method',
      fix: 'Its effect was not checked: sign it only if you know from another source what it does.',
    }),
  ])
}

function inspectTypedData(
  data: unknown,
  asked: unknown,
  options: InspectOptions,
): Inspection<inspect.Details> {
  const record = checkRecord(
    typeof data === 'string' ? readPlainData(parseTypedData(data), 'message') : data,
    'message',
  )
  if (record.primaryType !== undefined && typeof record.primaryType !== 'string')
    throw new InvalidTextError('Malformed request: `primaryType` must be text.', { field: 'primaryType' })
  let read: ReturnType<typeof readTypedData>
  try {
    read = readTypedData(record, layouts, { hex: true })
  } catch (error) {
    if (error instanceof UnknownTypedDataError) return inspectOther(record, error, asked, options)
    throw error
  }
  const { domain, primaryType, message } = read
  const { address } = options
  if (primaryType === 'CreditsAuthorization') {
    const permit = readPermit(message)
    return judgeCreditPermit(
      { domain, permit },
      options,
      accountFindings(asked, { signer: permit.customerWallet, address }),
    )
  }
  if (primaryType === 'CancelCreditsAuthorization' || primaryType === 'CancelAuthorization')
    return inspectCancellation(
      { domain, message, asked, isCredits: primaryType !== 'CancelAuthorization' },
      options,
    )
  const authorization = readAuthorization(message)
  return judgeUsdcAuthorization(
    { domain, type: checkAuthorizationType(primaryType), authorization },
    options,
    accountFindings(asked, { signer: authorization.from, address }),
  )
}

/** What the typed data that is known here is called. */
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
  options: InspectOptions,
): Inspection<inspect.Details> {
  const primaryType = String(record.primaryType)
  const details = { fields: error.fields }
  if (primaryType === 'EIP712Domain' || Object.hasOwn(layouts, primaryType)) {
    const name = primaryType as keyof typeof layouts // a key of `layouts`, or without a name
    const message =
      names[name] === undefined
        ? 'It signs a domain and no message.'
        : `This is not a valid ${names[name]}: ${layoutProblem(record, primaryType, layouts[name])}.`
    return unknown(
      message,
      [
        finding('danger', 'UNKNOWN_TYPED_DATA', message, {
          field: 'types',
          fix: error.fix ?? 'Do not sign it.',
        }),
        ...accountFindings(asked, options),
      ],
      details,
    )
  }
  const data = readOtherTypedData(record)
  const permit = readTokenPermit(data)
  const judged = permit && judgeTokenPermit(permit, data, options)
  const { name, chainId, verifyingContract } = data.domain
  const findings = [
    ...(judged?.findings ?? [
      finding('warning', 'UNKNOWN_TYPED_DATA', `Typed data ${quote(primaryType)} is not known here.`, {
        field: 'types',
        fix: 'Sign it only if you know from another source what it does.',
      }),
    ]),
    ...walletChainFindings(chainId, options, 'domain.chainId'),
    ...riskFindings(data, asked, options),
    ...accountFindings(asked, { signer: permit?.owner, address: options.address }),
  ]
  const lines = linesOf(data)
  const verdict = verdictOf(findings)
  const isRefused = verdict === 'refuse'
  const contract = verifyingContract === undefined ? 'no contract' : `the contract ${verifyingContract}`
  const on = chainId === undefined ? 'any chain' : chainText(chainId)
  return {
    kind: judged === undefined ? 'unknown' : 'tokenPermit',
    summary: told(
      judged?.text(isRefused) ??
        `Signs ${quote(primaryType)}${name === undefined ? '' : ` for ${quote(name)}`}, ${contract} on ${on}, which is not known here: ${fieldsText(lines)}.`,
      findings.filter(({ code }) => code !== 'UNLIMITED_APPROVAL'),
    ),
    verdict,
    findings,
    moves: [],
    grants: judged?.grants ?? [],
    lines: [
      { label: 'Contract', value: verifyingContract ?? 'none' },
      { label: 'Chain', value: on },
      ...lines,
    ],
    details: judged === undefined ? details : { domain: data.domain, message: data.message },
  }
}

/** Typed data that no page must ask for. */
function riskFindings(
  { primaryType, message, hasDomain, domain }: OtherTypedData,
  asked: unknown,
  { address }: InspectOptions,
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
  const contract = domain.verifyingContract?.toLowerCase()
  if (
    contract !== undefined &&
    [address, asked].some((one) => isAddress(one) && one.toLowerCase() === contract)
  )
    findings.push(
      finding(
        'danger',
        'OWN_ACCOUNT',
        'Its contract is your own account: the signature could control the account.',
        {
          field: 'domain.verifyingContract',
          fix,
        },
      ),
    )
  return findings
}

/** Fields as text, as many as fit whole. */
function fieldsText(lines: readonly Line[]): string {
  let text = ''
  for (const [index, { label, value }] of lines.entries()) {
    const next = `${index === 0 ? '' : '; '}${label} ${value}`
    if (text.length + next.length > 500) return `${text} and ${lines.length - index} more fields`
    text += next
  }
  return text || 'no fields'
}

function inspectCancellation(
  {
    domain,
    message,
    asked,
    isCredits,
  }: { domain: TypedDataDomain; message: Record<string, unknown>; asked: unknown; isCredits: boolean },
  options: InspectOptions,
): Inspection<inspect.Details> {
  const walletField = isCredits ? 'customerWallet' : 'authorizer'
  const wallet = checkAddress(message[walletField], `message.${walletField}`)
  const nonce = checkHex(message.nonce, 'message.nonce', { bytes: 32 })
  const { purchase, findings: intentFindings } = readPurchase(options, {
    chainId: domain.chainId,
    wallet,
    nonce,
  })
  const findings = [
    ...(isCredits ? domainFindings(domain, options) : usdcDomainFindings(domain, options)),
    ...intentFindings,
    // It cancels the given purchase.
    ...(purchase === undefined ? [] : differsFindings('message.nonce', purchase.nonce, nonce)),
  ]
  const { address } = options
  if (address !== undefined && address.toLowerCase() !== wallet.toLowerCase())
    findings.push(
      finding('danger', 'WRONG_WALLET', `It is for ${wallet}, not for ${address}.`, {
        field: `message.${walletField}`,
        fix: 'Do not sign it with this account.',
      }),
    )
  findings.push(...accountFindings(asked, { signer: wallet, address }))
  return {
    kind: isCredits ? 'creditPermitCancel' : 'usdcAuthorizationCancel',
    summary: told(
      `Cancels the ${isCredits ? 'credit permit' : 'USDC authorization'} of ${wallet} with nonce ${nonce.slice(0, 10)}… at the contract ${domain.verifyingContract} on ${chainText(domain.chainId)}. This cannot be undone.`,
      findings,
    ),
    verdict: verdictOf(findings),
    findings,
    moves: [],
    grants: [],
    details: { domain, message: { [walletField]: wallet, nonce } },
  }
}

/** A summary that begins with every reason not to sign. */
function told(summary: string, findings: readonly Finding[]): string {
  const dangers = findings.filter(({ severity }) => severity === 'danger').map(({ message }) => message)
  return [...new Set(dangers), summary].join(' ')
}

/** `personal_sign` takes the text first and the account second. Some wallets swap them back. */
function inspectPersonalSign(
  [data, account]: readonly unknown[],
  options: InspectOptions,
): Inspection<inspect.Details> {
  if (isAddressText(data) && !isAddressText(account))
    return unknown("A text and an account in each other's place.", [
      finding('danger', 'SWAPPED_PARAMETERS', `The text is ${showValue(data)}, an account.`, {
        field: 'params',
        fix: 'Do not sign it: pass the text first, then the account.',
      }),
    ])
  if (typeof data !== 'string') throw new TypeError('no text')
  const text = readText(data)
  if (isRawTransaction(data) || isRawTransaction(text))
    return unknown('Asks you to sign raw bytes that look like an Ethereum transaction.', [
      finding('danger', 'RAW_TRANSACTION', 'The bytes look like an Ethereum transaction.', {
        field: 'message',
        fix: 'Do not sign it. Only text and typed data may be signed.',
      }),
      ...accountFindings(account, options),
    ])
  if (isBareHash(data, text)) return inspectHash(data, accountFindings(account, options))
  return claimsSignIn(text)
    ? inspectSignIn(text, account, options)
    : inspectPlainText(text, accountFindings(account, options))
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

function inspectHash(data: string, requestFindings: readonly Finding[]): Inspection<inspect.Details> {
  return unknown(`Sign 32 bytes that cannot be read: ${quote(data.slice(0, 12))}.`, [
    finding('danger', 'BARE_HASH', 'It is 32 bytes that cannot be read, as the hash of a transaction is.', {
      field: 'message',
      fix: 'Do not sign it. Only text and typed data may be signed.',
    }),
    ...requestFindings,
  ])
}

function inspectPlainText(text: string, requestFindings: readonly Finding[]): Inspection<inspect.Details> {
  const findings = [
    // line breaks, and the joints of emojis and of Persian or Hindi words, are honest
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
  return {
    kind: 'text',
    summary: told(`Sign the text ${quote(text)}.`, findings),
    verdict: verdictOf(findings),
    findings,
    moves: [],
    grants: [],
    details: { text },
  }
}

function inspectSignIn(text: string, asked: unknown, options: InspectOptions): Inspection<inspect.Details> {
  const message = readSiweMessage(text)
  const findings = siweProblems(message, {
    address: options.address === undefined ? undefined : checkAddress(options.address, 'address'),
    chainId: options.chainId,
    domains: options.domains,
    now: options.now,
  }).map((error) => problem(error, 'SIGN_IN'))
  findings.push(...statementFindings(message))
  const [resource] = message.resources.filter((uri) => !/^(?:https?|urn:recap):/i.test(uri))
  if (resource !== undefined)
    findings.push(
      finding('warning', 'NOT_COMPARED', `What ${quote(resource)} allows the site was not looked into.`, {
        field: 'message.resources',
        fix: 'Sign it only if you know how the site will use it.',
      }),
    )
  if (!isPrivate(message))
    findings.push(
      finding('warning', 'INSECURE_SITE', `The site ${quote(message.domain)} asks over plain http.`, {
        field: 'message.uri',
        fix: 'Others on the network can change this page. Use https.',
      }),
    )
  if (options.domains === undefined)
    findings.push(
      finding(
        'warning',
        'UNCHECKED_SITE',
        `The site ${quote(message.domain)} was compared with no list of hosts.`,
        {
          field: 'message.domain',
          fix: 'Pass the allowed hosts.',
        },
      ),
    )
  findings.push(...accountFindings(asked, { signer: message.address, address: options.address }))
  return {
    kind: 'signIn',
    summary: told(describeSignIn(message), findings),
    verdict: verdictOf(findings),
    findings,
    moves: [],
    grants: [],
    lines: message.resources.map((uri) => ({ label: 'Resource', value: quote(uri, 160) })),
    details: { message },
  }
}

/** Whether page and scheme are https, or stay on this machine. */
function isPrivate({ uri, scheme, domain }: SiweMessage): boolean {
  const url = new URL(uri)
  return (
    (url.protocol !== 'http:' || isThisMachine(url.hostname)) &&
    (scheme?.toLowerCase() !== 'http' || isThisMachine(domain.replace(/:\d+$/, '').toLowerCase()))
  )
}

const isThisMachine = (host: string) => /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host)

/** Letters of other languages are honest, and no statement of EIP-4361; what cannot be seen is never honest. */
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

/** The text of `personal_sign`: 0x-hex of UTF-8, or the text itself. */
function readText(data: string): string {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) return data
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(data as Hex)) // tested above
  } catch {
    // Hex that is not UTF-8 is shown as hex.
    return data
  }
}

function problem(error: unknown, code: 'INVALID_EXPECTATION' | 'MALFORMED' | 'SIGN_IN'): Finding {
  const known = error instanceof BaseError
  return finding(
    'danger',
    code,
    known ? error.shortMessage : 'It does not have the form of such a request.',
    {
      field: known ? error.field : undefined,
      fix: (known ? error.fix : undefined) ?? 'Do not sign it.',
    },
  )
}

function unknown(
  summary: string,
  findings: readonly Finding[],
  details?: { fields: readonly string[] } | undefined,
): Inspection<inspect.Details> {
  return { kind: 'unknown', summary, verdict: verdictOf(findings), findings, moves: [], grants: [], details }
}
