import { formatAmount } from '../../core/amount/formatAmount.ts'
import { tempoTokenName } from '../network/tempoTokens.ts'
import type { DescribedCall } from './describeTempoCall.ts'
import type { TempoMovement } from './tempoMovement.ts'

/** So many calls are told one by one. */
const toldCalls = 4

/** The calls of a transaction in words: the first ones each, and of the others how many they are and what leaves by them. */
export function tellCalls(calls: readonly DescribedCall[], chainId: number): string {
  const told = calls.slice(0, toldCalls).map(({ words }) => words)
  const others = calls.slice(toldCalls)
  if (others.length === 0) return told.join('; then ')
  const sums = sumsOf(
    others.flatMap(({ movements }) => movements),
    chainId,
  )
  const leaves = sums.length === 0 ? '' : `, by which ${sums.join(' and ')} leave it`
  return [...told, `makes ${others.length} call${others.length === 1 ? '' : 's'} more${leaves}`].join(
    '; then ',
  )
}

/** What leaves the account, one sum for each token. */
function sumsOf(movements: readonly TempoMovement[], chainId: number): string[] {
  const sums = new Map<string, bigint>()
  for (const { amount, contract, direction, what } of movements) {
    if (direction !== 'out' || what === 'allowance') continue
    const name = what === 'credits' ? 'USD of credits' : tempoTokenName(contract, chainId)
    sums.set(name, (sums.get(name) ?? 0n) + amount)
  }
  return [...sums].map(([name, sum]) => `${formatAmount(sum, { decimals: 6, minimumPlaces: 2 })} ${name}`)
}
