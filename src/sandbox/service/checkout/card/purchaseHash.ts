import { hashSecret } from '../../../store/hashSecret.ts'

/** SHA-256 of a purchase, whatever the order of its fields: of plain JSON. */
export function purchaseHash(purchase: unknown): string {
  return hashSecret(JSON.stringify(sorted(purchase)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, part]) => [name, sorted(part)]))
}
