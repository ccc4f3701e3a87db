import type { InspectionLine, InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  chainValue,
  line,
  sentence,
  sentenceValue,
  textValue,
} from '../../core/inspection/values.ts'
import { nameOf, quote } from '../findingTexts.ts'
import { type Settlement, shapeOf } from '../transactionData/settlementOf.ts'
import type { InspectTerms } from './pinFor.ts'
import { type Purchase, unpinnedReceiver } from './purchase.ts'

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
