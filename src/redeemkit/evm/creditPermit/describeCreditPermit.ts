import type { Finding } from '../../core/finding/finding.ts'
import { shortAddress } from '../../core/shortAddress.ts'
import { chainText, quote, span, until, usd } from '../findingTexts.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import type { Purchase } from './purchase.ts'

type Described = {
  domain: CreditPermitDomain
  permit: CreditPermit
  purchase: Purchase | undefined
  intentBound: boolean
  /** Whether the relayer is trusted with what a permit pays for. */
  trusted: boolean
  now: bigint
  findings: readonly Finding[]
}

/** One sentence about a permit. One that must not be signed is described by what is wrong with it, never by the purchase. */
export function describeCreditPermit(described: Described): string {
  const { domain, permit, now, findings } = described
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.length > 0) return refusal(described, dangers)
  return `Lets ${domain.verifyingContract} on ${chainText(domain.chainId)} spend up to ${usd(permit.amount)} of the credits ${quote(permit.creditSeed)} of ${permit.customerWallet} ${until(permit.validBefore, now)}, for ${paidFor(described)}.`
}

function paidFor({ purchase, intentBound, trusted }: Described): string {
  if (intentBound)
    return purchase === undefined ? 'one purchase that is not shown' : `this purchase: ${purchase.text}`
  return trusted && purchase !== undefined
    ? `a purchase that the relayer chooses and is trusted to make: ${purchase.text}`
    : 'any purchase that the relayer chooses'
}

function refusal(described: Described, dangers: readonly Finding[]): string {
  const { domain, permit } = described
  const contract = shortAddress(domain.verifyingContract)
  const chain = chainText(domain.chainId)
  const codes = dangers.map(({ code }) => code)
  const problems = dangers
    .filter(({ code }) => code !== 'UNPINNED_CONTRACT')
    .map((finding) => problem(finding, described, dangers.length === 1))
  const facts = codes.includes('UNPINNED_CONTRACT')
    ? `Lets ${contract}, a contract you do not trust, spend up to ${usd(permit.amount)} of credits on ${chain}.`
    : codes.some((code) => code === 'FEE_TOO_HIGH' || code === 'ABOVE_CAP' || code === 'ABSURD_AMOUNT')
      ? `The contract is ${contract} on ${chain}.`
      : `It would let ${contract} on ${chain} spend up to ${usd(permit.amount)} of credits.`
  // a contract that is not trusted is worse than anything that it may do
  return [...new Set(codes.includes('UNPINNED_CONTRACT') ? [facts, ...problems] : [...problems, facts])].join(
    ' ',
  )
}

function problem({ code, field, message }: Finding, described: Described, isOnly: boolean): string {
  const { permit, purchase, now } = described
  if (code === 'FEE_TOO_HIGH' && isOnly && purchase !== undefined) {
    const { amount, usdcAmount } = purchase
    const credits = amount - usdcAmount
    const part = usdcAmount === 0n ? '' : `, ${usd(credits)} of it from credits`
    return `Authorizes ${usd(permit.amount)} for a ${usd(amount)} purchase${part}. The extra ${usd(permit.amount - credits)} would be the network fee.`
  }
  if (code === 'EXPIRES_TOO_LATE')
    return `${lifetime(permit.validBefore, now)} A permit for this service lasts at most one hour.`
  if (code === 'WRONG_PURCHASE')
    return field === 'permit.amount'
      ? 'It authorizes less than your purchase costs.'
      : 'It pays for another purchase than yours.'
  return message
}

/** How long it lasts. More than a century is for ever. */
function lifetime(validBefore: bigint, now: bigint): string {
  const left = validBefore - now
  return left > 3_153_600_000n ? 'Never expires.' : `Expires in ${span(left)}.`
}
