import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isNotNull } from 'drizzle-orm'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  devAccount,
  openStore,
  type RunningSandbox,
  type SandboxChain,
  startSandbox,
  testCards,
} from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { toStore } from '../../src/sandbox/store/openStore.ts'
import {
  paymentMoves,
  payments,
  subscriptionBillings,
  transactions,
  webhookDeliveries,
} from '../../src/sandbox/store/tables/index.ts'
import { onPostgres } from '../postgres/onEachDatabase.ts'
import { bundleProcess } from './bundleProcess.ts'
import { type Caller, caller, customer, lentChain, overHttp, readCredits, readUsdc } from './sandboxClient.ts'

/* Two service processes with all background work on one PostgreSQL. Each of fifty jobs of every kind is done once. */
const many = 50
let lender: RunningSandbox
let base: SandboxChain
let receiver: Server
/** How often each event arrived, by event ID, with its type. */
const got = new Map<string, { type: string; times: number; paymentId: string | undefined }>()
const childFile = fileURLToPath(
  new URL(`../../node_modules/.cache/redeemkit/twoProcesses-${process.pid}.mjs`, import.meta.url),
)

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id, type, data } = JSON.parse(Buffer.concat(chunks).toString())
      const times = (got.get(id)?.times ?? 0) + 1
      got.set(id, { type, times, paymentId: data.paymentId ?? data.id })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  ;[lender] = await Promise.all([
    startSandbox({ bridge: false }),
    bundleProcess(new URL('crashChild.ts', import.meta.url), childFile),
  ])
  base = lender.chains.base as SandboxChain // the sandbox starts it by default
})
afterAll(async () => {
  receiver?.closeAllConnections()
  receiver?.close()
  await Promise.all([lender?.stop(), rm(childFile, { force: true })])
})

const indexes = Array.from({ length: many }, (_, at) => at)
const nobody = () => privateKeyToAccount(generatePrivateKey()).address

