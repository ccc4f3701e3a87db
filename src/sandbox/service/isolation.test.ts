import { getTableColumns, is, sql } from 'drizzle-orm'
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockchains } from '../../core/blockchains.ts'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import * as states from '../store/states.ts'
import * as tables from '../store/tables/index.ts'
import { createApp } from './http/createApp.ts'
import type { Route } from './http/route.ts'
import { routes as allRoutes } from './routes.ts'
import { testKeys, testService } from './service.fixture.ts'

/**
 * No merchant sees or changes what is another's, at any route of `routes.ts` and with any table of `tables/`: new ones are found by
 * themselves. Every table with a merchant gets a row of the shop, whose texts are marked; then each route is called by another merchant, with
 * the shop's own ids in path and body.
 */
const mark = 'only-the-shop-knows'
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** A customer's pages, whose long random address is the credential (PROTOCOL.md 2.10). */
const pages = /^\/sandbox\/(?:3ds|mobileapp|verifications)\//
const routes = allRoutes.filter(({ path }) => !pages.test(path))

let fixture: Awaited<ReturnType<typeof testService>>
let app: ReturnType<typeof createApp>
let session: string
/** Ids of the shop's rows by the name of their column: `paymentId`, `jobId`. */
const ids = new Map<string, string>()

beforeAll(async () => {
  fixture = await testService()
  // Its node does not answer: what needs one says so.
  const chain = connectEvmChain(
    {
      blockchain: 'base',
      rpcUrl: 'http://127.0.0.1:1',
      creditsContract: wallet,
      operatorKey: `0x${'11'.repeat(32)}`,
    },
    'sandbox',
  )
  fixture.service.chains = new Map([['base', chain]])
  app = createApp(fixture.service, routes)
  await seed()
  const answer = await app.request('/api/auth/session-key', {
    headers: { authorization: testKeys.other, 'x-svc-auth-user-id': 'u-1' },
  })
  session = (await answer.json()).key
})
afterAll(() => fixture?.close())

const ownTables = Object.entries(tables).flatMap(([name, table]) =>
  is(table, PgTable) &&
  ('merchantId' in table || 'paymentId' in table) &&
  !['merchants', 'apiKeys'].includes(name)
    ? [{ name, table }]
    : [],
)

/** A row of the shop in each table. */
async function seed(): Promise<void> {
  const database = await fixture.service.database()
  for (const { name, table } of ownTables) {
    const row: Record<string, unknown> = {}
    for (const [field, column] of Object.entries(getTableColumns(table))) {
      const value = seedValue(field, column, name)
      if (value !== undefined) row[field] = value
      if (typeof value === 'string' && field.endsWith('Id') && !ids.has(field) && field !== 'merchantId')
        ids.set(field, value)
    }
    await database.insert(table).values(row)
  }
}

function seedValue(field: string, column: PgColumn, table: string): unknown {
  if (field === 'merchantId') return 'shop'
  if (column.columnType === 'PgSerial') return undefined
  // One payment in all tables that speak of payments.
  if (column.columnType === 'PgText')
    return field.endsWith('Id') ? `${mark}-${field}` : `${mark}-${table}-${field}`
  if (column.columnType === 'PgCustomColumn') return words.find((word) => isTaken(column, word))
  const byType: Record<string, unknown> = {
    boolean: false,
    number: 7,
    date: new Date('2026-06-01T00:00:00Z'),
    json: { mark },
  }
  return byType[column.dataType]
}

const lists = Object.values(states).filter((value) => Array.isArray(value))
/** Whatever a column of a known list, or an amount, may have. */
const words: readonly unknown[] = [7n, ...lists.flat(), ...blockchains]

function isTaken(column: PgColumn, word: unknown): boolean {
  try {
    return column.mapFromDriverValue(String(word)) === word
  } catch {
    return false
  }
}

/** The shop's rows, as they are. */
async function rows(): Promise<string> {
  const database = await fixture.service.database()
  const found = await Promise.all(
    ownTables.map(({ table }) => {
      const isShops = 'merchantId' in table ? sql`t.merchant_id = 'shop'` : sql`true`
      return database.execute(
        sql`select * from ${table} as t where ${isShops} and t::text like ${`%${mark}%`}`,
      )
    }),
  )
  return JSON.stringify(found.map((answer) => Object(answer).rows))
}

/** What a call answers, with a body that was completed until the service takes it. */
async function ask(route: Route, credentials: Record<string, string>) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids.get(name) ?? 'shop')
  const headers = {
    'x-svc-auth-wallet': wallet,
    'x-svc-auth-blockchain': 'base',
    'x-svc-auth-user-id': 'u-1',
    'content-type': 'application/json',
    ...credentials,
  }
  const body: Record<string, unknown> = {}
  const tried = new Map<string, number>()
  for (;;) {
    const init = route.method === 'GET' ? {} : { body: JSON.stringify(body) }
    const response = await app.request(path, { method: route.method, headers, ...init })
    const text = await response.text()
    const answer: { issues?: string[] } = text.startsWith('{') ? JSON.parse(text) : {}
    const [field] = (answer.issues ?? []).map((issue) => issue.split(/[.[]/)[0] ?? '')
    const turn = tried.get(field ?? '') ?? 0
    const values = [
      ids.get(field ?? ''),
      ...(named[field ?? ''] ?? []),
      mark,
      { cents: 100 },
      true,
      7,
      {},
      [],
    ]
    if (response.status !== 400 || field === undefined || turn >= values.length || tried.size > 20)
      return { status: response.status, text }
    body[field] = values[turn]
    tried.set(field, turn + 1)
  }
}

/** What fields of these names are in bodies. */
const named: Record<string, readonly unknown[]> = {
  merchantId: ['shop'],
  name: ['theirs'],
  blockchain: ['base'],
  wallet: [wallet],
  programId: [wallet],
  destination: [wallet],
  transactionData: [{ type: 'token', destination: wallet }],
}

const credentialsOf = {
  'with its API key': () => ({ authorization: testKeys.other }),
  'with its session key': () => ({ 'x-svc-auth-session-key': session }),
  'with both': () => ({ authorization: testKeys.other, 'x-svc-auth-session-key': session }),
}

describe.each(Object.entries(credentialsOf))('another merchant %s', (_, credentials) => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_name, route) => {
      const before = await rows()
      const { text } = await ask(route, credentials())
      // Its own path and body may come back; what the row holds may not.
      const told = [...ids.values()].reduce((rest, id) => rest.replaceAll(id, ''), text)
      expect(told).not.toContain(mark)
      expect(await rows()).toBe(before)
    },
  )
})

test('the shop itself is told what it has', async () => {
  const told = await Promise.all(
    routes
      .filter(({ method }) => method === 'GET')
      .map(async (route) => ({ path: route.path, ...(await ask(route, { authorization: testKeys.shop })) })),
  )
  const seen = told
    .filter(({ status, text }) => status === 200 && text.includes(mark))
    .map(({ path }) => path)
  expect(seen).toContain('/sandbox/programs')
})

test('a row of another merchant is as one that is not there', async () => {
  const byId = routes.filter(
    ({ method, path }) => method === 'GET' && [...ids.keys()].some((name) => path.includes(`:${name}`)),
  )
  expect(byId.map(({ path }) => path)).toContain('/api/merchant/credits/status/:jobId')
  for (const route of byId) {
    const theirs = await ask(route, { authorization: testKeys.other })
    const none = await app.request(route.path.replace(/:\w+/g, 'nothing'), {
      headers: { authorization: testKeys.other },
    })
    expect({ path: route.path, status: theirs.status }).toEqual({ path: route.path, status: none.status })
  }
})
