import { isRecord } from './isRecord.ts'
import type { Price } from './view.ts'

/** Totals of the card, as the service answers them (PROTOCOL.md 11.21). */
export function readPrice(totals: unknown): Price | undefined {
  if (!isRecord(totals)) return undefined
  const total = centsOf(totals.total)
  const subtotal = centsOf(totals.subtotal)
  if (total === undefined || subtotal === undefined) return undefined
  const lines = Array.isArray(totals.lines) ? totals.lines : []
  return {
    currency: total.currency,
    totalCents: total.cents,
    subtotalCents: subtotal.cents,
    lines: lines.flatMap((line: unknown) => {
      const { label, cents } = isRecord(line) ? line : {}
      return typeof label === 'string' && typeof cents === 'number'
        ? [{ label: label.slice(0, 120), cents }]
        : []
    }),
  }
}

function centsOf(value: unknown): { cents: number; currency: string } | undefined {
  if (!isRecord(value) || typeof value.cents !== 'number') return undefined
  return { cents: value.cents, currency: typeof value.currency === 'string' ? value.currency : 'USD' }
}
