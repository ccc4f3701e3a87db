import { greatest, least } from '../../core/amount.ts'
import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  joinSentences,
  sentence,
  sentenceValue,
  textValue,
} from '../../core/inspection/values.ts'
import { type OtherTypedData, readAddress, readUint } from './otherTypedData.ts'
import { amountOf, coinValue, type Place } from './tokenTexts.ts'

type Item = Readonly<Record<string, unknown>>

/** More orders than this do not fit into a title. */
const mostOrders = 3

/**
 * Describes a Seaport order by the most that the account can give and the least that it gets back. Describes each order of a tree, because
 * others can execute one of them without the rest.
 */
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
  const [first, ...rest] = isTree ? leavesOf(message.tree).filter(isFilled) : [message]
  if (first === undefined || rest.length >= mostOrders) return undefined
  return joinSentences(
    oneSentence(first, place),
    rest.map((order) => oneSentence(order, place)),
  )
}

function oneSentence(order: Item, place: Place): InspectionSentence {
  const { offer, consideration, offerer } = order
  const items = (list: unknown, worst: typeof least): InspectionValue => {
    const own = (list as Item[]) // anything else throws
      .filter(({ recipient = offerer }) => recipient === offerer)
      .map((one) => itemValue(one, worst, place))
    return { type: 'list', items: own.length > 0 ? own : [coinValue(0n, place)] }
  }
  return sentence('order', { given: items(offer, greatest), received: items(consideration, least) })
}

/** Returns the orders of a tree, which is signed as a whole: nested lists of two. */
const leavesOf = (tree: unknown): Item[] => (Array.isArray(tree) ? tree.flatMap(leavesOf) : [tree as Item]) // anything else throws when it is read

/** Empty orders fill up a tree. */
const isFilled = ({ offer, consideration }: Item) =>
  [offer, consideration].some((list) => (list as Item[]).length !== 0) // anything else throws

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
