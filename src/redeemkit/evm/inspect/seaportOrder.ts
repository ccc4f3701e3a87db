import { greatest, least } from '../../core/amount/extremes.ts'
import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import { sentence, sentenceValue, textValue } from '../../core/inspection/values.ts'
import { type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import { amountOf, coinValue, type Place } from './tokenTexts.ts'

type Item = Readonly<Record<string, unknown>>

/** Returns the sentence of a Seaport order: the most that the account can give, and the least that it gets back. */
export function orderSentence(
  { layouts, primaryType, message }: OtherTypedData,
  place: Place,
): InspectionSentence | undefined {
  const { offer, consideration, offerer } = message
  if (
    primaryType !== 'OrderComponents' ||
    layouts.ConsiderationItem !== `${layouts.OfferItem},address recipient`
  )
    return undefined
  const items = (list: unknown, worst: typeof least): InspectionValue => {
    const own = (list as Item[]) // anything else throws
      .filter(({ recipient = offerer }) => recipient === offerer)
      .map((one) => itemValue(one, worst, place))
    return { type: 'list', items: own.length > 0 ? own : [coinValue(0n, place)] }
  }
  return sentence('order', { given: items(offer, greatest), received: items(consideration, least) })
}

/** The amount of an item can rise or fall over time. */
function itemValue(item: Item, worst: typeof least, place: Place): InspectionValue {
  const [kind = 0n, id, start = 0n, end = 0n] = [
    item.itemType,
    item.identifierOrCriteria,
    item.startAmount,
    item.endAmount,
  ].map((value) => readUint(value, 'message'))
  const amount = worst(start, end)
  if (kind === 0n) return coinValue(amount, place)
  if (kind === 1n) return amountOf(amount, readAddress(item.token, 'message'), place)
  return sentenceValue(
    kind > 3n
      ? sentence('goods.any')
      : sentence('goods.nft', { id: textValue(amount === 1n ? `${id}` : `${id} × ${amount}`) }),
  )
}
