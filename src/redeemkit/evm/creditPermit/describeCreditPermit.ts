import type { Finding } from '../../core/finding/finding.ts'
import type {
  Inspection,
  InspectionLine,
  InspectionSentence,
  InspectionValue,
} from '../../core/inspection/inspection.ts'
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
  sentenceValue,
  textValue,
  timeValue,
  tooLong,
} from '../../core/inspection/values.ts'
import { nameOf, quote } from '../findingTexts.ts'
import { type Settlement, shapeOf } from '../transactionData/settlementOf.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import type { InspectTerms } from './pinFor.ts'
import { type Purchase, unpinnedReceiver } from './purchase.ts'

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

export const purchasedLines = ({ intent, settlement }: Purchase, terms: InspectTerms): InspectionLine[] =>
  goodsLines({ purchaseId: intent.purchaseId, settlement }, (address) => nameOf(address, terms))

export function goodsValue({ intent: { purchaseId }, settlement }: Purchase): InspectionValue {
  if (shapeOf(settlement).nft === 'token') return of('goods.nft', { id: textValue(`${settlement.nftId}`) })
  return purchaseId === undefined
    ? of('goods.any')
    : of('goods.order', { order: textValue(quote(purchaseId)) })
}

const of = (...parts: Parameters<typeof sentence>): InspectionValue => sentenceValue(sentence(...parts))

/**
 * Returns the shop's own name only if its merchant and all receivers are pinned: a page must not choose the name. Without a pinned
 * contract, returns the bare address, because an unknown contract may pay someone else.
 */
export function shopValue({ intent, settlement }: Purchase, terms: InspectTerms): InspectionValue {
  const { pin } = terms
  if (pin === undefined) return addressValue(settlement.target)
  return pin.merchantId === intent.merchantId && unpinnedReceiver(settlement, pin) === undefined
    ? textValue(quote(pin.name ?? intent.merchantId))
    : addressValue(settlement.target, nameOf(settlement.target, terms))
}

export function goodsLines(
  { purchaseId, settlement }: { purchaseId: string | undefined; settlement: Settlement },
  nameOfAddress: (address: string) => string | undefined,
): InspectionLine[] {
  const { target, data, nftContract, nftId, bridge } = settlement
  const { does, nft } = shapeOf(settlement)
  const address = (key: 'receiver' | 'called' | 'nftContract', value: string) =>
    line(key, addressValue(value, nameOfAddress(value)))
  return [
    ...(purchaseId === undefined ? [] : [line('order', textValue(quote(purchaseId)))]),
    address(does === 'transfer' ? 'receiver' : 'called', target),
    ...(data.length < 10 ? [] : [line('function', textValue(data.slice(0, 10)))]),
    ...(nft === 'none' ? [] : [address('nftContract', nftContract)]),
    ...(nft === 'token' ? [line('nft', textValue(`${nftId}`))] : []),
    ...(does === 'bridge' ? [line('otherChain', chainValue(Number(bridge.dstChainId)))] : []),
  ]
}

/** Returns a sentence such as `Buys … at … for $10.00: $6.00 from credits, $4.00 from USDC, fee at most $0.03.` */
export function buySentence(
  purchase: Purchase,
  values: Readonly<Record<'price' | 'credits' | 'usdc' | 'fee', InspectionValue>>,
  terms: InspectTerms,
): InspectionSentence {
  const { amount, usdcAmount } = purchase
  const key = usdcAmount === 0n ? 'buy.credits' : usdcAmount === amount ? 'buy.usdc' : 'buy.both'
  return sentence(key, { ...values, goods: goodsValue(purchase), shop: shopValue(purchase, terms) })
}
