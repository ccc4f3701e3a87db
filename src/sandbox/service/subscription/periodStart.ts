import type { PlanInterval } from '../../store/states.ts'

const dayMs = 86_400_000

/**
 * When the n-th period after an anchor begins, in UTC. Months and years are counted from the anchor itself: what began on 31
 * January goes on 28 or 29 February and on 31 March.
 */
export function periodStart(anchor: Date, interval: PlanInterval, n: number): Date {
  switch (interval) {
    case 'Daily':
      return new Date(anchor.getTime() + n * dayMs)
    case 'Weekly':
      return new Date(anchor.getTime() + n * 7 * dayMs)
    case 'Monthly':
      return addMonths(anchor, n)
    case 'Yearly':
      return addMonths(anchor, 12 * n)
  }
}

function addMonths(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear()
  const month = anchor.getUTCMonth() + months
  // Day 0 of a month is the last of the one before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = anchor.getTime() % dayMs
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + timeOfDay)
}