onPostgres(({ create }) => {
  let databaseUrl: string | undefined
  const children: ChildProcess[] = []
  let services: Caller[]
  const key = { authorization: 'the key' }
  beforeAll(async () => {
    ;({ databaseUrl } = await create())
    const { port } = receiver.address() as AddressInfo // The address of a TCP server is an object.
    const { merchantId } = lender
    const options = {
      databaseUrl,
      merchants: [
        {
          merchantId,
          apiKey: 'the key',
          settings: withoutProtection,
          webhookUrl: `http://127.0.0.1:${port}/`,
        },
      ],
      chains: [
        {
          ...lentChain(lender),
          paymentSettlement: base.paymentSettlement,
          whitelisterKey: devAccount('whitelister').privateKey,
        },
      ],
    }
    const startOne = async () => {
      const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })
      children.push(child)
      const line = once(createInterface({ input: child.stdout as Readable }), 'line') // The child's output is a pipe, as configured above.
      child.stdin?.write(`${JSON.stringify(options)}\n`)
      return caller(overHttp(JSON.parse((await line)[0]).url))
    }
    services = await Promise.all([startOne(), startOne()])
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  const on = (at: number) => services[at % 2] as Caller // There are two services.
  async function read<row>(query: (database: ReturnType<typeof toStore>['database']) => Promise<row>) {
    const store = await openStore(databaseUrl === undefined ? {} : { databaseUrl })
    try {
      return await query(toStore(store).database)
    } finally {
      await store.close()
    }
  }
  const userOf = async (at: number, wallet: Hex) => {
    const user = { 'x-svc-auth-user-id': `user-${at}`, ...customer(wallet) }
    const { body } = await on(at).get('/api/auth/session-key', { ...key, ...user })
    return { ...user, 'x-svc-auth-session-key': body.key }
  }
  const cardOf = async (at: number) => {
    const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    return (await on(at).post('/api/tokenize', card, key)).body.token
  }
  /** Returns how many payments have made this state change, each exactly once. */
  const movesOf = async (paymentIds: readonly string[], status: string) => {
    const rows = await read((database) => database.select().from(paymentMoves))
    const moved = rows.filter((row) => paymentIds.includes(row.paymentId) && row.to === status)
    expect(new Set(moved.map(({ paymentId }) => paymentId)).size).toBe(moved.length)
    return moved.length
  }
  /** Returns the received events of a type. Each arrived once, for a different payment. */
  const reported = (type: string, paymentIds: readonly string[]) => {
    const events = [...got.values()].filter(
      (event) => event.type === type && paymentIds.includes(event.paymentId ?? ''),
    )
    expect(events.filter(({ times }) => times > 1)).toEqual([])
    expect(new Set(events.map(({ paymentId }) => paymentId)).size).toBe(events.length)
    return events.length
  }
  const soon = { timeout: 120_000, interval: 500 }

  test('mints: each credits its wallet once', async () => {
    const wallets = indexes.map(nobody)
    const answers = await Promise.all(
      wallets.map((wallet, at) =>
        on(at).post(
          '/api/merchant/credits/mint',
          { wallet, blockchain: 'base', amount: { cents: 100 } },
          key,
        ),
      ),
    )
    const jobIds: string[] = answers.map(({ body }) => body.jobId)
    const statusesOf = async () =>
      new Set(
        await Promise.all(
          jobIds.map(
            async (id, at) => (await on(at + 1).get(`/api/merchant/credits/status/${id}`, key)).body.status,
          ),
        ),
      )
    await expect.poll(statusesOf, soon).toEqual(new Set(['completed']))
    for (const wallet of wallets) expect(await readCredits(base, lender.creditSeed, wallet)).toBe(1_000_000n)
    const sent = await read((database) => database.select().from(transactions))
    expect(sent.filter(({ reference }) => reference.kind === 'mint')).toHaveLength(many)
  })

  test('settlements: each payment pays its receiver once', async () => {
    const receivers = indexes.map(nobody)
    const bought = await Promise.all(
      receivers.map(async (destination, at) => {
        const [user, cardToken] = await Promise.all([userOf(at, nobody()), cardOf(at)])
        const body = {
          subtotal: { cents: 100, currency: 'USD' },
          card: { cardToken },
          transactionData: { type: 'token', destination },
        }
        return on(at).post(`/api/checkout/card/${lender.merchantId}`, body, user)
      }),
    )
    const paymentIds: string[] = bought.map(({ body }) => body.paymentId)
    await expect.poll(() => movesOf(paymentIds, 'settled'), soon).toBe(many)
    for (const receiver of receivers) expect(await readUsdc(base, receiver)).toBe(1_000_000n)
    await expect.poll(() => reported('payment.settled', paymentIds), soon).toBe(many)
  })

  const pending = async () =>
    (await read((database) => database.select().from(webhookDeliveries))).filter(
      ({ status }) => status !== 'delivered',
    ).length
  const moveClock = async (at: number, advanceSeconds: number) => {
    // A process reserves a delivery for a minute of the service's clock. If the clock moved in the meantime, the other process
    // would send it too.
    await expect.poll(pending, soon).toBe(0)
    expect((await on(at).post('/sandbox/clock', { advanceSeconds })).status).toBe(200)
  }

  test('orders: each expires once', async () => {
    const ordered = await Promise.all(
      indexes.map(async (at) => {
        const body = { merchantId: lender.merchantId, subtotal: { cents: 100 }, email: 'a@example.org' }
        return on(at).post('/api/checkout/pix', body, await userOf(at, nobody()))
      }),
    )
    const paymentIds: string[] = ordered.map(({ body }) => body.paymentId)
    await moveClock(0, 301)
    await expect.poll(() => movesOf(paymentIds, 'expired'), soon).toBe(many)
    await expect.poll(() => reported('payment.expired', paymentIds), soon).toBe(many)
  })

  test('subscriptions: each is billed once for each period', async () => {
    const plan = { code: 'daily', name: 'Daily', interval: 'Daily', amount: { cents: 100, currency: 'USD' } }
    expect((await on(0).post('/sandbox/subscription/plans', { ...plan, active: true }, key)).status).toBe(200)
    const bought = await Promise.all(
      indexes.map(async (at) => {
        const [user, token] = await Promise.all([userOf(at, nobody()), cardOf(at)])
        const path = `/api/subscription/${lender.merchantId}/subscribers/token`
        return on(at).post(path, { planCode: 'daily', token }, user)
      }),
    )
    expect(new Set(bought.map(({ status }) => status))).toEqual(new Set([200]))
    const billed = async () => {
      const rows = await read((database) => database.select().from(subscriptionBillings))
      expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(rows.length)
      const charged = await read((database) =>
        database.select().from(payments).where(isNotNull(payments.subscriptionId)),
      )
      return { periods: rows.length, payments: charged.length }
    }
    await expect.poll(billed, soon).toEqual({ periods: many, payments: many })
    await moveClock(1, 2 * 86_400 + 60)
    await expect.poll(billed, soon).toEqual({ periods: 3 * many, payments: 3 * many })
  })

  // Runs last, when every event has been sent.
  test('webhooks: each event came once', async () => {
    await expect.poll(pending, soon).toBe(0)
    expect(got.size).toBeGreaterThan(5 * many)
    expect([...got.values()].filter(({ times }) => times > 1)).toEqual([])
  })
})
