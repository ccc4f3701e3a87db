import { createHmac } from 'node:crypto'
import dns from 'node:dns'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { webhookEvent, webhookEventTypes } from '../../../redeemkit/schema/webhookEvent.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { webhookDeliveries, webhookEvents, webhookSettings } from '../../store/tables/index.ts'
import { type TestShop, testShop } from '../payments/payments.fixture.ts'
import { createWebhookSender, dispatchEvents } from './createWebhookSender.ts'
import { pauseAfter, postWebhook } from './postWebhook.ts'
import { settingsOf } from './webhookSettings.ts'

const start = Date.parse('2026-05-01T12:00:00Z')
const real = 1_790_000_000_000
const hour = 3_600_000
const types = Object.values(webhookEventTypes).flat()
let shop: TestShop
let receiver: Receiver

type Receiver = {
  url: string
  got: { headers: IncomingHttpHeaders; body: string; path: string | undefined }[]
  /** The server's next responses: this status, or no response. */
  answer: number | 'hang'
  server: Server
}

/** A merchant's server that listens on a real socket. */
async function startReceiver(): Promise<Receiver> {
  const one: Receiver = { url: '', got: [], answer: 204, server: createServer() }
  one.server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      one.got.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url,
      })
      if (one.answer === 'hang') return
      response.writeHead(one.answer, one.answer === 307 ? { location: '/elsewhere' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve))
  // The address of a TCP server is an object.
  one.url = `http://127.0.0.1:${(one.server.address() as AddressInfo).port}/hooks`
  return one
}

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  shop.setTime(start)
  receiver = await startReceiver()
  const database = await shop.service.database()
  await database.delete(webhookDeliveries)
  await database.delete(webhookEvents)
  await settingsOf(database, 'shop')
  await database
    .update(webhookSettings)
    .set({ url: receiver.url, secret: 'whsec_of_the_shop', previousSecret: null })
    .where(eq(webhookSettings.merchantId, 'shop'))
})
afterEach(() => {
  receiver.server.closeAllConnections()
  receiver.server.close()
})
afterAll(() => shop?.close())

const set = (body: object, id: 'shop' | 'other' = 'shop') =>
  shop.post('/sandbox/webhooks', body, shop.merchant(id))
const trigger = async (type = 'payment.settled', more: object = {}, id: 'shop' | 'other' = 'shop') =>
  shop.post('/sandbox/webhooks/trigger', { type, ...more }, shop.merchant(id))
/** Runs one pass of the service's loop. */
const deliver = async (options: { timeoutMs?: number; headerPrefix?: string } = {}) => {
  const database = await shop.service.database()
  while (await dispatchEvents(shop.service, database));
  const { send, idle } = createWebhookSender(shop.service, {
    signedAt: () => real,
    headerPrefix: undefined,
    ...options,
  })
  const isOpen = await send(database)
  await idle()
  return isOpen
}
const eventsOf = async (query = '', id: 'shop' | 'other' = 'shop') =>
  (await shop.get(`/sandbox/webhooks/events${query}`, shop.merchant(id))).body.events
const deliveryOf = async () => (await eventsOf())[0].deliveries[0]
const idsGot = () => receiver.got.map(({ body }) => JSON.parse(body).id)

describe('an event', () => {
  test('arrives once, signed with the time of the machine’s clock', async () => {
    const { id } = (await trigger()).body
    await deliver()
    await deliver()
    expect(receiver.got).toHaveLength(1)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.got
    const v1 = createHmac('sha256', 'whsec_of_the_shop')
      .update(`${real / 1000}.${body}`)
      .digest('hex')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-signature': `t=${real / 1000},v1=${v1}`,
    })
    expect(JSON.parse(body)).toMatchObject({ id, type: 'payment.settled', createdAt: expect.any(String) })
    expect(await deliveryOf()).toMatchObject({ status: 'delivered', attempts: 1, lastStatus: 204 })
  })

  test('uses the service’s header prefix', async () => {
    await trigger()
    await deliver({ headerPrefix: 'x-their-' })
    expect(receiver.got[0]?.headers).toHaveProperty('x-their-signature')
  })

  test('is stored only if the transaction of its cause is committed', async () => {
    const database = await shop.service.database()
    const work = database.transaction(async (inside) => {
      await emitEvent(inside, { merchantId: 'shop', type: 'payment.settled', data: {}, at: new Date(start) })
      throw new Error('taken back')
    })
    await expect(work).rejects.toThrow('taken back')
    expect(await eventsOf()).toEqual([])
  })

  test('arrives once with two processes', async () => {
    await trigger()
    await Promise.all([deliver(), deliver(), deliver()])
    expect(receiver.got).toHaveLength(1)
  })

  test('goes only to its own merchant', async () => {
    await trigger('payment.settled', {}, 'other')
    await deliver()
    expect(receiver.got).toEqual([])
    expect(await eventsOf()).toEqual([])
    expect(await eventsOf('', 'other')).toHaveLength(1)
  })
})

