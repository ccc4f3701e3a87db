import { baseFee } from '../entries/state.ts'

const percentiles = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99]

/** Least, most, most frequent and percentiles of fees, in stroops, as text. Without any, all are the least that a ledger takes. */
export function feeDistribution(fees: readonly bigint[]): Record<string, string> {
  const sorted = fees.length === 0 ? [baseFee] : [...fees].sort((a, b) => Number(a - b))
  const at = (share: number) => String(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)])
  const counts = new Map<bigint, number>()
  for (const fee of sorted) counts.set(fee, (counts.get(fee) ?? 0) + 1)
  const [mode] = [...counts].sort(([, a], [, b]) => b - a)
  return {
    max: at(1),
    min: at(0),
    mode: String(mode?.[0]),
    ...Object.fromEntries(percentiles.map((percentile) => [`p${percentile}`, at(percentile / 100)])),
  }
}
