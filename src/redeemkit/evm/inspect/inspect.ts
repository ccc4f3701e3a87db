import type { Hex } from 'viem'
import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
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
import { readTypedData, UnknownTypedDataError } from '../eip712/readTypedData.ts'
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
import { checkHex, checkRecord } from '../values.ts'
import { hexToBytes } from '../viem.ts'

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
 * Knows credit permits, USDC authorizations and the cancellations of both (`eth_signTypedData_v4`), and sign-in texts
 * (`personal_sign`). Everything else comes back with kind `unknown`. Never throws.
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
    return unknown('A request that cannot be read.', [problem(error, 'MALFORMED')])
  }
}

export declare namespace inspect {
  type Request = { method: string; params?: unknown }
  type Options = InspectOptions
  type Details =
    | inspectCreditPermit.Details
    | inspectUsdcAuthorization.Details
    | { domain: TypedDataDomain; message: Readonly<Record<string, unknown>> }
    | { message: SiweMessage }
    | { text: string }
    | { fields: readonly string[] }
    | undefined
}

function inspectRequest(request: inspect.Request, options: InspectOptions): Inspection<inspect.Details> {
  const { method, params } = checkRecord(request, 'request')
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  if (method === 'eth_signTypedData_v4' || method === 'eth_signTypedData_v3')
    return inspectTypedData(list[1], list[0], options)
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
  let read: ReturnType<typeof readTypedData>
  try {
    read = readTypedData(data, layouts, { hex: true })
  } catch (error) {
    if (error instanceof UnknownTypedDataError)
      return unknown(
        `Typed data that is not known here: ${error.fields.join(', ').slice(0, 200) || 'no fields'}.`,
        [problem(error, 'UNKNOWN_TYPED_DATA'), ...accountFindings(asked, options)],
        { fields: error.fields },
      )
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
  if (isBareHash(data, text)) return inspectHash(data, accountFindings(account, options))
  return claimsSignIn(text)
    ? inspectSignIn(text, account, options)
    : inspectPlainText(text, accountFindings(account, options))
}

const isAddressText = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

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
    details: { message },
  }
}

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

function problem(
  error: unknown,
  code: 'INVALID_EXPECTATION' | 'MALFORMED' | 'UNKNOWN_TYPED_DATA' | 'SIGN_IN',
): Finding {
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
  return { kind: 'unknown', summary, verdict: verdictOf(findings), findings, details }
}
