import { getTableColumns, is, sql } from 'drizzle-orm'
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockchains } from '../../redeemkit/core/blockchains.ts'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import * as states from '../store/states.ts'
import * as tables from '../store/tables/index.ts'
import { signMerchantJwt } from './auth/merchantJwt.ts'
import { testCards } from './checkout/cards.ts'
import { createApp } from './http/createApp.ts'
import type { Route } from './http/route.ts'
import { goodUntil } from './payments/payments.fixture.ts'
import { routes as allRoutes } from './routes.ts'
import { testKeys, testService } from './service.fixture.ts'

/**
 * Checks for every route of `routes.ts` and every table of `tables/` that no merchant can read or change data of another merchant, and no
 * customer data of another customer. Each table with a merchant column gets a row of the shop with marked texts. Then other callers request
 * each route with the shop's ids and tokens in path and body. New tables are included automatically. A new route needs an entry in `cases`.
 * Its statuses must come from the check of the credentials, not from an invalid body.
 */
const mark = 'only-the-shop-knows'
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/**
 * Excludes pages for customers, whose long random URL is the credential (PROTOCOL.md 2.10), and the files of the card form,
 * which are the same for every customer (PROTOCOL.md 10.8).
 */
const pages = /^\/sandbox\/(?:3ds|mobileapp|verifications)\/|\/form\.(?:js|css)$/
const routes = allRoutes.filter(({ path }) => !pages.test(path))

let fixture: Awaited<ReturnType<typeof testService>>
let app: ReturnType<typeof createApp>
let session: string
/** Headers of a different customer of the shop. */
let customer: string
/** Ids in the shop's rows, by column name, such as `paymentId` or `jobId`. */
const ids = new Map<string, string>()

beforeAll(async () => {
  fixture = await testService()
  // The chain's node does not respond, so calls that need it fail.
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
  session = await sessionOf('other')
  customer = await sessionOf('shop')
})
afterAll(() => fixture?.close())

async function sessionOf(merchantId: keyof typeof testKeys): Promise<string> {
  const answer = await app.request('/api/auth/session-key', {
    headers: { authorization: testKeys[merchantId], 'x-svc-auth-user-id': 'u-1' },
  })
  return (await answer.json()).key
}

const ownTables = Object.entries(tables).flatMap(([name, table]) =>
  is(table, PgTable) &&
  ('merchantId' in table || 'paymentId' in table) &&
  !['merchants', 'apiKeys'].includes(name)
    ? [{ name, table }]
    : [],
)

/** Inserts a row of the shop into each table. */
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
  // The saved card is the only valid card of the shop.
  if (field === 'cardToken') return tokens.card
  if (field === 'expYear') return 2030
  // The payment id is the same in all tables.
  if (column.columnType === 'PgText')
    return field.endsWith('Id') ? `${mark}-${field}` : `${mark}-${table}-${field}`
  if (column.columnType === 'PgCustomColumn') return message.find((word) => isTaken(column, word))
  const byType: Record<string, unknown> = {
    boolean: false,
    number: 7,
    date: new Date('2026-06-01T00:00:00Z'),
    json: { mark },
  }
  return byType[column.dataType]
}

const lists = Object.values(states).filter((value) => Array.isArray(value))
/** A valid value for a column with a list of values or an amount. */
const message: readonly unknown[] = [7n, ...lists.flat(), ...blockchains]

function isTaken(column: PgColumn, word: unknown): boolean {
  try {
    return column.mapFromDriverValue(String(word)) === word
  } catch {
    return false
  }
}

/** Reads the shop's current rows. */
async function rows(): Promise<string[]> {
  const database = await fixture.service.database()
  const found = await Promise.all(
    ownTables.map(({ table }) => {
      const isShops = 'merchantId' in table ? sql`t.merchant_id = 'shop'` : sql`true`
      return database.execute(
        sql`select t::text as row from ${table} as t where ${isShops} and t::text like ${`%${mark}%`}`,
      )
    }),
  )
  return found.flatMap((answer) => Object(answer).rows.map(({ row }: { row: string }) => row))
}

type Call = { merchantId: string; credentials: Record<string, string>; more?: object | undefined }

