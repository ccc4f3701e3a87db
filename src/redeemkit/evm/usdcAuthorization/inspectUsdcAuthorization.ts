import { BaseError } from '../../core/errors/baseError.ts'
import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { zeroAddress } from '../checkAddress.ts'
import { type InspectOptions, readInspectOptions } from '../creditPermit/inspectOptions.ts'
import {
  chainFindings,
  differsFindings,
  type Purchase,
  readPurchase,
  spendingFindings,
} from '../creditPermit/purchase.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { checkDomain } from '../eip712/typedData.ts'
import { dollars, expiryFindings } from '../findingTexts.ts'
import { checkRecord } from '../values.ts'
import { describeUsdcAuthorization } from './describeUsdcAuthorization.ts'
import { checkUsdcDomain } from './parseUsdcAuthorizationMessage.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'
import { usdcAuthorizationTypedData } from './usdcAuthorization.ts'

/** More than this in one authorization is no purchase: a billion dollars. */
const absurdAmount = 1_000_000_000_000_000n

/**
 * Describes what a USDC authorization moves, to whom and until when, and lists what is wrong with it (PROTOCOL.md 5).
 *
 * The verdict is `ok` only when the redeem that it belongs to was seen (`intent`), and every field follows from it; or when
 * a cap (`mostCents`) limits it and the receiver is pinned (`receiver`, or the credits contract of `pinned`).
 *
 * @param options expected values; every given value is compared
 * @throws when the authorization, the domain or an option is malformed
 * @example
 * ```ts
 * import { inspectUsdcAuthorization, parseUsdcAuthorizationMessage } from 'redeemkit/evm'
 * const look = (answer: { message: string }) =>
 *   inspectUsdcAuthorization(parseUsdcAuthorizationMessage(answer.message)).summary
 * ```
 */
export function inspectUsdcAuthorization(
  request: { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization },
  options: InspectOptions = {},
): Inspection<inspectUsdcAuthorization.Details> {
  return judgeUsdcAuthorization(request, readInspectOptions(options))
}

export declare namespace inspectUsdcAuthorization {
  type Options = InspectOptions
  type Details = { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization }
  type ErrorType = usdcAuthorizationTypedData.ErrorType | readInspectOptions.ErrorType
}

/** As {@link inspectUsdcAuthorization}, with options that were read and findings about the request that carries it. */
export function judgeUsdcAuthorization(
  request: { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization },
  held: InspectOptions,
  requestFindings: readonly Finding[] = [],
): Inspection<inspectUsdcAuthorization.Details> {
  checkRecord(request, 'request')
  const domain = checkDomain(request.domain)
  const { primaryType: type, message: authorization } = usdcAuthorizationTypedData({
    chainId: 1, // only the message and its type are read here; the domain is judged below
    type: request.type,
    authorization: request.authorization,
  })
  const { from, to, value, validAfter, validBefore } = authorization
  const now = unixSeconds(held.now)
  const { purchase, findings: intentFindings } = readPurchase(held, {
    chainId: domain.chainId,
    wallet: from,
    nonce: authorization.nonce,
  })
  const purchaseFindings = purchase === undefined ? intentFindings : comparePurchase(authorization, purchase)
  const tokenFindings = usdcDomainFindings(domain, held)
  const receivers = receiversOf(held)
  const inRedeem = held.intent !== undefined
  const findings: Finding[] = [
    ...tokenFindings,
    ...payerFindings(authorization, held),
    ...receiverFindings(to, receivers),
    ...typeFindings(type, to, held),
    ...expiryFindings(validBefore, now, {
      field: 'authorization.validBefore',
      minimum: inRedeem ? permitMinimumSeconds : 0n,
      maximum: permitMaximumSeconds,
      // in a redeem it ends with the permit
      severity: inRedeem ? 'danger' : 'warning',
    }),
    ...purchaseFindings,
    ...spendingFindings(value, held, {
      field: 'authorization.value',
      hasReceiver: receivers.length > 0,
    }),
  ]
  if (validAfter >= now)
    findings.push(
      finding('warning', 'NOT_YET_VALID', `It becomes valid only after ${validAfter} (unix seconds).`, {
        field: 'authorization.validAfter',
      }),
    )
  if (value === 0n)
    findings.push(finding('warning', 'ZERO_AMOUNT', 'It moves nothing.', { field: 'authorization.value' }))
  if (value > absurdAmount)
    findings.push(
      finding('danger', 'ABSURD_AMOUNT', `It moves ${dollars(value, 'USDC')}.`, {
        field: 'authorization.value',
        fix: 'Sign only what the purchase costs.',
      }),
    )
  findings.push(...requestFindings)
  return {
    kind: 'usdcAuthorization',
    summary: describeUsdcAuthorization({
      domain,
      type,
      authorization,
      purchase: purchaseFindings.length > 0 ? undefined : purchase,
      inRedeem,
      now,
      findings,
    }),
    verdict: verdictOf(findings),
    findings,
    moves: [
      {
        direction: 'out',
        asset: domain.verifyingContract,
        amount: value,
        decimals: tokenFindings.some(({ code }) => code === 'NOT_USDC') ? undefined : 6,
        from,
        to,
      },
    ],
    grants: [],
    details: { domain, type, authorization },
  }
}