describe('without a 2xx response', () => {
  test('an event is sent again after increasing pauses, with the same id', async () => {
    receiver.answer = 500
    const { id } = (await trigger()).body
    let now = start
    await deliver()
    for (let attempt = 1; attempt <= 2; attempt++) {
      now += pauseAfter(attempt)
      shop.setTime(now - 1)
      await deliver()
      expect(receiver.got).toHaveLength(attempt)
      shop.setTime(now)
      await deliver()
      expect(receiver.got).toHaveLength(attempt + 1)
    }
    now += pauseAfter(3)
    receiver.answer = 200
    shop.setTime(now)
    expect(await deliver()).toBe(true)
    expect(await deliver()).toBe(false)
    expect(idsGot()).toEqual([id, id, id, id])
    expect(await deliveryOf()).toMatchObject({ status: 'delivered', attempts: 4 })
  })

  test('a delivery fails after 24 hours', async () => {
    receiver.answer = 500
    await trigger()
    let now = start
    let lastAt = start
    for (let attempt = 1; attempt < 30 && (await deliver()); attempt++) {
      if (receiver.got.length === attempt) lastAt = now
      now += pauseAfter(attempt)
      shop.setTime(now)
    }
    expect(await deliveryOf()).toMatchObject({ status: 'failed', attempts: 11, lastStatus: 500 })
    expect((lastAt - start) / hour).toBeCloseTo(23.71, 1)
  })

  test('redirects are not followed', async () => {
    receiver.answer = 307
    await trigger()
    await deliver()
    expect(receiver.got.map(({ path }) => path)).toEqual(['/hooks'])
    expect(await deliveryOf()).toMatchObject({ status: 'pending', lastStatus: 307 })
  })

  test('a receiver that never responds times out', async () => {
    receiver.answer = 'hang'
    await trigger()
    await deliver({ timeoutMs: 200 })
    expect(await deliveryOf()).toMatchObject({ status: 'pending', lastError: 'timeout' })
  })

  test('a 410 ends the retries', async () => {
    receiver.answer = 410
    await trigger()
    await deliver()
    expect(await deliveryOf()).toMatchObject({ status: 'failed', attempts: 1, lastStatus: 410 })
    shop.setTime(start + hour)
    expect(await deliver()).toBe(false)
    expect(receiver.got).toHaveLength(1)
  })

  test('a slow receiver does not delay other merchants', async () => {
    receiver.answer = 'hang'
    const prompt = await startReceiver()
    await set({ url: prompt.url }, 'other')
    await trigger('payment.settled', {}, 'other')
    await deliver()
    await trigger()
    const database = await shop.service.database()
    await dispatchEvents(shop.service, database)
    const { send, idle } = createWebhookSender(shop.service, {
      signedAt: () => real,
      headerPrefix: undefined,
      timeoutMs: 1_500,
    })
    await send(database)
    await trigger('payment.created', {}, 'other')
    await dispatchEvents(shop.service, database)
    const began = performance.now()
    while (prompt.got.length < 2 && performance.now() - began < 5_000) {
      await send(database)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(performance.now() - began).toBeLessThan(1_200)
    await idle()
    await set({ url: null }, 'other')
    prompt.server.close()
  })

  test('an unreachable receiver is reported without its URL', async () => {
    await set({ url: 'http://127.0.0.1:9/hooks?key=hidden' })
    await trigger()
    await deliver()
    const delivery = await deliveryOf()
    expect(delivery).toMatchObject({ status: 'pending', lastError: expect.any(String) })
    expect(JSON.stringify(delivery)).not.toContain('hidden')
  })

  test('another process takes over after a crash', async () => {
    await trigger()
    const { takeDeliveries } = await import('./createWebhookSender.ts')
    const database = await shop.service.database()
    await dispatchEvents(shop.service, database)
    expect(await takeDeliveries(shop.service, database, { target: 'url', limit: 9 })).toHaveLength(1)
    await deliver()
    expect(receiver.got).toHaveLength(0)
    shop.setTime(start + 60_000)
    await deliver()
    expect(receiver.got).toHaveLength(1)
  })
})

describe('settings', () => {
  test('belong to one merchant', async () => {
    const other = (await shop.get('/sandbox/webhooks', shop.merchant('other'))).body
    expect(other).toMatchObject({ url: null, secret: expect.stringMatching(/^whsec_.{48}$/), listeners: [] })
  })

  test('a replaced secret signs for another day in addition to the new one', async () => {
    await set({ rotate: true })
    await trigger()
    await deliver()
    shop.setTime(start + 24 * hour)
    await trigger()
    await deliver()
    expect(
      receiver.got.map(({ headers }) => String(headers['x-svc-signature']).split('v1=').length - 1),
    ).toEqual([2, 1])
  })

  test('concurrent changes are all applied', async () => {
    const url = `${receiver.url}/new`
    await Promise.all([set({ rotate: true }), set({ url }), set({ rotate: true }), set({ rotate: true })])
    expect((await shop.get('/sandbox/webhooks', shop.merchant())).body.url).toBe(url)
    const secrets = await Promise.all(
      Array.from({ length: 3 }, async () => (await set({ rotate: true })).body.secret),
    )
    const last = await settingsOf(await shop.service.database(), 'shop')
    // The previous secret also signs, so no concurrent change was lost.
    expect(last.previousSecret).not.toBe(last.secret)
    expect(secrets).toContain(last.secret)
  })

  test.each([
    ['another scheme', { url: 'ftp://shop.example' }],
    ['credentials', { url: 'https://user:word@shop.example' }],
    ['no address', { url: 'shop' }],
    ['the metadata service of a cloud', { url: 'http://169.254.169.254/hooks' }],
    ['a link-local address', { url: 'http://[fe80::1]/hooks' }],
    ['a short secret', { secret: 'short' }],
    ['a secret with a space', { secret: 'a secret of mine' }],
  ])('reject %s', async (_, body) => {
    expect((await set(body)).status).toBe(400)
  })
})

describe('a triggered event', () => {
  test.each(types)('%s matches the schema', async (type) => {
    expect((await trigger(type)).status).toBe(200)
    const [{ deliveries: _, ...event }] = await eventsOf()
    expect(parseRecord(webhookEvent, event)).toMatchObject({ type })
  })

  test('accepts the caller’s fields', async () => {
    await trigger('payment.failed', { data: { paymentId: 'pay_mine' } })
    expect((await eventsOf())[0].data).toMatchObject({ paymentId: 'pay_mine', status: 'failed' })
  })

  test.each([
    ['another type', { type: 'payment.lost_in_the_mail' }, 400],
    ['an unknown field', { data: { cardNumber: '4000009900000012' } }, 400],
    ['another merchant', { merchantId: 'other' }, 403],
  ])('is rejected for %s', async (_, body, status) => {
    expect((await trigger('payment.settled', body)).status).toBe(status)
  })
})

describe('a listener', () => {
  const call = (what: string, body: object) => shop.post(`/sandbox/webhooks/${what}`, body, shop.merchant())
  const listen = async (name = 'here') => (await call('listen', { name })).body

  test('receives each event once, even after registering again', async () => {
    const { listenerId, secrets } = await listen()
    expect(secrets).toEqual(['whsec_of_the_shop'])
    const { id } = (await trigger()).body
    expect((await listen()).listenerId).toBe(listenerId)
    const { events } = (await call('take', { listenerId })).body
    expect(events).toMatchObject([{ attempt: 1, event: { id, type: 'payment.settled' } }])
    expect((await call('take', { listenerId })).body.events).toEqual([])
    await call('done', { listenerId, deliveryId: events[0].deliveryId, attempt: 1, status: 200 })
    expect((await eventsOf())[0].deliveries).toContainEqual(
      expect.objectContaining({ target: listenerId, status: 'delivered' }),
    )
    await call('unlisten', { listenerId })
  })

  test('receives resent events with the same id', async () => {
    const { id } = (await trigger()).body
    await deliver()
    const { listenerId } = await listen()
    expect((await call('resend', { id })).body).toEqual({ deliveries: 2 })
    expect((await call('take', { listenerId })).body.events).toMatchObject([{ event: { id } }])
    await deliver()
    expect(idsGot()).toEqual([id, id])
    await call('unlisten', { listenerId })
  })

  test('is removed if newer ones exceed the maximum', async () => {
    for (let n = 0; n < 10; n++) await listen(`listener ${n}`)
    const { listeners } = (await shop.get('/sandbox/webhooks', shop.merchant())).body
    expect(listeners).toHaveLength(8)
    for (const { listenerId } of listeners) await call('unlisten', { listenerId })
  })
})

describe('the list', () => {
  test('is paginated, newest first', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await trigger()).body.id)
    const page = async (query: string) =>
      (await shop.get(`/sandbox/webhooks/events${query}`, shop.merchant())).body
    const first = await page('?limit=3')
    const rest = await page(`?limit=3&after=${first.next}`)
    expect([...first.events, ...rest.events].map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(rest).not.toHaveProperty('next')
  })

  test('can be filtered by type or family', async () => {
    for (const type of ['payment.settled', 'payment.failed', 'credits.minted']) await trigger(type)
    expect(await eventsOf('?type=payment.failed')).toHaveLength(1)
    expect(await eventsOf('?type=payment.*')).toHaveLength(2)
  })
})

