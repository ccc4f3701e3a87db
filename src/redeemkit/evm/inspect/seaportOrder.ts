import { greatest, least } from '../../core/amount/extremes.ts'
import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import { addressValue, sentence, sentenceValue, textValue } from '../../core/inspection/values.ts'
import { type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import { amountOf, coinValue, type Place } from './tokenTexts.ts'

type Item = Readonly<Record<string, unknown>>

/** Describes a Seaport order, or a tree of orders, by the most that the account can give and the least that it gets back. */
export function orderSentence(
  { layouts, primaryType, message }: OtherTypedData,
  place: Place,
): InspectionSentence | undefined {
  const isTree =
    primaryType === 'BulkOrder' && /^OrderComponents(?:\[2\])+ tree$/.test(layouts.BulkOrder ?? '')
  if (
    !(isTree || primaryType === 'OrderComponents') ||
    layouts.ConsiderationItem !== `${layouts.OfferItem},address recipient`
  )
    return undefined
  const orders = isTree ? leavesOf(message.tree) : [message]
  const items = (field: 'offer' | 'consideration', worst: typeof least): InspectionValue => {
    const own = orders
      .flatMap((order) =>
        // anything else throws
        (order[field] as Item[]).filter(({ recipient = order.offerer }) => recipient === order.offerer),
      )
      .map((one) => itemValue(one, worst, place))
    return { type: 'list', items: own.length > 0 ? own : [coinValue(0n, place)] }
  }
  return sentence('order', { given: items('offer', greatest), received: items('consideration', least) })
}

/** A tree of orders, signed as a whole, is nested lists of two. */
const leavesOf = (tree: unknown): Item[] => (Array.isArray(tree) ? tree.flatMap(leavesOf) : [tree as Item]) // anything else throws when it is read

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
  const count = amount === 1n ? '' : ` × ${amount}`
  return sentenceValue(
    kind > 3n
      ? sentence('goods.anyNft', {
          contract: addressValue(readAddress(item.token, 'message')),
          count: textValue(count),
        })
      : sentence('goods.nft', { id: textValue(`${id}${count}`) }),
  )
}
