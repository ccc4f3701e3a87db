import { amountPerCent, centsToAmount, type formatAmount } from '../../core/amount.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { freeze } from '../../core/freeze.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { jsonText } from '../../core/parseJson.ts'
import {
  type CreditPermit,
  type CreditPermitDomain,
  creditPermitTypedData,
  parseCreditPermitMessage,
} from '../../evm/creditPermit/creditPermit.ts'
import { isIntentBoundNonce } from '../../evm/creditPermit/orderKey.ts'
import type { RedeemIntent, redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import type { networkOf } from '../../evm/networks.ts'
import type { describeTransactionData } from '../../evm/transactionData/decodeTransactionData.ts'
import {
  parseUsdcAuthorizationMessage,
  readAuthorization,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
} from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import {
  checkNotExpired,
  checkNotTooFarAhead,
  type ExpiredError,
  parseUint,
  type TooFarAheadError,
} from '../../evm/values.ts'
import type { CreditsAuthMsgResponse } from '../../schema/redeem.ts'
import { GasFeeTooHighError, PreparedMismatchError, RandomNonceError } from '../errors.ts'
import type { PreparedRedeem, RedeemDerived, RedeemTerms, TypedDataJson } from '../preparedRedeem.ts'
import { checksumOf, same, sameFields } from './compare.ts'
import { intentOf } from './intentOf.ts'
import { summarise, usd } from './summarise.ts'

export type CheckedRedeem = {
  prepared: PreparedRedeem
  domain: CreditPermitDomain
  permit: CreditPermit
  usdc?: CheckedUsdc | undefined
}

/** Compares the response with the caller's own terms (PROTOCOL.md 2 to 6). The wallet later signs the caller's values. */
export function checkAnswer(
  terms: RedeemTerms,
  answer: CreditsAuthMsgResponse,
  options: {
    now: bigint | undefined
    allowRandomNonce?: boolean | undefined
    dryRun?: readonly Finding[] | undefined
  },
): CheckedRedeem {
  const intent = intentOf(terms)
  const { domain, permit } = parseCreditPermitMessage(answer.message)
  comparePermit(terms, { domain, permit, answer })
  const intentBound = checkNonce(permit, {
    intent,
    answer,
    randomNonce: terms.pinned.intentBound === false,
    allowRandomNonce: options.allowRandomNonce,
  })
  checkEnd(permit, answer, options.now)
  const gasFee = checkCharge(terms, { intent, permit, answer })
  const usdc = checkUsdcAuthorization(terms, intent, permit, answer, intentBound)

  const derived: RedeemDerived = {
    amount: `${intent.amount}`,
    usdcAmount: `${intent.usdcAmount}`,
    gasFee: `${gasFee}`,
    intentBound,
    typedData: {
      creditPermit: toJson(creditPermitTypedData({ domain, permit })),
      ...(usdc && {
        usdcAuthorization: toJson(usdcAuthorizationTypedData({ chainId: terms.chainId, ...usdc })),
      }),
    },
    summary: summarise(terms, { ...intent, gasFee, validBefore: permit.validBefore, intentBound }),
    ...(options.dryRun && { dryRun: options.dryRun }),
    findings: [...(options.dryRun ?? []), ...findingsOf({ intentBound, gasFee, most: permit.amount, usdc })],
  }
  const prepared = { version: 1 as const, ...terms, ...derived, answer: pick(answer) }
  return {
    prepared: freeze({ ...prepared, checksum: checksumOf(prepared) }),
    domain,
    permit,
    usdc,
  }
}

export declare namespace checkAnswer {
  type ErrorType =
    | redeemIntent.ErrorType
    | parseCreditPermitMessage.ErrorType
    | creditPermitTypedData.ErrorType
    | parseUsdcAuthorizationMessage.ErrorType
    | same.ErrorType
    | usdcAuthorizationTypedData.ErrorType
    | describeTransactionData.ErrorType
    | formatAmount.ErrorType
    | networkOf.ErrorType
    | ExpiredError
    | GasFeeTooHighError
    | TooFarAheadError
    | RandomNonceError
}

type Asked = { domain: CreditPermitDomain; permit: CreditPermit; answer: CreditsAuthMsgResponse }

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

/** Returns whether the nonce commits to the intent (PROTOCOL.md 4). A random nonce passes only if the pins and the caller allow it. */
function checkNonce(
  permit: CreditPermit,
  options: {
    intent: RedeemIntent
    answer: CreditsAuthMsgResponse
    randomNonce: boolean
    allowRandomNonce: boolean | undefined
  },
): boolean {
  const { intent, answer, randomNonce, allowRandomNonce } = options
  const nonce = permit.nonce.toLowerCase()
  same('nonce', nonce, answer.nonce.toLowerCase())
  if (randomNonce) return false
  const intentBound = isIntentBoundNonce(permit.nonce)
  if (intentBound) same('message.nonce', intent.nonce, nonce)
  else if (allowRandomNonce !== true)
    throw new RandomNonceError(
      'The permit has a random nonce, which does not commit to the purchase: bit 255 is clear.',
      {
        field: 'message.nonce',
        fix: 'Do not sign: the relayer could spend the permit on something else. If you trust the service not to, pass `allowRandomNonce`, or pin `intentBound: false` for a service that always uses random nonces.',
      },
    )
  return intentBound
}

/** The expiry must match the response and be within the limits (PROTOCOL.md 3.3). */
function checkEnd(permit: CreditPermit, answer: CreditsAuthMsgResponse, now: bigint | undefined): void {
  same('validBefore', permit.validBefore, parseUint(answer.validBefore, 'validBefore'))
  if (now === undefined) return
  checkNotExpired(permit.validBefore, now, 'validBefore', permitMinimumSeconds)
  checkNotTooFarAhead(permit.validBefore, now, 'validBefore', permitMaximumSeconds)
}

/** The permit must cover the subtotal, and no more gas fee than allowed (PROTOCOL.md 6.1). Returns the gas fee in raw units. */
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
      'Do not sign: the service sent a permit that does not cover the subtotal.',
    )
  if (gasFee > centsToAmount(pinned.maxGasFeeCents))
    throw new GasFeeTooHighError(
      `The gas fee of ${usd(gasFee)} USD is above the maximum of ${usd(centsToAmount(pinned.maxGasFeeCents))} USD.`,
      {
        field: 'message.amount',
        fix: 'Wait until gas is cheaper, or raise pinned.maxGasFeeCents.',
      },
    )
  return gasFee
}