/** Calls a route with the body of its case, and returns the response. */
async function ask(route: Route, { merchantId, credentials, more }: Call) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids.get(name) ?? merchantId)
  const headers = {
    'x-svc-auth-wallet': wallet,
    'x-svc-auth-blockchain': 'base',
    'x-svc-auth-user-id': 'u-1',
    'x-svc-auth-merchant-id': merchantId,
    'content-type': 'application/json',
    ...cases[nameOf(route)]?.headers,
    ...credentials,
  }
  const body = { ...cases[nameOf(route)]?.body?.(merchantId), ...more }
  const init = route.method === 'GET' ? {} : { body: JSON.stringify(body) }
  const response = await app.request(path, { method: route.method, headers, ...init })
  const text = await response.text()
  // The response may quote the ids and tokens of the request, but no other value of the row.
  const reported = [...ids.values(), ...Object.values(tokens)].reduce(
    (rest, id) => rest.replaceAll(id, ''),
    text,
  )
  return { status: response.status, text, reported }
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Tokens of the shop's cards, accounts and files. */
const tokens = {
  card: `${mark}-cardTokens-token`,
  account: `${mark}-wireAccounts-token`,
  file: `${mark}-evidenceFiles-fileKey`,
}
const id = (name: string) => ids.get(name)
const subtotal = { cents: 100 }
const amount = { cents: 100 }
const receiver = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const transactionData = { type: 'token', destination: receiver }
const permit = {
  signedMessages: { permitCredits: '0x00' },
  validBefore: '1777640400',
  nonce: `0x8${'0'.repeat(63)}`,
  creditsRawAmount: 1_000_000,
}

type Case = {
  headers?: Record<string, string>
  body?: (merchantId: string) => object
  /**
   * Expected statuses of five requests: with another merchant's API key; with its session key; with both; with both and its own merchant
   * id; and by another customer of the shop.
   */
  answers: readonly [key: number, session: number, both: number, own: number, customer: number]
  /** Whether the route returns data that the merchant shows to every customer. */
  isShown?: true
  /** Whether the body may have a checkout JWT and, if it settles something, a receiver. */
  takes?: readonly ('jwtToken' | 'destinationAuthKey')[]
}

const ofKey = [404, 401, 404, 404, 401] as const
/** The route returns data of the key's merchant; path and body name no merchant. */
const ofMerchant = [200, 401, 200, 200, 401] as const
const ofCustomer = [401, 403, 403, 404, 404] as const
/** The route has no merchant data: transfers belong to a wallet, the clock and faults to the machine. */
const ofNobody = (status: number): Case => ({ answers: [status, status, status, status, status] })
const both = ['jwtToken', 'destinationAuthKey'] as const
/** Headers of the card form's page, so that only the credentials can be the reason for a rejection. */
const ofOwnPage = { 'sec-fetch-site': 'same-origin' }

