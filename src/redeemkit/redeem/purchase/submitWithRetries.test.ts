import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { prepareRedeem } from '../prepareRedeem.ts'
import {
  account,
  chainId,
  fakeChain,
  fakeService,
  hash,
  now,
  nowSeconds,
  pinned,
  token,
} from '../redeem.fixture.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { signRedeem } from '../signRedeem.ts'
import { submitWithRetries } from './submitWithRetries.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token }
const lost = () => new Response('', { status: 502 })

/** Submits a signed redeem. The pauses advance the clock; a test can advance it too. */
async function submit(
  answer: (attempt: number) => Response | Promise<Response>,
  change: Partial<submitWithRetries.Options> = {},
) {
  let ms = now()
  const steps: string[] = []
  const pauses: number[] = []
  const onSubmitted = vi.fn()
  const { client, received } = fakeService({ submit: (_, attempt) => answer(attempt) })
  const prepared = await prepareRedeem(client, { ...request, chainId, pinned })
  const signed = await signRedeem(account, { prepared, request, now })
  const result = submitWithRetries(client, signed, {
    publicClient: fakeChain({ timestamp: BigInt(nowSeconds) }),
    pinned,
    request,
    notify: async ({ step }) => void steps.push(step),
    onSubmitted,
    hasHash: false,
    signal: undefined,
    timeoutMs: 7_000,
    now: () => ms,
    sleep: async (pause) => {
      pauses.push(pause)
      ms += pause
    },
    ...change,
  }).catch((error: unknown) => error)
  return { result: await result, sent: received.sendGaslessTx.length, steps, pauses, onSubmitted, prepared }
}

test('a redeem is submitted again after growing pauses until the timeout', async () => {
  const { result, sent, pauses, onSubmitted } = await submit(lost)
  expect(result).toMatchObject({ name: 'OutcomeUnknownError' })
  expect([sent, pauses, onSubmitted.mock.calls.length]).toEqual([4, [1_000, 2_000, 4_000], 4])
})

test.each([
  ['until the permit expires', 600, 600],
  ['for two minutes if the permit expires earlier', 60, 120],
])('without `timeoutMs`, the redeem is submitted %s', async (_, life, seconds) => {
  const { pauses } = await submit(lost, { timeoutMs: undefined, now: () => (nowSeconds + 600 - life) * 1000 })
  const waited = pauses.reduce((sum, pause) => sum + pause) / 1000
  expect(waited).toBeGreaterThanOrEqual(seconds)
  expect(waited).toBeLessThan(seconds + 10)
})

test('the submits end even if the clock stops', async () => {
  const pauses: number[] = []
  const sleep = async (pause: number) => void pauses.push(pause)
  const { sent } = await submit(lost, { now, sleep })
  expect([sent, pauses]).toEqual([4, [1_000, 2_000, 4_000]])
})

test.each([
  [6_999, 2],
  [7_000, 1],
])('the duration of a submit counts: with %s ms each, the redeem is sent %s times', async (takes, times) => {
  let ms = now()
  const slow = () => {
    ms += takes
    return lost()
  }
  expect((await submit(slow, { now: () => ms, sleep: async () => {} })).sent).toBe(times)
})

test('a click while the service does not respond submits immediately, without a pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const click = async (step: RedeemStep) => {
    if (step.step === 'stillWaiting') step.sendNow?.()
  }
  const answer = (attempt: number) => (attempt === 1 ? new Promise<never>(() => {}) : Response.json({ hash }))
  const submitting = submit(answer, { notify: click })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await submitting).toMatchObject({ result: { hash }, sent: 2, pauses: [] })
})

test('without a node, the redeem is sent once', async () => {
  const { result, sent, steps } = await submit(lost, { publicClient: undefined })
  expect(result).toMatchObject({ name: 'OutcomeUnknownError' })
  expect([sent, steps]).toEqual([1, ['submitting']])
})

test.each([
  [{ timeoutMs: 200_000 }, { result: { hash }, sent: 3, pauses: [90_000, 90_000] }],
  [{ timeoutMs: 90_000 }, { result: { name: 'OutcomeUnknownError' }, sent: 1, pauses: [] }],
  [
    { timeoutMs: 90_000, hasHash: true },
    { result: undefined, sent: 1, pauses: [] },
  ],
])('a 429 is repeated after its `retry-after`, if the time is long enough: %o', async (change, expected) => {
  const busy = () =>
    Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '90' } })
  const done = await submit((attempt) => (attempt < 3 ? busy() : Response.json({ hash })), change)
  expect(done).toMatchObject(expected)
})

test('with a known hash, the redeem is sent three times, and the hash is then followed', async () => {
  expect(await submit(lost, { hasHash: true, timeoutMs: 60_000 })).toMatchObject({
    result: undefined,
    sent: 3,
  })
})

test.each([
  ['before it is sent', 'stop', 0],
  ['while it is sent', 'lookUp', 1],
  ['during the pause', 'lookUp', 1],
])('an abort %s ends the submits', async (when, remedy, times) => {
  const abort = new AbortController()
  const { signal } = abort
  if (when === 'before it is sent') abort.abort()
  const answer = () => {
    if (when === 'while it is sent') abort.abort()
    return lost()
  }
  const { result, sent } = await submit(answer, { signal, sleep: async () => abort.abort() })
  expect(result).toMatchObject({ name: 'RequestAbortedError', remedy })
  expect(sent).toBe(times)
})

test('no listeners or timers remain', async () => {
  const { signal } = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
  const before = timers()
  expect((await submit(() => Response.json({ hash }), { signal })).result).toMatchObject({ hash })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(timers()).toBeLessThanOrEqual(before)
})

test('a node without the credits contract ends the submits, because later responses cannot differ', async () => {
  const chain = fakeChain()
  const request = async (call: { method: string; params?: unknown }) =>
    call.method === 'eth_call' ? '0x' : chain.request(call)
  const { result, sent, pauses } = await submit(lost, { publicClient: { request } })
  expect(result).toMatchObject({ name: 'OutcomeUnknownError' })
  expect([sent, pauses]).toEqual([1, []])
})

test('a failed look-up is repeated before anything is sent again', async () => {
  const chain = fakeChain({ timestamp: BigInt(nowSeconds) })
  let failures = 2
  const request = async (call: { method: string; params?: unknown }) => {
    if (failures-- > 0) throw new Error('down')
    return chain.request(call)
  }
  const { sent, pauses } = await submit((attempt) => (attempt === 1 ? lost() : Response.json({ hash })), {
    publicClient: { request },
  })
  expect([sent, pauses]).toEqual([2, [1_000, 2_000, 4_000]])
})

test('if a node does not respond, only that look-up ends', async () => {
  const silent = { request: () => new Promise<never>(() => {}) }
  const begun = performance.now()
  const { result, sent } = await submit(lost, { publicClient: silent, timeoutMs: 30, now: Date.now })
  expect(result).toMatchObject({ name: 'OutcomeUnknownError' })
  expect(sent).toBe(1)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
