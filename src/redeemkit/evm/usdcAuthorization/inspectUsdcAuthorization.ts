import { unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import { absurdAmount, permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { zeroAddress } from '../checkAddress.ts'
import { type InspectContext, type ReadContext, readInspectContext } from '../creditPermit/inspectOptions.ts'
import { type InspectTerms, pinFor } from '../creditPermit/pinFor.ts'
import {
  chainFindings,
  differsFindings,
  orderFindings,
  type Purchase,
  readPurchase,
  relayerFindings,
  shopFindings,
  spendingFindings,
} from '../creditPermit/purchase.ts'
import { dateText, dollars, expiryFindings } from '../findingTexts.ts'
import { checkDomain, type TypedDataDomain, typedDataDigests } from '../typedData.ts'
import { checkRecord, sameHex } from '../values.ts'
import { describeUsdcAuthorization } from './describeUsdcAuthorization.ts'
import {
  checkUsdcDomain,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
  usdcAuthorizationTypes,
} from './usdcAuthorization.ts'

/**
 * Describes the amount, receiver and expiry of a USDC authorization, and lists its problems (PROTOCOL.md 5).
 *
 * The verdict is `ok` only for the USDC part of a redeem, if three conditions hold: this wallet signed a permit with the same nonce
 * (`signedPermits`), every value matches the disclosed purchase, and one pinned entry names the contract, merchant, receiver and page.
 *
 * @param context the wallet's own values, with which the authorization is compared
 * @throws when the authorization, the domain or a value of the context is malformed
 * @example
 * ```ts
 * import { inspectUsdcAuthorization, parseUsdcAuthorizationMessage } from 'redeemkit/evm'
 * const look = (answer: { message: string }) =>
 *   inspectUsdcAuthorization(parseUsdcAuthorizationMessage(answer.message)).summary
 * ```
 */
export function inspectUsdcAuthorization(
  request: { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization },
  context: InspectContext = {},
): Inspection<inspectUsdcAuthorization.Details> {
  const held = readInspectContext(context)
  checkRecord(request, 'request')
  const domain = checkDomain(request.domain)
  const { primaryType: type, message: authorization } = usdcAuthorizationTypedData({
    chainId: 1, // any supported chain: only the message and its type are checked here, the domain below
    type: request.type,
    authorization: request.authorization,
  })
  return judgeUsdcAuthorization({ domain, type, authorization }, held)
}

export declare namespace inspectUsdcAuthorization {
  type Context = InspectContext
  type Details = { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization }
  type ErrorType = usdcAuthorizationTypedData.ErrorType | readInspectContext.ErrorType
}

/** Like {@link inspectUsdcAuthorization}, for checked values. `requestFindings` are about the request that contains the authorization. */
export function judgeUsdcAuthorization(
  request: { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization },
  context: ReadContext,
  requestFindings: readonly Finding[] = [],
): Inspection<inspectUsdcAuthorization.Details> {
  const { domain, type, authorization } = request
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const now = unixSeconds(context.now)
  const terms = pinFor(context, { chainId: domain.chainId, contract: to })
  const { purchase, findings: intentFindings } = readPurchase(terms, {
    chainId: domain.chainId,
    wallet: from,
    nonce,
  })
  const tokenFindings = usdcDomainFindings(domain, terms, { isRedeem: purchase !== undefined })
  const isUsdc = !tokenFindings.some(({ code }) => code === 'NOT_USDC')
  const findings: Finding[] = [
    ...tokenFindings,
    ...payerFindings(authorization, terms),
    ...receiverFindings(to, terms),
    ...typeFindings(type, purchase !== undefined),
    ...expiryFindings(validBefore, now, {
      field: 'authorization.validBefore',
      minimum: purchase === undefined ? 0n : permitMinimumSeconds,
      maximum: permitMaximumSeconds,
      // in a redeem, the authorization expires together with the permit, so a late expiry is a danger
      severity: purchase === undefined ? 'warning' : 'danger',
    }),
    ...intentFindings,
    ...(purchase === undefined
      ? []
      : [
          ...comparePurchase(authorization, purchase),
          ...shopFindings(purchase, terms),
          ...permitFindings(nonce, domain.chainId, terms),
          ...relayerFindings(terms, 'authorization.nonce'),
        ]),
    ...spendingFindings(value, terms, {
      field: 'authorization.value',
      isSeen: purchase !== undefined || intentFindings.length > 0,
    }),
  ]
  if (validAfter >= now)
    findings.push(
      finding('warning', 'NOT_YET_VALID', `The authorization is valid only after ${dateText(validAfter)}.`, {
        field: 'authorization.validAfter',
      }),
    )
  if (value === 0n)
    findings.push(
      finding('warning', 'ZERO_AMOUNT', 'The authorization moves nothing.', { field: 'authorization.value' }),
    )
  if (isUsdc && value > absurdAmount)
    findings.push(
      finding(
        'danger',
        'ABSURD_AMOUNT',
        `The authorization moves ${dollars(value, 'USDC')}, more than any purchase costs.`,
        { field: 'authorization.value', fix: 'Sign only the amount that the purchase costs.' },
      ),
    )
  findings.push(...requestFindings)
  return createInspection({
    kind: 'usdcAuthorization',
    ...describeUsdcAuthorization({ domain, type, authorization, purchase, isUsdc, now, findings, terms }),
    findings,
    moves: [
      {
        direction: 'out',
        asset: domain.verifyingContract,
        amount: value,
        decimals: isUsdc ? 6 : undefined,
        from,
        to,
      },
    ],
    digests: () =>
      typedDataDigests({
        domain,
        types: usdcAuthorizationTypes[type],
        primaryType: type,
        message: authorization,
      }),
    details: { domain, type, authorization },
  })
}

/** Another token is a danger in a redeem or if it imitates USDC. Otherwise it is a warning, because the token may be legitimate. */
export function usdcDomainFindings(
  domain: TypedDataDomain,
  terms: InspectTerms,
  { isRedeem }: { isRedeem: boolean },
): Finding[] {
  const findings = chainFindings(domain, terms)
  try {
    checkUsdcDomain(domain, usdcOf(domain.chainId, terms))
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const isOther =
      error instanceof UnknownNetworkError ||
      (error.field === 'domain.verifyingContract' && !/^USDC?(?: ?Coin)?$/i.test(domain.name.trim()))
    findings.push(
      finding(isOther && !isRedeem ? 'warning' : 'danger', 'NOT_USDC', error.shortMessage, {
        field: error.field,
        fix: error.fix,
      }),
    )
  }
  return findings
}

/** Returns the pinned test token that replaces the chain's USDC, if any. If the shop is known, ignores the test tokens of other shops. */
const usdcOf = (chainId: number, { pin, pinned = [] }: InspectTerms) =>
  pin === undefined
    ? pinned.find((one) => one.usdc !== undefined && (one.chainId === undefined || one.chainId === chainId))
        ?.usdc
    : pin.usdc

function payerFindings({ from }: UsdcAuthorization, { address }: InspectTerms): Finding[] {
  if (from !== zeroAddress && (address === undefined || sameHex(address, from))) return []
  return [
    finding(
      'danger',
      'WRONG_WALLET',
      `The authorization pays from ${from}${address === undefined ? '' : `, not from ${address}`}.`,
      { field: 'authorization.from', fix: 'Do not sign it with this account.' },
    ),
  ]
}

/** A redeem may pay only the credits contract; any other authorization may also pay a pinned receiver. */
function receiverFindings(to: string, { pin, isLinked, intent }: InspectTerms): Finding[] {
  const field = 'authorization.to'
  if (to === zeroAddress)
    return [finding('danger', 'WRONG_RECEIVER', 'The authorization pays the zero address.', { field })]
  if (pin === undefined)
    return [
      finding('warning', 'UNPINNED_RECEIVER', `The receiver ${to} is not on your trusted list.`, {
        field,
        fix: 'For a redeem, pin the credits contract, which receives the USDC.',
      }),
    ]
  const allowed = [pin.creditsContract, ...(intent === undefined ? (pin.receivers ?? []) : [])]
  if (!isLinked || allowed.some((one) => sameHex(one, to))) return []
  return [
    finding(
      'danger',
      'WRONG_RECEIVER',
      `The receiver is ${to}, not the trusted credits contract ${pin.creditsContract}.`,
      { field, fix: 'Do not sign it.' },
    ),
  ]
}

function typeFindings(type: UsdcAuthorizationType, isRedeem: boolean): Finding[] {
  if (type !== 'TransferWithAuthorization') return []
  return [
    finding(
      'warning',
      'ANYONE_CAN_EXECUTE',
      `Anyone who sees this authorization can execute it${isRedeem ? ' first. The purchase then fails' : ''}.`,
      { field: 'type', fix: 'Prefer ReceiveWithAuthorization.' },
    ),
  ]
}

/** Returns a finding if this wallet has not signed a permit with the same nonce, which commits to the whole purchase. */
function permitFindings(nonce: string, chainId: number, terms: InspectTerms): Finding[] {
  const field = 'authorization.nonce'
  const isSigned = terms.signedPermits?.some((permit) => sameHex(permit.nonce, nonce))
  if (isSigned !== true)
    return [
      finding(
        'warning',
        'UNSIGNED_PERMIT',
        'This wallet knows of no credit permit that you signed for this purchase.',
        { field, fix: 'Pass the permits that the wallet signed as `signedPermits`.' },
      ),
    ]
  // this wallet signed the permit first, as a redeem requires
  const permit = { nonce: nonce as `0x${string}`, chainId } // the nonce was checked to be hex
  return orderFindings(permit, terms, field).filter(({ severity }) => severity !== 'info')
}

/** Compares the fields with the purchase, except receiver and expiry, which are compared with pins and clock (PROTOCOL.md 5.4). */
function comparePurchase(authorization: UsdcAuthorization, purchase: Purchase): Finding[] {
  const { value, validAfter, nonce } = authorization
  return [
    ...differsFindings('authorization.value', purchase.usdcAmount, value),
    ...differsFindings('authorization.nonce', purchase.nonce, nonce),
    ...differsFindings('authorization.validAfter', 0n, validAfter),
    // a purchase without a USDC part needs no authorization at all, not even for 0 USDC
    ...(purchase.usdcAmount === 0n && value === 0n
      ? differsFindings('authorization', 'none', 'present')
      : []),
  ]
}
