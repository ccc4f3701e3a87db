import type { Finding } from '../../core/finding/finding.ts'
import type { Inspection, InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  chainValue,
  dangersOf,
  dollarValue,
  findingSentence,
  kindValue,
  line,
  refusal,
  sentence,
  sentenceValue,
  timeValue,
  tokenValue,
  tooLong,
} from '../../core/inspection/values.ts'
import { zeroAddress } from '../checkAddress.ts'
import { goodsValue, purchasedLines, shopValue } from '../creditPermit/describeCreditPermit.ts'
import type { InspectTerms } from '../creditPermit/pinFor.ts'
import type { Purchase } from '../creditPermit/purchase.ts'
import { nameOf } from '../findingTexts.ts'
import type { TypedDataDomain } from '../typedData.ts'
import { sameHex } from '../values.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'

type Described = {
  domain: TypedDataDomain
  type: UsdcAuthorizationType
  authorization: UsdcAuthorization
  /** The purchase whose USDC part the authorization pays. */
  purchase: Purchase | undefined
  isUsdc: boolean
  now: bigint
  findings: readonly Finding[]
  terms: InspectTerms
}

/** The title of a refused authorization states the problem, not the purchase. */
export function describeUsdcAuthorization(described: Described): Pick<Inspection, 'title' | 'lines'> {
  const { purchase, findings, terms } = described
  const dangers = dangersOf(findings)
  const { amount, to } = values(described)
  const own = authorizationLines(described, { amount, to })
  if (dangers.length > 0) {
    const rank = ({ code }: Finding) => Number(code !== 'WRONG_RECEIVER')
    dangers.sort((one, other) => rank(one) - rank(other))
    const { title, lines } = refusal(dangers.map((danger) => problem(danger, described)))
    return { title, lines: [...lines, ...own] }
  }
  // only a pinned contract that verifies the intent is certain to use the USDC for this purchase
  if (purchase === undefined || terms.pin === undefined || terms.pin.intentBound === false)
    return { title: sentence('usdc.send', { amount, to }), lines: own }
  const price = dollarValue(purchase.amount)
  return {
    title: sentence('usdc.part', {
      amount,
      to,
      price,
      goods: goodsValue(purchase),
      shop: shopValue(purchase, terms),
    }),
    lines: [...purchasedLines(purchase, terms), line('price', price), ...own],
  }
}

function values({ domain, authorization, isUsdc, terms }: Described) {
  const { to, value } = authorization
  return {
    amount: tokenValue(value, isUsdc ? 'USDC' : { token: domain.verifyingContract }),
    to: addressValue(to, nameOf(to, terms)),
  }
}

function authorizationLines(
  { domain, type, authorization, isUsdc, now }: Described,
  { amount, to }: ReturnType<typeof values>,
): InspectionLine[] {
  const { from, validBefore } = authorization
  const who = sentence(type === 'ReceiveWithAuthorization' ? 'executed.receiver' : 'executed.anyone')
  return [
    ...(isUsdc ? [line('request', kindValue('usdcAuthorization'))] : []),
    line('amount', amount),
    line('receiver', to),
    line('contract', addressValue(domain.verifyingContract)),
    line('chain', chainValue(domain.chainId)),
    line('account', addressValue(from)),
    line('executed', sentenceValue(who)),
    line('until', timeValue(validBefore, now)),
  ]
}

function problem(finding: Finding, described: Described): InspectionSentence {
  const { code, field } = finding
  const { authorization, now, purchase, terms } = described
  const { to } = authorization
  if (code === 'WRONG_RECEIVER' && to !== zeroAddress) {
    const isShop = terms.pin?.receivers?.some((one) => sameHex(one, to))
    const key = isShop === true ? 'usdc.direct' : 'usdc.stranger'
    return sentence(purchase === undefined ? 'usdc.unexpected' : key, values(described))
  }
  if (code === 'EXPIRES_TOO_LATE') return tooLong('usdc', authorization.validBefore - now)
  if (code === 'WRONG_PURCHASE')
    return sentence(field === 'authorization.value' ? 'usdc.otherAmount' : 'otherPurchase')
  return findingSentence(finding)
}