const cases: Record<string, Case> = {
  'GET /api/auth': ofNobody(400),
  'GET /api/auth/verify': ofNobody(401),
  'GET /api/auth/session-key': { answers: ofMerchant },
  'POST /api/checkout/jwt-token': { body: () => ({ subtotal }), answers: ofMerchant },
  'POST /api/redeem/evm/creditsAuthMsg': {
    body: (merchantId) => ({ merchantId, subtotal, transactionData }),
    answers: [503, 403, 403, 503, 503],
  },
  'POST /api/redeem/evm/sendGaslessTx': {
    body: (merchantId) => ({ merchantId, subtotal, transactionData, ...permit }),
    answers: [503, 403, 403, 503, 503],
  },
  'POST /api/checkout/evm/usdc-authorization': {
    body: () => ({ amount }),
    answers: [400, 400, 400, 400, 400],
  },
  'POST /api/checkout/totals/:merchantId': {
    body: () => ({ subtotal }),
    answers: [401, 403, 403, 200, 200],
    takes: ['jwtToken'],
  },
  'POST /api/tokenize': { body: () => ({ ...testCards.approved, ...goodUntil }), answers: ofMerchant },
  'POST /api/checkout/card/:merchantId': {
    body: () => ({ subtotal, card: { cardToken: id('cardId') } }),
    answers: [401, 403, 403, 400, 400],
    takes: both,
  },
  'POST /api/checkout/zero-authorization/:merchantId': {
    body: () => ({ token: id('cardId') }),
    answers: [401, 403, 403, 400, 400],
    takes: ['jwtToken'],
  },
  'POST /api/checkout/token/:merchantId': {
    body: () => ({ subtotal, token: id('cardId') }),
    answers: [401, 403, 403, 400, 400],
    takes: both,
  },
  'POST /api/checkout/card-on-file': {
    body: () => ({ subtotal, originalPaymentId: id('paymentId') }),
    answers: [410, 401, 410, 410, 401],
  },
  'GET /api/customer/cards/:merchantId': { answers: [401, 403, 403, 200, 200] },
  'POST /api/checkout/wire/token': {
    body: (merchantId) => ({ merchantId, subtotal, token: tokens.account }),
    answers: [401, 403, 403, 400, 200],
    takes: both,
  },
  'POST /sandbox/wire-accounts': {
    body: () => ({ routingNumber: '021000021', accountNumber: '123456789' }),
    answers: ofMerchant,
  },
  'POST /api/checkout/pix': {
    body: (merchantId) => ({ merchantId, subtotal, email: 'a@example.org' }),
    answers: [401, 403, 403, 200, 200],
    takes: both,
  },
  'POST /api/checkout/mobileapp/:merchantId': {
    body: () => ({ subtotal }),
    answers: [401, 401, 403, 200, 401],
    takes: both,
  },
  'GET /card/:merchantId': ofNobody(403),
  'POST /card/:merchantId/token': {
    headers: ofOwnPage,
    body: () => ({ ...testCards.approved, ...goodUntil, purchaseId: id('purchaseId') }),
    answers: [401, 403, 403, 200, 200],
  },
  'POST /card/:merchantId/purchase': {
    headers: ofOwnPage,
    body: () => ({ purchaseId: id('purchaseId') }),
    answers: [401, 403, 403, 200, 200],
  },
  'POST /api/checkout/void': { body: () => ({ paymentId: id('paymentId') }), answers: ofKey },
  'GET /api/merchant/payments/:paymentId': { answers: ofKey },
  'POST /api/merchant/payments/:paymentId/refund': { answers: ofKey },
  'GET /api/merchant/payments/:paymentId/refunds': { answers: ofKey },
  'GET /api/customer/purchases/:merchantId': { answers: [401, 403, 403, 200, 200] },
  'POST /api/merchant/chargebacks/:paymentId/respond': {
    body: () => ({ fileKey: tokens.file }),
    answers: ofKey,
  },
  'POST /sandbox/evidence-files': { body: () => ({ name: 'a', content: 'aGVsbG8=' }), answers: ofMerchant },
  'POST /sandbox/payments/:paymentId/pay': { answers: ofKey },
  'POST /sandbox/payments/:paymentId/dispute': { answers: ofKey },
  'POST /sandbox/payments/:paymentId/decide': { body: () => ({ won: true }), answers: ofKey },
  'POST /api/withdraw/kyc/validate': {
    body: () => ({ firstName: 'Ada', lastName: 'Lovelace' }),
    answers: [404, 401, 404, 404, 401],
  },
  'POST /api/withdraw/iban': {
    body: () => ({ number: 'DE89370400440532013000' }),
    answers: [401, 401, 403, 200, 401],
  },
  'POST /api/withdraw/kyb': {
    body: (merchantId) => ({ merchantId, country: 'DE', email: 'a@example.org' }),
    answers: [401, 401, 403, 451, 401],
  },
  'POST /sandbox/kyc-records': {
    body: () => ({ userId: 'u-1', firstName: 'Ada', lastName: 'Lovelace' }),
    answers: ofMerchant,
  },
  'GET /sandbox/withdrawal-rules': { answers: ofMerchant },
  'POST /sandbox/withdrawal-rules': { body: () => ({}), answers: ofMerchant },
  'POST /sandbox/customer-place': { body: () => ({ userId: 'u-1', country: 'DE' }), answers: ofMerchant },
  'GET /sandbox/withdrawers': { answers: ofMerchant },
  'POST /sandbox/withdrawers/:withdrawerId/verification': {
    body: () => ({ status: 'approved' }),
    answers: ofKey,
  },
  'POST /sandbox/withdrawers/:withdrawerId/settings': {
    body: () => ({ blockCardReuseExempt: true }),
    answers: ofKey,
  },
  'GET /api/utils/contract-address': ofNobody(400),
  'GET /api/customer/balances/:merchantIdOrCreditSeed': { answers: [503, 403, 403, 503, 503] },
  'POST /api/merchant/credits/mint': {
    body: () => ({ wallet, blockchain: 'base', amount }),
    answers: ofMerchant,
  },
  'POST /api/merchant/credits/burn': {
    body: () => ({ wallet, blockchain: 'base', amount }),
    answers: ofMerchant,
  },
  'GET /api/merchant/credits/status/:jobId': { answers: ofKey },
  'POST /api/merchant/program': {
    body: () => ({ blockchain: 'base', programId: wallet }),
    answers: ofMerchant,
  },
  'POST /sandbox/program': {
    body: () => ({ blockchain: 'base', programId: wallet, approved: false }),
    answers: [403, 401, 403, 403, 401],
  },
  'GET /sandbox/programs': { answers: ofMerchant },
  'GET /sandbox/payments': { answers: ofMerchant },
  'GET /sandbox/subscription/subscribers': { answers: ofMerchant },
  'GET /sandbox/chains': ofNobody(503),
  'GET /sandbox/redeems': { answers: ofMerchant },
  'GET /sandbox/redeems/:wallet/:nonce/report': { answers: [404, 401, 404, 404, 401] },
  'POST /sandbox/simulate': {
    body: () => ({ blockchain: 'base', wallet, subtotal, transactionData }),
    answers: [503, 401, 503, 503, 401],
  },
  'POST /api/seller/usdc-withdraw': {
    body: () => ({ destination: receiver, amount }),
    answers: [412, 401, 412, 412, 401],
  },
  'POST /sandbox/usdc-transfer': {
    body: () => ({ blockchain: 'solana', destination: wallet, amount }),
    answers: [400, 400, 400, 400, 400],
  },
  'POST /sandbox/usdc-transfer/submit': {
    body: () => ({ id: 'none', transaction: 'AA==' }),
    answers: [400, 400, 400, 400, 400],
  },
  'GET /health': ofNobody(503),
  'GET /api/subscription/:merchantId/plans': { answers: [401, 403, 403, 200, 200], isShown: true },
  'GET /api/merchant/subscription/plans/:planId/subscribers': { answers: ofKey },
  'GET /sandbox/subscription/plans': { answers: ofMerchant },
  'POST /sandbox/subscription/plans': {
    body: () => ({
      code: 'theirs',
      name: 'theirs',
      interval: 'Daily',
      amount: { cents: 1, currency: 'USD' },
    }),
    answers: ofMerchant,
  },
  'POST /api/subscription/:merchantId/subscribers/token': {
    body: () => ({ planCode: id('planId'), token: id('cardId') }),
    answers: ofCustomer,
  },
  'GET /api/subscription/:merchantId/subscribers': { answers: [401, 401, 403, 200, 401] },
  'POST /api/checkout/merchant-initiated-transaction': {
    body: () => ({ subscriptionId: id('subscriptionId') }),
    answers: ofKey,
  },
  'POST /sandbox/subscription/:merchantId/subscribers/:subscriptionId/cancel': { answers: ofCustomer },
  'POST /sandbox/subscription/:merchantId/subscribers/:subscriptionId/card': {
    body: () => ({ token: id('cardId') }),
    answers: [401, 403, 403, 400, 400],
  },
  'POST /sandbox/subscription/subscribers/:subscriptionId/cancel': { answers: ofKey },
  'POST /sandbox/subscription/subscribers/:subscriptionId/block': { answers: ofKey },
  'POST /sandbox/subscription/subscribers/:subscriptionId/unblock': { answers: ofKey },
  'GET /sandbox/webhooks': { answers: ofMerchant },
  'POST /sandbox/webhooks': { body: () => ({}), answers: ofMerchant },
  'GET /sandbox/webhooks/events': { answers: ofMerchant },
  'POST /sandbox/webhooks/resend': { body: () => ({ id: `${mark}-webhookEvents-id` }), answers: ofKey },
  'POST /sandbox/webhooks/listen': { body: () => ({ name: 'theirs' }), answers: ofMerchant },
  'POST /sandbox/webhooks/take': { body: () => ({ listenerId: id('listenerId') }), answers: ofKey },
  'POST /sandbox/webhooks/done': {
    body: () => ({ listenerId: id('listenerId'), deliveryId: id('deliveryId'), attempt: 1 }),
    answers: ofKey,
  },
  'POST /sandbox/webhooks/unlisten': { body: () => ({ listenerId: id('listenerId') }), answers: ofKey },
  'POST /sandbox/webhooks/trigger': { body: () => ({ type: 'payment.created' }), answers: ofMerchant },
  'GET /sandbox/clock': ofNobody(503),
  'POST /sandbox/clock': { body: () => ({ advanceSeconds: 0 }), answers: [503, 503, 503, 503, 503] },
  'POST /sandbox/fault': {
    body: () => ({ path: '/api/nothing', kind: 'lost' }),
    answers: [200, 200, 200, 200, 200],
  },
  'GET /sandbox/fault': ofNobody(200),
  'POST /sandbox/fault/clear': { body: () => ({}), answers: [200, 200, 200, 200, 200] },
  'GET /sandbox/log': ofNobody(200),
}

