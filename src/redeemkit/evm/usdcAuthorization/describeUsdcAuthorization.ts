import type { Finding } from '../../core/finding/finding.ts'
import { shortAddress } from '../../core/shortAddress.ts'
import type { Purchase } from '../creditPermit/purchase.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { chainText, grouped, plainDollars, span, until, usd } from '../findingTexts.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'

type Described = {
  domain: TypedDataDomain
  type: UsdcAuthorizationType
  authorization: UsdcAuthorization
  /** The purchase that it is a part of. */
  purchase: Purchase | undefined
  inRedeem: boolean
  now: bigint
  findings: readonly Finding[]
}

/** One sentence about an authorization. One that must not be signed is described by what is wrong with it, never by the purchase. */
export function describeUsdcAuthorization(described: Described): string {
  const { domain, type, authorization, purchase, now, findings } = described
  const { from, to, value, validBefore } = authorization
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.length > 0) return refusal(described, dangers)
  const why =
    purchase === undefined ? '' : `, a part of this purchase of ${usd(purchase.amount)}: ${purchase.text}`
  return `Sends ${usdc(value)} (${domain.verifyingContract}) from ${from} to ${to} on ${chainText(domain.chainId)}, ${type === 'ReceiveWithAuthorization' ? 'taken by the receiver' : 'executed by anyone'} ${until(validBefore, now)}${why}.`
}

const usdc = (amount: bigint) => `${grouped(plainDollars(amount))} USDC`

function refusal(described: Described, dangers: readonly Finding[]): string {
  const { domain, authorization, inRedeem } = described
  const codes = dangers.map(({ code }) => code)
  const token = shortAddress(domain.verifyingContract)
  const chain = chainText(domain.chainId)
  const to = shortAddress(authorization.to)
  const isUsdc = !codes.includes('NOT_USDC')
  const what = isUsdc ? usdc(authorization.value) : `${authorization.value} raw units of the token ${token}`
  const problems = dangers
    .filter(({ code }) => code !== 'WRONG_RECEIVER')
    .map((finding) => problem(finding, described))
  const contract = isUsdc ? ` USDC is the contract ${token} on ${chain}.` : ''
  const place = isUsdc ? '' : ` on ${chain}`
  const facts = codes.includes('WRONG_RECEIVER')
    ? `Sends ${what} to ${to}${place}, which is not ${inRedeem ? 'the shop you are paying' : 'the receiver you expect'}.${contract}`
    : `It would send ${what} to ${to}${place}.${contract}`
  return [...new Set(codes.includes('WRONG_RECEIVER') ? [facts, ...problems] : [...problems, facts])].join(
    ' ',
  )
}

function problem({ code, field, message }: Finding, { authorization, now }: Described): string {
  if (code === 'EXPIRES_TOO_LATE')
    return `${authorization.validBefore - now > 3_153_600_000n ? 'Never expires.' : `Expires in ${span(authorization.validBefore - now)}.`} The USDC part of a redeem lasts at most one hour.`
  if (code === 'WRONG_PURCHASE')
    return field === 'authorization.value'
      ? 'It sends another amount of USDC than your purchase needs.'
      : 'It pays for another purchase than yours.'
  return message
}
