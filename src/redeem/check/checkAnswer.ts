import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { freeze } from '../../core/freeze.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import type { CreditPermit, CreditPermitDomain } from '../../evm/creditPermit/creditPermit.ts'
import { creditPermitTypedData } from '../../evm/creditPermit/creditPermitTypedData.ts'
import { isBoundNonce } from '../../evm/creditPermit/isBoundNonce.ts'
import { parseCreditPermitMessage } from '../../evm/creditPermit/parseCreditPermitMessage.ts'
import { networkOf } from '../../evm/networks.ts'
import { describeTransactionData } from '../../evm/transactionData/describeTransactionData.ts'
import { parseUsdcAuthorizationMessage } from '../../evm/usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import type {
  UsdcAuthorization,
  UsdcAuthorizationType,
} from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import { usdcAuthorizationTypedData } from '../../evm/usdcAuthorization/usdcAuthorizationTypedData.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkNotExpired, checkNotTooFarAhead } from '../../evm/values/checkTime.ts'
import { parseUint } from '../../evm/values/checkUint.ts'
import type { CreditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'
import type { PreparedRedeem, RedeemDerived, RedeemTerms, TypedDataJson } from '../preparedRedeem.ts'
import { GasFeeTooHighError, PreparedMismatchError, UnboundPermitError } from '../redeemErrors.ts'
import { checksumOf } from './checksumOf.ts'
import { type RedeemIntent, redeemIntent } from './redeemIntent.ts'

/** A prepared redeem, and what is signed for it. */
export type CheckedRedeem = {
  prepared: PreparedRedeem
  domain: CreditPermitDomain
  permit: CreditPermit
  usdc?: { type: UsdcAuthorizationType; authorization: UsdcAuthorization } | undefined
}

/**
 * Holds a service's answer against the caller's own terms: every field of it, nothing taken on trust. What is signed
 * afterwards is built anew from the values that were expected.
 *
 * Source: decisions, sections 2 to 6.
 *
 * @param options.now unix seconds; `undefined` looks at no times
 * @throws {@link PreparedMismatchError} with the field that differs; {@link GasFeeTooHighError};
 * {@link UnboundPermitError}; ExpiredError and TooFarAheadError; and what the readers of the two messages throw for unknown layouts
 */
export function checkAnswer(
  terms: RedeemTerms,
  answer: CreditsAuthMsgResponse,
  options: { now: bigint | undefined; allowUnbound?: boolean | undefined },
): CheckedRedeem {
  const { chainId, wallet, pinned, salt } = terms
  const intent = redeemIntent(terms)
  const { domain, permit } = parseCreditPermitMessage(answer.message)

  sameFields('message.domain', domain, {
    name: pinned.domainName,
    version: pinned.domainVersion,
    chainId,
    verifyingContract: pinned.creditsContract,
  })
  same('message.customerWallet', wallet, permit.customerWallet)
  same('message.creditSeed', pinned.creditSeed, permit.creditSeed)
  same('salt', salt, answer.salt?.toLowerCase() ?? salt)

  const nonce = permit.nonce.toLowerCase()
  same('nonce', nonce, answer.nonce.toLowerCase())
  const bound = isBoundNonce(permit.nonce)
  if (bound) same('message.nonce', intent.nonce, nonce)
  else if (options.allowUnbound !== true)
    throw new UnboundPermitError(
      'The permit is not bound to what it will pay for: bit 255 of its nonce is clear.',
      {
        field: 'message.nonce',
        fix: 'Do not sign: whoever relays it could spend it on something else. A service that you trust with that needs allowUnbound.',
      },
    )

  same('validBefore', permit.validBefore, parseUint(answer.validBefore, 'validBefore'))
  if (options.now !== undefined) {
    checkNotExpired(permit.validBefore, options.now, 'validBefore', permitMinimumSeconds)
    checkNotTooFarAhead(permit.validBefore, options.now, 'validBefore', permitMaximumSeconds)
  }

  same('creditsRawAmount', permit.amount, BigInt(answer.creditsRawAmount))
  const gasFee = permit.amount - (intent.amount - intent.usdcAmount)
  if (gasFee < 0n)
    throw new PreparedMismatchError(
      'message.amount',
      `at least ${intent.amount - intent.usdcAmount}`,
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

  const usdc = checkUsdc(terms, intent, permit, answer)
  const findings: Finding[] = []
  if (!bound)
    findings.push({
      severity: 'warning',
      code: 'UNBOUND_PERMIT',
      message: 'The permit does not say what it will pay for.',
      field: 'nonce',
    })
  if (gasFee % 10_000n !== 0n)
    findings.push({
      severity: 'warning',
      code: 'GAS_FEE_NOT_WHOLE_CENTS',
      message: `The gas fee of ${usd(gasFee)} USD is not a whole number of cents.`,
      field: 'creditsRawAmount',
    })
  if (usdc?.type === 'TransferWithAuthorization')
    findings.push({
      severity: 'warning',
      code: 'TRANSFER_AUTHORIZATION',
      message:
        'Anybody who sees the USDC authorization can land it early; the redeem then fails and the USDC is credited back.',
      field: 'usdcAuthorization',
    })

  const derived: RedeemDerived = {
    amount: `${intent.amount}`,
    usdcAmount: `${intent.usdcAmount}`,
    gasFee: `${gasFee}`,
    bound,
    typedData: {
      creditPermit: toJson(creditPermitTypedData({ domain, permit })),
      ...(usdc && { usdcAuthorization: toJson(usdcAuthorizationTypedData({ chainId, ...usdc })) }),
    },
    summary: summarise(terms, intent, gasFee, permit.validBefore),
    findings,
  }
  const prepared = { version: 1 as const, ...terms, ...derived, answer: pick(answer) }
  return {
    prepared: freeze({ ...prepared, checksum: checksumOf(prepared) }),
    domain,
    permit,
    usdc,
  }
}

/** The authorization is exactly what the request says (decisions, section 5), and is there when, and only when, USDC is paid. */
function checkUsdc(
  { wallet, pinned }: RedeemTerms,
  { usdcAmount, usdc }: RedeemIntent,
  { validBefore, nonce }: CreditPermit,
  answer: CreditsAuthMsgResponse,
): CheckedRedeem['usdc'] {
  const asked = answer.usdcAuthorization
  if (usdcAmount === 0n || usdc === undefined || asked === undefined) {
    same(
      'usdcAuthorization',
      usdcAmount === 0n ? 'absent' : 'present',
      asked === undefined ? 'absent' : 'present',
    )
    return undefined
  }
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(asked.message)
  // The reader has held the rest of the domain against the pinned USDC of that chain.
  same('usdcAuthorization.message.domain.chainId', usdc.chainId, domain.chainId)
  const expected: UsdcAuthorization = {
    from: wallet,
    to: pinned.creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  sameFields('usdcAuthorization.message', authorization, expected)
  const { from, to, value, ...shown } = asked.messageData
  const field = 'usdcAuthorization.messageData'
  const data: UsdcAuthorization = {
    from: checkAddress(from, `${field}.from`),
    to: checkAddress(to, `${field}.to`),
    value: parseUint(value, `${field}.value`),
    validAfter: parseUint(shown.validAfter, `${field}.validAfter`),
    validBefore: parseUint(shown.validBefore, `${field}.validBefore`),
    nonce: shown.nonce,
  }
  sameFields(field, data, expected)
  return { type, authorization }
}

/** Compares every field that is expected. The nonce is bytes: its letter case says nothing. */
function sameFields<T extends object>(at: string, actual: T, expected: T): void {
  // The fields of an object literal of type T.
  for (const key of Object.keys(expected) as (keyof T & string)[]) {
    const [one, other] = [expected[key], actual[key]]
    same(`${at}.${key}`, key === 'nonce' ? lower(one) : one, key === 'nonce' ? lower(other) : other)
  }
}

const lower = (value: unknown) => String(value).toLowerCase()

function same(field: string, expected: unknown, actual: unknown): void {
  if (expected !== actual) throw new PreparedMismatchError(field, expected, actual)
}

/** The known fields of the answer: they are checked, stored and sent; others are not. */
function pick({
  message,
  validBefore,
  nonce,
  creditsRawAmount,
  salt,
  usdcAuthorization,
}: CreditsAuthMsgResponse) {
  if (usdcAuthorization === undefined)
    return { message, validBefore, nonce, creditsRawAmount, ...(salt !== undefined && { salt }) }
  const { from, to, value, validAfter, validBefore: end, nonce: usdcNonce } = usdcAuthorization.messageData
  return {
    message,
    validBefore,
    nonce,
    creditsRawAmount,
    ...(salt !== undefined && { salt }),
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

const usd = (amount: bigint) => formatAmount(amount, { decimals: 6, minimumPlaces: 2 })

function summarise(
  { chainId, request, pinned }: RedeemTerms,
  { amount, usdcAmount }: RedeemIntent,
  gasFee: bigint,
  validBefore: bigint,
): string {
  const what = describeTransactionData(request.transactionData, usd(amount))
  return `${what} on ${networkOf({ chainId }).name}. Pays ${usd(amount - usdcAmount)} USD from credits of ${JSON.stringify(pinned.creditSeed)}${
    usdcAmount > 0n ? `, ${usd(usdcAmount)} USDC` : ''
  } and at most ${usd(gasFee)} USD for gas. Valid until ${new Date(Number(validBefore) * 1000).toISOString()}.`
}
