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
  purchaseLines,
  refusal,
  sentence,
  textValue,
  timeValue,
  tooLong,
} from '../../core/inspection/values.ts'
import { nameOf, quote } from '../findingTexts.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import { buySentence, purchasedLines } from './describePurchase.ts'
import type { InspectTerms } from './pinFor.ts'
import type { Purchase } from './purchase.ts'

type Described = {
  domain: CreditPermitDomain
  permit: CreditPermit
  purchase: Purchase | undefined
  intentBound: boolean
  now: bigint
  findings: readonly Finding[]
  terms: InspectTerms
}

/** The title of a refused permit states the problem, not the purchase. */
export function describeCreditPermit(described: Described): Pick<Inspection, 'title' | 'lines'> {
  const { purchase, intentBound, findings, terms, permit } = described
  const dangers = dangersOf(findings)
  if (dangers.length > 0) {
    // an untrusted contract is the worst problem, so its finding comes first
    const rank = ({ code }: Finding) => Number(code !== 'UNPINNED_CONTRACT')
    dangers.sort((one, other) => rank(one) - rank(other))
    const { title, lines } = refusal(dangers.map((danger) => problem(danger, described)))
    return { title, lines: [...lines, ...permitLines(described)] }
  }
  if (purchase === undefined || !intentBound)
    return {
      title: sentence(intentBound ? 'permit.unseen' : 'permit.trusted', values(described)),
      lines: permitLines(described),
    }
  const { amount, usdcAmount } = purchase
  const fee = permit.amount - (amount - usdcAmount)
  const dollars = {
    price: dollarValue(amount),
    credits: dollarValue(amount - usdcAmount),
    usdc: dollarValue(usdcAmount),
    fee: dollarValue(fee),
  }
  return {
    title: buySentence(purchase, dollars, terms),
    lines: [
      ...purchasedLines(purchase, terms),
      ...purchaseLines({ amount, usdcAmount, fee }),
      ...permitLines(described),
    ],
  }
}

function values({ domain, permit, terms }: Described) {
  const { verifyingContract } = domain
  return {
    contract: addressValue(verifyingContract, nameOf(verifyingContract, terms)),
    amount: dollarValue(permit.amount),
    balance: textValue(quote(permit.creditSeed)),
  }
}

function permitLines(described: Described): InspectionLine[] {
  const { domain, permit, now } = described
  const { contract, amount, balance } = values(described)
  return [
    line('request', kindValue('creditPermit')),
    line('most', amount),
    line('balance', balance),
    line('contract', contract),
    line('chain', chainValue(domain.chainId)),
    line('account', addressValue(permit.customerWallet)),
    line('until', timeValue(permit.validBefore, now)),
  ]
}

function problem(finding: Finding, described: Described): InspectionSentence {
  const { code, field } = finding
  const { permit, purchase, now } = described
  if (code === 'UNPINNED_CONTRACT') return sentence('permit.untrusted', values(described))
  if (code === 'FEE_TOO_HIGH' && purchase !== undefined) {
    const credits = purchase.amount - purchase.usdcAmount
    return sentence(purchase.usdcAmount === 0n ? 'permit.fee' : 'permit.feeOfPart', {
      amount: dollarValue(permit.amount),
      price: dollarValue(purchase.amount),
      credits: dollarValue(credits),
      extra: dollarValue(permit.amount - credits),
    })
  }
  if (code === 'EXPIRES_TOO_LATE') return tooLong('permit', permit.validBefore - now)
  if (code === 'WRONG_PURCHASE') return sentence(field === 'permit.amount' ? 'permit.less' : 'otherPurchase')
  return findingSentence(finding)
}
