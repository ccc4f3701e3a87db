import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Database } from '../../src/sandbox/store/database.ts'

/** By printable name: `{ 'API key': 'sk_…', 'card number': '4242424242424242' }`. */
export type Secrets = Readonly<Record<string, string>>

/** `things` are texts, errors with their causes, log entries. Returns one line per match: `API key as base64, in log[3]`. */
export function searchThings(things: readonly unknown[], secrets: Secrets, place = 'log'): string[] {
  return things.flatMap((thing, index) =>
    findIn(
      typeof thing === 'string'
        ? thing
        : inspect(thing, { depth: 12, maxStringLength: null, showHidden: true }),
      secrets,
      `${place}[${index}]`,
    ),
  )
}

/** `except` has columns that may hold a secret, such as `transactions.raw`, which is public once it is sent. */
export async function searchDatabase(
  database: Database,
  secrets: Secrets,
  options: { except?: readonly string[] } = {},
): Promise<string[]> {
  const { except = [] } = options
  const columns = rowsOf(
    await database.execute(
      sql`select table_name, column_name from information_schema.columns where table_schema = 'public'`,
    ),
  )
  const found: string[] = []
  for (const { table_name: table, column_name: column } of columns) {
    if (except.includes(`${table}.${column}`)) continue
    const values = rowsOf(
      await database.execute(
        sql`select ${sql.identifier(String(column))}::text as text from ${sql.identifier(String(table))}`,
      ),
    )
    for (const { text } of values)
      if (typeof text === 'string') found.push(...findIn(text, secrets, `${table}.${column}`))
  }
  return [...new Set(found)]
}

function rowsOf(answer: unknown): Record<string, unknown>[] {
  // The results of PGlite and of the PostgreSQL client both have `rows`.
  return (answer as { rows: Record<string, unknown>[] }).rows
}

function findIn(text: string, secrets: Secrets, place: string): string[] {
  const plain = text.toLowerCase()
  // Digits of a card number with spaces or hyphens between them.
  const digits = text.replace(/[\s-]/g, '')
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(formsOf(secret))
      .filter(([form, needle]) =>
        (form === 'in groups' ? digits : form === 'itself' ? plain : text).includes(needle),
      )
      .map(([form]) => `${name} as ${form}, in ${place}`),
  )
}

/** Below 12 characters, only the plain text is searched, because other text could contain the encodings by chance. */
function formsOf(secret: string): Record<string, string> {
  if (secret.length < 6) throw new Error('A secret this short matches by chance.')
  const bytes = Buffer.from(secret)
  // Without the characters that depend on adjacent bytes.
  const base64 = bytes.toString('base64').replace(/=+$/, '').slice(0, -1)
  return {
    itself: secret.toLowerCase().replace(/^0x/, ''),
    ...(/^\d{12,19}$/.test(secret) && { 'in groups': secret }),
    ...(secret.length >= 12 && {
      base64,
      base64url: base64.replaceAll('+', '-').replaceAll('/', '_'),
      hex: bytes.toString('hex'),
      ...(encodeURIComponent(secret) !== secret && { 'a part of a URL': encodeURIComponent(secret) }),
    }),
  }
}
