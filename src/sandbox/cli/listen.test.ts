import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { verifyWebhook } from '../../redeemkit/merchant/verifyWebhook.ts'
import { createApp } from '../service/http/createApp.ts'
import { type TestShop, testShop } from '../service/payments/payments.fixture.ts'
import { testKeys } from '../service/service.fixture.ts'
import { webhookRoutes } from '../service/webhooks/webhookRoutes.ts'
import { callSandbox } from './connection/callSandbox.ts'
import { type Forwarded, forwardEvents, forwardedLine, shufflePlan } from './listen.ts'

let shop: TestShop
let service: Server
let merchant: Server
let got: { body: string; signature: string }[]
let answer: number | 'hang'
/** Ends the request to which the server does not respond. */
let release = () => {}
const sandbox = { url: '', apiKey: testKeys.shop }
let stop: AbortController
let running: Promise<void> | undefined

const portOf = (server: Server) => (server.address() as AddressInfo).port // a TCP server's address has a port

async function startService(port = 0): Promise<void> {
  service = await new Promise((resolve) => {
    const { fetch } = createApp(shop.service, webhookRoutes)
    // `serve` returns a plain HTTP server unless another type is requested.
    const server = serve({ fetch, port, hostname: '127.0.0.1' }, () => resolve(server as Server))
  })
  sandbox.url = `http://127.0.0.1:${portOf(service)}`
}

async function stopService(): Promise<void> {
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
}

beforeAll(async () => {
  shop = await testShop()
  await startService()
})
beforeEach(async () => {
  got = []
  answer = 204
  stop = new AbortController()
  merchant = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ body, signature: String(request.headers['x-svc-signature']) })
      if (answer === 'hang') release = () => response.writeHead(204).end()
      else response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  stop.abort()
  await running
  merchant.closeAllConnections()
  merchant.close()
})
afterAll(async () => {
  await stopService()
  await shop.close()
})

const trigger = async (type = 'payment.settled') =>
  (
    await callSandbox(sandbox, {
      path: '/sandbox/webhooks/trigger',
      answer: z.object({ id: z.string() }),
      body: { type },
    })
  ).id
const until = async (holds: () => boolean) => {
  for (let n = 0; n < 400 && !holds(); n++) await new Promise((resolve) => setTimeout(resolve, 25))
  expect(holds()).toBe(true)
}
const idsGot = () => got.map(({ body }): string => JSON.parse(body).id)

/** Starts forwarding, and resolves once the listener is registered. */
async function start(more: Partial<forwardEvents.Options> = {}) {
  const reported: Forwarded[] = []
  const secret = await new Promise<string>((resolve, reject) => {
    running = forwardEvents({
      sandbox,
      forwardTo: `http://127.0.0.1:${portOf(merchant)}/hooks`,
      signal: stop.signal,
      pauseMs: 20,
      onReady: ({ secret: one }) => resolve(one),
      onForwarded: (one) => reported.push(one),
      ...more,
    })
    running.catch(reject)
  })
  return { reported, secret }
}

describe('listening', () => {
  test('forwards every event in order, signed with the secret passed to onReady', async () => {
    const { reported, secret } = await start()
    const ids = [
      await trigger('payment.created'),
      await trigger('payment.settled'),
      await trigger('credits.minted'),
    ]
    await until(() => reported.length === 3)
    expect(idsGot()).toEqual(ids)
    expect(reported[0]).toMatchObject({ id: ids[0], type: 'payment.created', status: 204, isCopy: false })
    const [{ body, signature } = { body: '', signature: '' }] = got
    const headers = { 'x-svc-signature': signature }
    expect(await verifyWebhook({ body, headers, secret })).toMatchObject({ id: ids[0] })
  })

  test('forwards a resent event, with the same id', async () => {
    const { reported } = await start()
    const id = await trigger()
    await until(() => reported.length === 1)
    await callSandbox(sandbox, { path: '/sandbox/webhooks/resend', body: { id } })
    await until(() => reported.length === 2)
    expect(idsGot()).toEqual([id, id])
  })

  test('forwards an event that is resent during its first delivery', async () => {
    answer = 'hang'
    await start()
    const id = await trigger()
    await until(() => got.length === 1)
    await callSandbox(sandbox, { path: '/sandbox/webhooks/resend', body: { id } })
    answer = 204
    release()
    await until(() => got.length === 2)
    expect(idsGot()).toEqual([id, id])
  })

  test('reconnects after the service was unavailable', async () => {
    let away = 0
    const { reported } = await start({ onAway: () => away++ })
    const port = portOf(service)
    await stopService()
    await until(() => away === 1)
    await startService(port)
    const id = await trigger()
    await until(() => reported.length === 1)
    expect(idsGot()).toEqual([id])
  })

  test('ends when the signal aborts, and removes its listener', async () => {
    await start()
    stop.abort()
    await running
    const { listeners } = (await shop.get('/sandbox/webhooks', shop.merchant())).body
    expect(listeners).toEqual([])
  })

  test('rejects a wrong key', async () => {
    await expect(start({ sandbox: { ...sandbox, apiKey: 'sk_wrong' } })).rejects.toThrow('API key')
    running = undefined
  })
})

describe('with shuffle', () => {
  test('delivers every event, some twice, in a different order that depends only on the seed', async () => {
    const plan = Array.from({ length: 40 }, (_, n) => shufflePlan('seven', n))
    expect(plan).toEqual(Array.from({ length: 40 }, (_, n) => shufflePlan('seven', n)))
    expect(plan).not.toEqual(Array.from({ length: 40 }, (_, n) => shufflePlan('eight', n)))
    const twice = plan.filter((delays) => delays.length === 2).length
    expect(twice).toBeGreaterThan(3)
    expect(twice).toBeLessThan(20)
    expect(plan.flat().every((delay) => delay >= 0 && delay < 3_000)).toBe(true)
  })

  test('sends the duplicates that shufflePlan returns, in a different order', async () => {
    const { reported } = await start({ shuffle: 'seven' })
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await trigger())
    const expected = ids.flatMap((id, n) => shufflePlan('seven', n).map(() => id)).sort()
    await until(() => reported.length === expected.length)
    expect(idsGot().sort()).toEqual(expected)
    expect(idsGot()).not.toEqual(expected)
  })
})

test('prints a line as text or JSON', () => {
  const time = new Date('2026-05-01T12:34:56Z')
  const forwarded = { id: 'evt_1', type: 'payment.settled', isCopy: false, status: 204 }
  expect(forwardedLine(forwarded, { isJson: false, time })).toBe(
    '12:34:56  payment.settled           evt_1  204',
  )
  expect(JSON.parse(forwardedLine(forwarded, { isJson: true, time }))).toMatchObject({
    id: 'evt_1',
    status: 204,
  })
})

test('a line contains no control characters', () => {
  const time = new Date('2026-05-01T12:34:56Z')
  const type = 'payment.settled\u001b]0;gone\u0007\u009b2J\u202e\n'
  const line = forwardedLine({ id: 'evt_1\r', type, isCopy: false, status: 204 }, { isJson: false, time })
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('ends immediately, even if the server does not respond', async () => {
  await start()
  answer = 'hang'
  for (let n = 0; n < 3; n++) await trigger()
  await until(() => got.length === 1)
  const began = performance.now()
  stop.abort()
  await running
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(got).toHaveLength(1)
})
