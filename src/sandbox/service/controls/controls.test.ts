import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { createApp } from '../http/createApp.ts'
import { routes } from '../routes.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { createFaults, sandboxControlsOf } from './sandboxControls.ts'

let fixture: Awaited<ReturnType<typeof testService>>
beforeAll(async () => {
  fixture = await testService()
})
afterAll(() => fixture?.close())

const plan = { name: 'Gold', code: 'gold', interval: 'Daily', amount: { cents: 1, currency: 'USD' } }
const decision = { blockchain: 'base', programId: '0x1', approved: true }
const slow = { path: '/api/*', kind: 'slow' }

/** The error for an invalid field must name the valid values. */
test.each([
  ['clock', { advanceSeconds: -1 }, 'advanceSeconds', /is -1: expected a whole number from 0 to/],
  ['clock', { advanceSeconds: 1.5 }, 'advanceSeconds', /is 1.5: expected a whole number/],
  ['clock', {}, 'advanceSeconds', /is missing: expected a whole number/],
  ['clock', { now: '2030-01-01T00:00:00Z', advanceSeconds: 1 }, 'advanceSeconds', /not a field/],
  ['fault', slow, 'delayMs', /A fault of kind slow requires delayMs/],
  ['fault', { ...slow, delayMs: 0 }, 'delayMs', /expected a whole number from 1 to 600000/],
  ['fault', { ...slow, delayMs: 1, share: 2 }, 'share', /expected a number above 0, at most 1/],
  ['fault', { ...slow, delayMs: 1, times: 0 }, 'times', /expected a whole number from 1/],
  [
    'webhooks/done',
    { listenerId: 'a', deliveryId: 'b', attempt: 1, status: 7 },
    'status',
    /expected a status from 100/,
  ],
  ['program', { ...decision, chainId: 0 }, 'chainId', /expected a chain id above 0/],
  ['program', { ...decision, minimumGas: 0 }, 'minimumGas', /expected a whole number from 1/],
  ['subscription/plans', { ...plan, duration: 0 }, 'duration', /expected a whole number from 1 to 10000/],
  [
    'subscription/plans',
    { ...plan, amount: { cents: 0, currency: 'USD' } },
    'amount.cents',
    /at least one US cent/,
  ],
])('the error of POST /sandbox/%s with %j names %s and the valid values', async (path, body, field, text) => {
  const response = await createApp(fixture.service, routes).request(`/sandbox/${path}`, {
    method: 'POST',
    headers: { authorization: testKeys.shop, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  expect(answer).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(text) })
  expect(answer.issues).toEqual([field])
})

test('the clock does not move if a chain does not respond, so that the call can be repeated', async () => {
  const { service } = fixture
  const fail = () => Promise.reject(new ChainReadError('no answer'))
  const client = { getBlock: fail, request: fail }
  const chains = new Map([['base', { chainId: 84532, client, destinations: new Map() }]])
  // Only these fields of the chain are read.
  const withoutChain = { ...service, chains: chains as never }
  const response = await createApp(withoutChain, routes).request('/sandbox/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: 86_400 }),
  })
  expect(response.status).toBe(503)
  expect(sandboxControlsOf(service).clock.offsetMs()).toBe(0)
})

test('the error for an unknown path names the valid prefixes', async () => {
  const response = await createApp(fixture.service, routes).request('/sandbox/clock/')
  expect(await response.json()).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/\/sandbox/),
  })
})

test.each([
  ['log?limits=5', 'limits', /not a field/],
  ['log?limit=0', 'limit', /expected a whole number from 1 to 9999/],
  ['webhooks/events?types=payment.*', 'types', /not a field/],
  ['webhooks/events?limit=101', 'limit', /expected a number from 1 to 100/],
])('the error of GET /sandbox/%s names %s and the valid values', async (path, field, text) => {
  const headers = { authorization: testKeys.shop }
  const response = await createApp(fixture.service, routes).request(`/sandbox/${path}`, { headers })
  expect(await response.json()).toMatchObject({
    code: 'INVALID_REQUEST',
    issues: [field],
    message: expect.stringMatching(text),
  })
})

describe('faults', () => {
  const triggers = (path: string, asked: string) => {
    const faults = createFaults()
    faults.add({ path, kind: 'lost' })
    return faults.trigger({ method: 'GET', path: asked }) !== undefined
  }

  test.each([
    ['/api/a', '/api/a', true],
    ['/api/a', '/api/ab', false],
    ['/api/*', '/api/', true],
    ['/api/*/b', '/api/a/b', true],
    ['/api/*/b', '/api/b', false],
    ['/api/*a*a', '/api/aa', true],
    ['/api/*aa*a', '/api/aa', false],
    ['/api/*.x', '/api/yx', false],
    ['/api*', '/api', true],
  ])('a fault at %s matches %s: %s', (pattern, path, expected) => {
    expect(triggers(pattern, path)).toBe(expected)
  })

  test('match a pattern with many stars quickly', () => {
    const started = performance.now()
    expect(triggers(`/api/${'*a'.repeat(90)}*b`, `/api/${'a'.repeat(5000)}`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