test('every route has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(routes.map(nameOf).sort())
})

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s is safe from', (name, route) => {
  const callers = [
    ['with its API key', 'shop', () => ({ authorization: testKeys.other })],
    ['with its session key', 'shop', () => ({ 'x-svc-auth-session-key': session })],
    ['with both', 'shop', () => ({ authorization: testKeys.other, 'x-svc-auth-session-key': session })],
    [
      'with its keys at its own merchant id',
      'other',
      () => ({ authorization: testKeys.other, 'x-svc-auth-session-key': session }),
    ],
  ] as const
  test.each(callers)('another merchant %s', async (caller, merchantId, credentials) => {
    const before = await rows()
    const { status, reported } = await ask(route, { merchantId, credentials: credentials() })
    expect(reported).not.toContain(mark)
    expect(status).toBe(cases[name]?.answers[callers.findIndex(([one]) => one === caller)])
    expect(await rows()).toEqual(before)
  })

  test('another customer of the merchant', async () => {
    const before = await rows()
    const credentials = { 'x-svc-auth-session-key': customer }
    const { status, reported } = await ask(route, { merchantId: 'shop', credentials })
    if (cases[name]?.isShown !== true) expect(reported).not.toContain(mark)
    expect(status).toBe(cases[name]?.answers[4])
    // The rows may also include new rows of the customer.
    expect(await rows()).toEqual(expect.arrayContaining(before))
  })
})