function findingsOf(options: {
  intentBound: boolean
  gasFee: bigint
  most: bigint
  usdc: CheckedUsdc | undefined
}): Finding[] {
  const { intentBound, gasFee, most, usdc } = options
  const findings: Finding[] = []
  if (!intentBound)
    findings.push(
      finding(
        'warning',
        'RANDOM_NONCE',
        `The permit does not commit to the purchase: the service could spend up to ${usd(most)} USD of credits on something else.`,
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
        `Anyone who sees the USDC authorization can execute it first. The redeem then fails, and the USDC stays in the credits contract until its operator refunds it.`,
        { field: 'usdcAuthorization' },
      ),
    )
  return findings
}

/** These fields are stored and submitted. Salt and order key are the caller's own. */
function pick({ message, validBefore, nonce, creditsRawAmount, usdcAuthorization }: CreditsAuthMsgResponse) {
  const own = { message, validBefore, nonce, creditsRawAmount }
  if (usdcAuthorization === undefined) return own
  const { from, to, value, validAfter, validBefore: end, nonce: usdcNonce } = usdcAuthorization.messageData
  return {
    ...own,
    usdcAuthorization: {
      message: usdcAuthorization.message,
      messageData: { from, to, value, validAfter, validBefore: end, nonce: usdcNonce },
    },
  }
}

function toJson(typedData: object): TypedDataJson {
  // Only bigints change.
  return JSON.parse(jsonText(typedData)) as TypedDataJson
}

export type CheckedUsdc = { type: UsdcAuthorizationType; authorization: UsdcAuthorization }

/**
 * The authorization must match the request (PROTOCOL.md 5.4). If the service omits it (2.2), it is built from the caller's own terms. An
 * intent-bound permit requires `ReceiveWithAuthorization`, because anyone could execute a `TransferWithAuthorization` alone.
 */
export function checkUsdcAuthorization(
  { wallet, pinned }: RedeemTerms,
  { usdcAmount, usdc }: RedeemIntent,
  { validBefore, nonce }: CreditPermit,
  answer: CreditsAuthMsgResponse,
  intentBound: boolean,
): CheckedUsdc | undefined {
  const asked = answer.usdcAuthorization
  const expected: UsdcAuthorization = {
    from: wallet,
    to: pinned.creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  if (usdcAmount === 0n || usdc === undefined) {
    same('usdcAuthorization', 'absent', asked === undefined ? 'absent' : 'present')
    return undefined
  }
  const required = intentBound ? 'ReceiveWithAuthorization' : pinned.usdcAuthorizationType
  if (asked === undefined) return { type: required ?? 'ReceiveWithAuthorization', authorization: expected }
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(asked.message)
  if (required !== undefined) same('usdcAuthorization.message.primaryType', required, type)
  // The parser compared the rest of the domain with the pinned USDC of that chain.
  same('usdcAuthorization.message.domain.chainId', usdc.chainId, domain.chainId)
  sameFields('usdcAuthorization.message', authorization, expected)
  const field = 'usdcAuthorization.messageData'
  sameFields(field, readAuthorization(asked.messageData, `${field}.`), expected)
  return { type, authorization }
}