describe('postWebhook', () => {
  const post = (url: string) =>
    postWebhook({
      url,
      event: { id: 'evt_1' },
      secrets: ['whsec_12345678'],
      seconds: 1,
      headerPrefix: undefined,
    })

  test('sends to this machine, where the developer’s server may run', async () => {
    const { port } = new URL(receiver.url)
    expect(await post(`http://localhost:${port}/hook?a=1`)).toEqual({ status: 204 })
    expect(receiver.got).toMatchObject([{ path: '/hook?a=1', body: '{"id":"evt_1"}' }])
  })

  test('sends nothing to an address that serves the machine’s credentials', async () => {
    const from = performance.now()
    expect(await post('http://169.254.169.254/latest/meta-data')).toEqual({ error: 'FORBIDDEN_ADDRESS' })
    expect(performance.now() - from).toBeLessThan(1_000)
  })

  test('sends nothing to a host name of such an address, which is resolved once', async () => {
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((_host: string, _options: object, callback: Found) =>
        callback(null, [{ address: '169.254.169.254', family: 4 }])) as never)
    try {
      expect(await post('http://metadata.example/hook')).toEqual({ error: 'FORBIDDEN_ADDRESS' })
      expect(lookup).toHaveBeenCalledTimes(1)
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('does not wait for a receiver that switches to another protocol', async () => {
    receiver.server.prependListener('request', (_, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
    )
    receiver.answer = 'hang'
    expect(await post(receiver.url)).toEqual({ error: 'failed' })
  })

  test('sends nothing if any address of a host name is forbidden', async () => {
    const found = [
      { address: '127.0.0.1', family: 4 },
      { address: 'fe80::1', family: 6 },
    ]
    vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, callback: Found) =>
      callback(null, found)) as never)
    try {
      const { port } = new URL(receiver.url)
      expect(await post(`http://shop.example:${port}/hook`)).toEqual({ error: 'FORBIDDEN_ADDRESS' })
      expect(receiver.got).toEqual([])
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('reports a host name that does not exist', async () => {
    expect(await post('http://nowhere.invalid/hook')).toEqual({
      error: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    })
  })
})

type Found = (error: null, addresses: readonly object[]) => void
