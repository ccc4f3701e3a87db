import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { freeze } from '../../core/freeze.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import type { CreditPermit, CreditPermitDomain } from '../../evm/creditPermit/creditPermit.ts'
import { creditPermitTypedData, parseCreditPermitMessage } from '../../evm/creditPermit/creditPermit.ts'
import { isBoundNonce } from '../../evm/creditPermit/orderKey.ts'
import type { RedeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { usdcAuthorizationTypedData } from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import {
  checkNotExpired,
  checkNotTooFarAhead,
  type ExpiredError,
  parseUint,
  type TooFarAheadError,
} from '../../evm/values.ts'
import type { CreditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'
import { GasFeeTooHighError, PreparedMismatchError, UnboundPermitError } from '../errors.ts'
import type { PreparedRedeem, RedeemDerived, RedeemTerms, TypedDataJson } from '../preparedRedeem.ts'
import { intentOf } from '../request/intentOf.ts'
import { checksumOf } from './checksumOf.ts'
import { type CheckedUsdc, checkUsdcAuthorization } from './checkUsdcAuthorization.ts'
import { same, sameFields } from './sameFields.ts'
import { summarise, usd } from './summarise.ts'

/** A prepared redeem, and what is signed for it. */
export type CheckedRedeem = {
  prepared: PreparedRedeem
  domain: CreditPermitDomain
  permit: CreditPermit
  usdc?: CheckedUsdc | undefined
}

/**
 * Holds a service's answer against the caller's own terms: every field of it. What is signed
 * afterwards is built anew from the values that were expected.
 *
 * Source: PROTOCOL.md 2 to 6.
 *
 * @param options.now unix seconds; `undefined` looks at no times
 * @throws {@link PreparedMismatchError} with the field that differs; {@link GasFeeTooHighError};
 * {@link UnboundPermitError}; ExpiredError and TooFarAheadError; and what the readers of the two messages throw for unknown layouts
 */
export function checkAnswer(
  terms: RedeemTerms,
  answer: CreditsAuthMsgResponse,
  options: {
    now: bigint | undefined
    allowUnbound?: boolean | undefined
    /** What a dry run has found. */
    dryRun?: readonly Finding[] | undefined
  },
): CheckedRedeem {
  const intent = intentOf(terms)
  const { domain, permit } = parseCreditPermitMessage(answer.message)
  comparePermit(terms, { domain, permit, answer })
  const bound = checkNonce(permit, {
    intent,
    answer,
    opaque: terms.pinned.intentBound === false,
    allowUnbound: options.allowUnbound,
  })
  checkEnd(permit, answer, options.now)
  const gasFee = checkCharge(terms, { intent, permit, answer })
  const usdc = checkUsdcAuthorization(terms, intent, permit, answer, bound)

  const derived: RedeemDerived = {
    amount: `${intent.amount}`,
    usdcAmount: `${intent.usdcAmount}`,
    gasFee: `${gasFee}`,
    bound,
    typedData: {
      creditPermit: toJson(creditPermitTypedData({ domain, permit })),
      ...(usdc && {
        usdcAuthorization: toJson(usdcAuthorizationTypedData({ chainId: terms.chainId, ...usdc })),
      }),
    },
    summary: summarise(terms, { ...intent, gasFee, validBefore: permit.validBefore, bound }),
    ...(options.dryRun && { dryRun: options.dryRun }),
    findings: [...(options.dryRun ?? []), ...findingsOf({ bound, gasFee, most: permit.amount, usdc })],
  }
  const prepared = { version: 1 as const, ...terms, ...derived, answer: pick(answer, terms) }
  return {
    prepared: freeze({ ...prepared, checksum: checksumOf(prepared) }),
    domain,
    permit,
    usdc,
  }
}

export declare namespace checkAnswer {
  type ErrorType =
    | intentOf.ErrorType
    | parseCreditPermitMessage.ErrorType
    | creditPermitTypedData.ErrorType
    | checkUsdcAuthorization.ErrorType
    | usdcAuthorizationTypedData.ErrorType
    | summarise.ErrorType
    | sameFields.ErrorType
    | ExpiredError
    | GasFeeTooHighError
    | TooFarAheadError
    | UnboundPermitError
}

type Asked = { domain: CreditPermitDomain; permit: CreditPermit; answer: CreditsAuthMsgResponse }

/** Domain, wallet, credit seed, order key and salt are the caller's own. */
function comparePermit(
  { chainId, wallet, pinned, orderKey, salt }: RedeemTerms,
  { domain, permit, answer }: Asked,
): void {
  sameFields('message.domain', domain, {
    name: pinned.domainName,
    version: pinned.domainVersion,
    chainId,
    verifyingContract: pinned.creditsContract,
  })
  same('message.customerWallet', wallet, permit.customerWallet)
  same('message.creditSeed', pinned.creditSeed, permit.creditSeed)
  if (pinned.intentBound === false) return
  same('salt', salt, answer.salt?.toLowerCase() ?? salt)
  same('orderKey', orderKey, answer.orderKey?.toLowerCase() ?? orderKey)
}

/**
 * The nonce is the commitment to the caller's own intent (PROTOCOL.md 4), unless the pins say that the service knows no such
 * nonces: then any of its bits may be set, and it commits to nothing.
 *
 * @returns whether it is bound; an unbound one passes only when the caller allows it
 */
function checkNonce(
  permit: CreditPermit,
  options: {
    intent: RedeemIntent
    answer: CreditsAuthMsgResponse
    opaque: boolean
    allowUnbound: boolean | undefined
  },
): boolean {
  const { intent, answer, opaque, allowUnbound } = options
  const nonce = permit.nonce.toLowerCase()
  same('nonce', nonce, answer.nonce.toLowerCase())
  if (opaque) return false
  const bound = isBoundNonce(permit.nonce)
  if (bound) same('message.nonce', intent.nonce, nonce)
  else if (allowUnbound !== true)
    throw new UnboundPermitError(
      'The permit is not bound to what it will pay for: bit 255 of its nonce is clear.',
      {
        field: 'message.nonce',
        fix: 'Do not sign: whoever relays it could spend it on something else. A service that you trust with that needs allowUnbound, or the pin intentBound: false when it knows no bound permits at all.',
      },
    )
  return bound
}

/** The end is the one that the answer names, and within the limits (PROTOCOL.md 3.3). */
function checkEnd(permit: CreditPermit, answer: CreditsAuthMsgResponse, now: bigint | undefined): void {
  same('validBefore', permit.validBefore, parseUint(answer.validBefore, 'validBefore'))
  if (now === undefined) return
  checkNotExpired(permit.validBefore, now, 'validBefore', permitMinimumSeconds)
  checkNotTooFarAhead(permit.validBefore, now, 'validBefore', permitMaximumSeconds)
}

/** The permit covers the subtotal, and no more gas fee than is allowed (PROTOCOL.md 6.1). Returns the gas fee, raw units. */
function checkCharge(
  { pinned }: RedeemTerms,
  options: { intent: RedeemIntent; permit: CreditPermit; answer: CreditsAuthMsgResponse },
): bigint {
  const { intent, permit, answer } = options
  const fromCredits = intent.amount - intent.usdcAmount
  same('creditsRawAmount', permit.amount, BigInt(answer.creditsRawAmount))
  const gasFee = permit.amount - fromCredits
  if (gasFee < 0n)
    throw new PreparedMismatchError(
      'message.amount',
      `at least ${fromCredits}`,
      permit.amount,
      'Do not sign: the permit would not cover the subtotal. The service is wrong.',
    )
  if (gasFee > centsToAmount(pinned.maxGasFeeCents))
    throw new GasFeeTooHighError(
      `The gas fee of ${usd(gasFee)} USD is above ${pinned.maxGasFeeCents} cents.`,
      {
        field: 'message.amount',
        fix: 'Wait until gas is cheaper, or allow more with pinned.maxGasFeeCents.',
      },
    )
  return gasFee
}

/** What a person should know before signing, although it passes. */
function findingsOf(options: {
  bound: boolean
  gasFee: bigint
  most: bigint
  usdc: CheckedUsdc | undefined
}): Finding[] {
  const { bound, gasFee, most, usdc } = options
  const findings: Finding[] = []
  if (!bound)
    findings.push(
      finding(
        'warning',
        'UNBOUND_PERMIT',
        `The permit does not say what it will pay for: the service that relays it is trusted with up to ${usd(most)} USD of credits.`,
        { field: 'nonce' },
      ),
    )
  if (gasFee % amountPerCent !== 0n)
    findings.push(
      finding(
        'warning',
        'GAS_FEE_NOT_WHOLE_CENTS',
        `The gas fee of ${usd(gasFee)} USD is not a whole number of cents.`,
        { field: 'creditsRawAmount' },
      ),
    )
  if (usdc?.type === 'TransferWithAuthorization')
    findings.push(
      finding(
        'warning',
        'TRANSFER_AUTHORIZATION',
        `Anybody who sees the USDC authorization can land it early; the redeem then fails, and the USDC is the credits contract's until its operator credits it back.`,
        { field: 'usdcAuthorization' },
      ),
    )
  return findings
}

/** The known fields of the answer: they are checked, stored and sent; others are not. */
function pick(answer: CreditsAuthMsgResponse, { pinned }: RedeemTerms) {
  const { message, validBefore, nonce, creditsRawAmount, usdcAuthorization } = answer
  // Random nonces have neither salt nor order.
  const { salt, orderKey } = pinned.intentBound === false ? {} : answer
  const own = { ...(salt !== undefined && { salt }), ...(orderKey !== undefined && { orderKey }) }
  if (usdcAuthorization === undefined) return { message, validBefore, nonce, creditsRawAmount, ...own }
  const { from, to, value, validAfter, validBefore: end, nonce: usdcNonce } = usdcAuthorization.messageData
  return {
    message,
    validBefore,
    nonce,
    creditsRawAmount,
    ...own,
    usdcAuthorization: {
      message: usdcAuthorization.message,
      messageData: { from, to, value, validAfter, validBefore: end, nonce: usdcNonce },
    },
  }
}

/** Typed data with its integers as decimal text. */
function toJson(typedData: object): TypedDataJson {
  // The shape stays what it was; only bigints become text.
  return JSON.parse(
    JSON.stringify(typedData, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  ) as TypedDataJson
}
