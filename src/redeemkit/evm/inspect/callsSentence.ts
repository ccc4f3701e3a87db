import type { InspectionSentence } from '../../core/inspection/inspection.ts'
import { joinSentences, sentence, textValue } from '../../core/inspection/values.ts'
import type { DescribedCall } from '../creditPermit/inspectOptions.ts'
import { sameHex } from '../values.ts'
import { amountOf, coinValue, isNamed, type Place } from './tokenTexts.ts'

/**
 * Summarizes the calls: one call's own sentence; for several calls, their number, the total that leaves the account, the largest other
 * transfer or approval of each kind, and the worst call of unknown effect. The total says "at least" if it omits a call that may take more.
 */
export function callsSentence(
  described: readonly DescribedCall[],
  placeAt: (index: number) => Place,
  { account, isOneChain }: { account: unknown; isOneChain: boolean },
): InspectionSentence {
  const [first] = described
  if (described.length === 1 && first !== undefined) return first.title
  const unknown = described
    .map(({ title }) => title)
    .filter(({ key }) => /^(?:call|create|effect)\b/.test(key))
  let isAll = unknown.length === 0
  const sums = new Map<string, bigint>()
  // only amounts of the same kind are comparable: a worthless token must not hide a known token or an NFT
  const largest = new Map<string, readonly [units: number, title: InspectionSentence]>()
  for (const [index, { moves, grants, title }] of described.entries())
    for (const one of [...moves, ...grants]) {
      const { amount, asset, decimals } = one
      const isMove = 'direction' in one
      // transfers and permits of other accounts take nothing from this account, so they must not hide those that do
      if (
        amount === 0n ||
        (isMove ? one.direction !== 'out' : !sameHex(one.from, String(account ?? one.from)))
      )
        continue
      if (isMove && decimals !== undefined && isOneChain) {
        sums.set(asset, (sums.get(asset) ?? 0n) + one.amount)
        continue
      }
      isAll = false
      const isKnown = decimals !== undefined && isNamed(asset, placeAt(index))
      const kind = isKnown ? 'known' : isOfNft(title) ? 'nft' : 'token'
      const units = amount === 'unlimited' ? Number.POSITIVE_INFINITY : Number(amount) / 10 ** (decimals ?? 0)
      if (units > (largest.get(kind)?.[0] ?? 0)) largest.set(kind, [units, title])
    }
  const items = [...sums].map(([asset, sum]) =>
    asset === 'native' ? coinValue(sum, placeAt(0)) : amountOf(sum, asset, placeAt(0)),
  )
  const key = items.length === 0 ? 'calls' : isAll ? 'calls.out' : 'calls.outAtLeast'
  const all = sentence(key, { count: textValue(`${described.length}`), total: { type: 'list', items } })
  const named = new Set([...largest.values()].map(([, title]) => title))
  const [worst] = unknown.sort((one, other) => dangerOf(other) - dangerOf(one))
  return joinSentences(all, worst === undefined ? named : named.add(worst))
}

/**
 * Ranks a call by its sentence. Code that runs as the account can move everything in it, so it comes first. An unknown function or a new
 * contract comes before a known function that is called with coins.
 */
function dangerOf({ key, values: { also } }: InspectionSentence): number {
  // the title of a call with coins states the coins first, and the call in `also`
  const call = also?.type === 'sentence' ? also.sentence.key : key
  return call === 'call.delegate' ? 2 : /^c(?:all|reate)\b/.test(call) ? 1 : 0
}

const isOfNft = ({ key, values }: InspectionSentence): boolean =>
  /nft/.test(key) ||
  Object.values(values).some((value) => value.type === 'sentence' && isOfNft(value.sentence))