describe.each(
  routes.flatMap((route) =>
    (cases[nameOf(route)]?.takes ?? []).map((field) => [field, nameOf(route), route] as const),
  ),
)('%s of the shop', (field, _, route) => {
  test(`is rejected at another merchant by ${nameOf(route)}`, async () => {
    const claims = field === 'jwtToken' ? { checkout: {} } : { address: wallet }
    const token = await signMerchantJwt(fixture.service, { merchantId: 'shop', claims })
    const credentials = { authorization: testKeys.other, 'x-svc-auth-session-key': session }
    const more = { [field]: token }
    const { status, text } = await ask(route, { merchantId: 'other', credentials, more })
    expect({ status, issues: JSON.parse(text).issues }).toEqual({ status: 401, issues: [field] })
  })
})

test('the shop itself can read its rows', async () => {
  const credentials = { authorization: testKeys.shop }
  const reported = await Promise.all(
    routes
      .filter(({ method }) => method === 'GET')
      .map(async (route) => ({
        path: route.path,
        ...(await ask(route, { merchantId: 'shop', credentials })),
      })),
  )
  const seen = reported
    .filter(({ status, text }) => status === 200 && text.includes(mark))
    .map(({ path }) => path)
  expect(seen).toContain('/sandbox/programs')
})

test('the status for another merchant’s row equals that for a missing row', async () => {
  const credentials = { authorization: testKeys.other }
  const byId = routes.filter(
    ({ method, path }) => method === 'GET' && [...ids.keys()].some((name) => path.includes(`:${name}`)),
  )
  expect(byId.map(({ path }) => path)).toContain('/api/merchant/credits/status/:jobId')
  for (const route of byId) {
    const theirs = await ask(route, { merchantId: 'shop', credentials })
    const none = await app.request(route.path.replace(/:\w+/g, 'nothing'), { headers: credentials })
    expect({ path: route.path, status: theirs.status }).toEqual({ path: route.path, status: none.status })
  }
})