export declare namespace judgeUsdcAuthorization {
  type ErrorType = usdcAuthorizationTypedData.ErrorType
}

/** Findings for a domain that should be USDC's. */
export function usdcDomainFindings(domain: TypedDataDomain, options: InspectOptions): Finding[] {
  const findings = chainFindings(domain, options)
  try {
    checkUsdcDomain(domain, options.token)
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    findings.push(
      finding('danger', 'NOT_USDC', error.shortMessage, {
        field: error.field,
        fix: error.fix ?? 'Do not sign it: it is not for USDC on a known chain.',
      }),
    )
  }
  return findings
}

export declare namespace usdcDomainFindings {
  type ErrorType = checkUsdcDomain.ErrorType
}

/** Who may be paid: in a redeem the credits contract alone. */
function receiversOf({ intent, pinned, receiver }: InspectOptions): string[] {
  return [intent === undefined ? receiver : undefined, pinned?.creditsContract]
    .filter((address) => address !== undefined)
    .map((address) => address.toLowerCase())
}

function payerFindings({ from }: UsdcAuthorization, { address }: InspectOptions): Finding[] {
  if (from !== zeroAddress && (address === undefined || address.toLowerCase() === from.toLowerCase()))
    return []
  return [
    finding(
      'danger',
      'WRONG_WALLET',
      `It pays from ${from}${address === undefined ? '' : `, not from ${address}`}.`,
      {
        field: 'authorization.from',
        fix: 'Do not sign it with this account.',
      },
    ),
  ]
}

function receiverFindings(to: string, receivers: readonly string[]): Finding[] {
  const field = 'authorization.to'
  if (to === zeroAddress)
    return [finding('danger', 'WRONG_RECEIVER', 'It pays to the zero address.', { field })]
  if (receivers.length === 0)
    return [
      finding('warning', 'UNPINNED_RECEIVER', `The receiver ${to} is not pinned.`, {
        field,
        fix: 'For a redeem, pin the credits contract, which is the receiver. Otherwise pass the receiver.',
      }),
    ]
  if (receivers.includes(to.toLowerCase())) return []
  return [
    finding('danger', 'WRONG_RECEIVER', `It pays to ${to}, not to the pinned ${receivers.join(' or ')}.`, {
      field,
      fix: 'Do not sign it.',
    }),
  ]
}

/** Outside of a redeem, to a receiver that the caller named, an early execution does what was meant. */
function typeFindings(
  type: UsdcAuthorizationType,
  to: string,
  { intent, pinned, receiver }: InspectOptions,
): Finding[] {
  if (type !== 'TransferWithAuthorization') return []
  const isPlain =
    intent === undefined &&
    receiver?.toLowerCase() === to.toLowerCase() &&
    pinned?.creditsContract?.toLowerCase() !== to.toLowerCase()
  return [
    isPlain
      ? finding(
          'info',
          'ANYONE_CAN_EXECUTE',
          'Anyone who sees it can execute it, at any time while it is valid.',
          { field: 'type' },
        )
      : finding(
          'warning',
          'ANYONE_CAN_EXECUTE',
          'Anyone who sees it can execute it early; a redeem that counts on it then fails.',
          { field: 'type', fix: 'Prefer ReceiveWithAuthorization.' },
        ),
  ]
}

/** Every field but the receiver and the end, which are judged with the pins and the time (PROTOCOL.md 5.4). */
function comparePurchase(authorization: UsdcAuthorization, purchase: Purchase): Finding[] {
  const { value, validAfter, nonce } = authorization
  return [
    ...differsFindings('authorization.value', purchase.usdcAmount, value),
    ...differsFindings('authorization.nonce', purchase.nonce, nonce),
    ...differsFindings('authorization.validAfter', 0n, validAfter),
    // nothing is signed for a part that is 0, also where the authorization says 0
    ...(purchase.usdcAmount === 0n && value === 0n
      ? differsFindings('authorization', 'absent', 'present')
      : []),
  ]
}
