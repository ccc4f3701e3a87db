import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { shownOf } from '../../core/errors/shownOf.fixture.ts'
import { isOpenRedeemError } from '../isOpenRedeemError.ts'
import {
  chainId,
  countingSigner,
  creditsContract,
  fakeChain,
  fakeService,
  hash,
  honestAnswer,
  isOwnCall,
  nowSeconds,
  orderStateSelector,
  pinned,
  recoveredWallet,
  redeemedLog,
  token,
  wallet,
} from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'
import type { RedeemStep } from '../redeemStep.ts'
import type { PurchaseStorage } from './purchaseStorage.ts'

/** Numbers the fault of each interaction. 0 is no fault; each interaction defines its own other numbers. */
type Faults = { next: () => number; abort: () => void }
const healthy: Faults = { next: () => 0, abort: () => {} }

const never = () => new Promise<never>(() => {})
const answers = (status: number, code: string, headers = {}) =>
  Response.json({ code, message: 'no' }, { status, headers })

/** Wrong responses to a submit. */
const lies: (() => Response | Promise<Response>)[] = [
  () => Response.json({ hash: `0x${'99'.repeat(32)}` }),
  () => Response.json({ hash: 7 }),
  () => new Response('{"ha'),
  () => new Response('', { status: 204 }),
  () => new Response('', { status: 302, headers: { location: 'http://elsewhere.test' } }),
  () => answers(400, 'INVALID_REQUEST'),
  () => answers(401, 'UNAUTHENTICATED'),
  () => answers(403, 'NOT_WHITELISTED'),
  () => answers(409, 'INTENT_MISMATCH'),
  () => answers(412, 'EXCEEDS_AUTHORIZED'),
  () => answers(412, 'PERMIT_EXPIRED'),
  () => answers(412, 'UNKNOWN_NONCE'),
  () => answers(412, 'INSUFFICIENT_CREDITS'),
  () => answers(429, 'RATE_LIMITED', { 'retry-after': '0' }),
  () => answers(500, 'INTERNAL'),
  () => Promise.reject(new TypeError('fetch failed')),
  never,
]

/** Creates a service, chain, wallet and storage that fail on request. */
function world(options: { randomNonce: boolean }) {
  let faults = healthy
  let elapsed = 0
  let named = 0
  const redeemed = new Set<string>()
  const sent = new Set<string>()
  const pending = new Map<string, bigint>()
  const signatures: string[] = []
  const items = new Map<string, string>()
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [] })
  const clock = () => (nowSeconds + elapsed) * 1000
  const mine = () => {
    for (const [nonce, end] of pending) {
      // The contract redeems at most one nonce of an order.
      const isUsed = [...redeemed].some((one) => one !== nonce && one.slice(0, 26) === nonce.slice(0, 26))
      if (end > chain.state.timestamp && !isUsed) redeemed.add(nonce)
    }
    pending.clear()
    chain.state.logs = [...redeemed].map((nonce) =>
      redeemedLog({ nonce: nonce as Hex, kind: 0, creditSeed: 'my-shop', refunded: 0n }),
    )
  }
  const { client, received } = fakeService({
    client: { now: clock, timeoutMs: 15 },
    answer: (body) => {
      const fault = faults.next()
      const gasFee = fault === 1 ? 40_000 : 30_000
      const answer = honestAnswer(body, {
        gasFee,
        validFor: elapsed + (fault === 2 ? 3_000 : 600),
      })
      if (fault === 3) answer.creditsRawAmount += 1
      if (fault === 4) answer.validBefore = '1'
      if (fault === 5 || options.randomNonce) {
        // A new nonce each time, unrelated to the purchase.
        const nonce = `0x${(++named).toString(16).padStart(64, '0')}`
        const { usdcAuthorization: usdc } = answer
        const holders = [answer, answer.message.message, usdc?.message.message, usdc?.messageData]
        for (const holder of holders) if (holder) holder.nonce = nonce
      }
      if (fault >= 6 && fault <= 9) throw new TypeError('fetch failed')
      return answer
    },
    submit: (body) => {
      const fault = faults.next()
      const nonce = String(body.nonce)
      sent.add(nonce)
      const alive = BigInt(String(body.validBefore)) > chain.state.timestamp
      if (fault % 3 !== 2 && alive) pending.set(nonce, BigInt(String(body.validBefore)))
      if (fault % 3 === 0) mine()
      if (fault > 0) return lies[fault % lies.length]?.() ?? new Response('', { status: 502 })
      return alive || redeemed.has(nonce) ? Response.json({ hash }) : answers(412, 'PERMIT_EXPIRED')
    },
  })
  const publicClient = {
    request: async (call: { method: string; params?: unknown }): Promise<unknown> => {
      const fault = faults.next()
      if (fault === 1) throw new Error('the node died')
      if (fault === 2) return never()
      if (fault === 3) return null
      if (fault === 4) return '0x'
      if (fault === 5) return {}
      if (call.method !== 'eth_call') return chain.request(call)
      if (!isOwnCall(call)) return recoveredWallet
      const [{ data }] = call.params as [{ data: string }]
      if (data.startsWith(orderStateSelector)) {
        const used = [...redeemed].find((nonce) => nonce.startsWith(`0x${data.slice(74, 98)}`))
        // A past state, or the state of a block that a reorganisation removed.
        chain.state.orderState = fault === 6 ? 0 : fault === 7 ? 2 : used === undefined ? 0 : 1
        if (used !== undefined) chain.state.usedBy = used as Hex
      }
      return chain.request(call)
    },
  }
  const prompts: { redeemed: boolean; aborted: boolean }[] = []
  const signerOf = (signal: AbortSignal) => ({
    request: async (call: { method: string; params?: unknown }): Promise<unknown> => {
      const fault = faults.next()
      if (call.method !== 'eth_signTypedData_v4') {
        if (fault === 1) throw Object.assign(new Error('no'), { code: -32603 })
        return countingSigner(fault === 2 ? { chainId: 1 } : {}).request(call)
      }
      prompts.push({ redeemed: redeemed.size > 0, aborted: signal.aborted })
      const signature = String(await countingSigner().request(call))
      signatures.push(signature.slice(2, 66))
      if (fault === 1) throw Object.assign(new Error('no'), { code: 4001 })
      if (fault === 2) throw new Error(`broken after ${signature}`)
      if (fault === 3) return `0x${'11'.repeat(65)}`
      if (fault === 4) setTimeout(faults.abort, 5)
      return fault === 4 ? never() : signature
    },
  })
  const storage: PurchaseStorage = {
    getItem: async (key) => {
      if (faults.next() === 1) throw new Error(`no ${items.get(key)}`)
      return items.get(key) ?? null
    },
    setItem: (key, value) => {
      const fault = faults.next()
      if (fault === 1) throw new Error(`full ${value}`)
      if (fault === 2) return never()
      if (fault === 3) return undefined
      return items.set(key, value)
    },
    removeItem: (key) => {
      const fault = faults.next()
      if (fault === 1) throw new Error('no')
      if (fault === 2) return never()
      return items.delete(key)
    },
    // Without intent-bound nonces, nothing else prevents payments from two pages.
    ...(options.randomNonce && {
      replaceItem: (key, expected, value) => {
        const fault = faults.next()
        if (fault === 1) throw new Error(`full ${value}`)
        if (fault === 2) return never()
        if (fault === 3 || (items.get(key) ?? null) !== expected) return false
        if (value === null) items.delete(key)
        else items.set(key, value)
        return true
      },
    }),
  }
  return {
    client,
    publicClient,
    received,
    storage,
    items,
    redeemed,
    sent,
    prompts,
    signatures,
    signerOf,
    clock,
    chain: chain.state,
    mine,
    setFaults: (next: Faults) => {
      faults = next
    },
    pass: (some: number) => {
      elapsed += some
      chain.state.timestamp = BigInt(nowSeconds + elapsed)
    },
  }
}

type World = ReturnType<typeof world>
const usdcAmount = { cents: 400 }

async function click(at: World, change: Partial<redeem.Options>, codes: readonly number[]) {
  const controller = new AbortController()
  let index = 0
  let signedReported = false
  const faults: Faults = { next: () => codes[index++] ?? 0, abort: () => controller.abort() }
  at.setFaults(faults)
  let error: unknown
  let result: redeem.ReturnType | undefined
  try {
    result = await redeem(at.client, {
      chainId,
      subtotal: { cents: 1000 },
      transactionData: token,
      pinned,
      storage: at.storage,
      signer: at.signerOf(controller.signal),
      signal: controller.signal,
      timeoutMs: 15,
      pollingIntervalMs: 1,
      sleep: async () => {},
      onStep: ({ step }) => {
        signedReported ||= step === 'signed'
        const fault = faults.next()
        if (fault === 1) throw new RangeError('disk full')
        if (fault === 2) controller.abort()
        if (fault === 3) {
          setTimeout(faults.abort, 3)
          return never()
        }
        return undefined
      },
      ...change,
    })
  } catch (reason) {
    error = reason
  }
  at.setFaults(healthy)
  return { error, result, signedReported }
}

const forbidden = /nothing (was|is) (signed|sent|submitted)|sent nothing|another purchaseId/i

/** Checks the invariants after a failed click. */
function checkFailure(at: World, error: unknown, { mayBeOpen }: { mayBeOpen: boolean }): void {
  const texts = shownOf(error)
  for (const signature of at.signatures) expect(texts).not.toContain(signature)
  const name = (error as Error).name
  if (at.sent.size > 0) {
    // Storage that cannot be read does not show whether it holds a purchase.
    if (name === 'PurchaseStorageError' || name === 'RedeemExpiredError') return
    expect(texts).not.toMatch(forbidden)
    expect(isOpenRedeemError(error), texts).toBe(true)
    const [nonce] = at.sent
    const signed = (error as { signed?: { prepared: { salt: string } } }).signed
    expect(error).toMatchObject({ wallet, chainId, creditsContract, nonce })
    expect(at.received.creditsAuthMsg.map(({ salt }) => salt)).toContain(signed?.prepared.salt)
  } else if (name === 'RedeemTimeoutError') {
    // The node reported the order first as used, later as unused: another device may have paid.
    expect(isOpenRedeemError(error), texts).toBe(true)
  } else if (!mayBeOpen) expect(isOpenRedeemError(error), texts).toBe(false)
}

describe('every fault at every step', () => {
  const code = fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 17 }) },
  )
  const clicks = fc.array(
    fc.record({
      codes: fc.array(code, { maxLength: 40 }),
      pass: fc.constantFrom(0, 0, 0, 700),
      node: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  )
  const scenario = fc.record({
    clicks,
    usdc: fc.boolean(),
    id: fc.boolean(),
    randomNonce: fc.boolean(),
  })

  test('a purchase is paid once, and errors name the permit that may still execute', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ clicks, usdc, id, randomNonce }) => {
        const at = world({ randomNonce })
        const change: Partial<redeem.Options> = {
          ...(usdc && { usdcAmount }),
          ...(id && { purchaseId: 'order 7' }),
          allowRandomNonce: true,
        }
        let mayBeOpen = false
        let done = false
        for (const { codes, pass, node } of clicks) {
          const { publicClient } = at
          const { error, result, signedReported } = await click(
            at,
            { ...change, ...(node && { publicClient }) },
            codes,
          )
          mayBeOpen ||= signedReported || at.items.size > 0
          if (error !== undefined) checkFailure(at, error, { mayBeOpen })
          expect(at.prompts.filter(({ aborted }) => aborted)).toStrictEqual([])
          done = result !== undefined
          if (done) break
          at.mine()
          at.pass(pass)
        }
        if (!done || id) {
          const { publicClient } = at
          const last = await click(at, { ...change, publicClient }, [])
          expect(last.error).toBe(undefined)
        }
        at.mine()
        expect(at.redeemed.size).toBe(1)
        if (!randomNonce) expect(at.sent.size).toBe(1)
      }),
      {
        numRuns: Math.max(20, inject('generatedInputs') / 10),
        endOnFailure: true,
      },
    )
  }, 600_000)
})

const settle = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  )

const optionsOf = (at: World, change: Partial<redeem.Options> = {}): redeem.Options => ({
  chainId,
  subtotal: { cents: 1000 },
  transactionData: token,
  pinned,
  storage: at.storage,
  signer: at.signerOf(new AbortController().signal),
  sleep: async () => {},
  ...change,
})

/** Creates a setup whose service returns the given response to each submit. */
function shop(submit: (body: Record<string, unknown>, attempt: number) => Response | Promise<Response>) {
  const at = world({ randomNonce: false })
  const service = fakeService({ client: { now: at.clock }, submit })
  return { ...at, ...service }
}
const lost = () => new Response('', { status: 502 })

describe('calls for one purchase', () => {
  test('an abort of one call does not end the other call', async () => {
    const at = world({ randomNonce: false })
    const controller = new AbortController()
    const onStep = ({ step }: RedeemStep) => {
      if (step === 'prepared') controller.abort()
    }
    const first = settle(redeem(at.client, optionsOf(at, { onStep, signal: controller.signal })))
    const second = redeem(at.client, optionsOf(at))
    expect((await first).error).toMatchObject({ name: 'RequestAbortedError' })
    await second
    expect([at.prompts.length, at.redeemed.size]).toStrictEqual([1, 1])
  })

  test.each(['redeemed', 'submitted', 'signed'])(
    'after onStep throws at %s, the next click continues',
    async (at) => {
      const here = world({ randomNonce: false })
      const { publicClient } = here
      const onStep = ({ step }: RedeemStep) => {
        if (step === at) throw new RangeError('disk full')
      }
      await settle(redeem(here.client, optionsOf(here, { onStep, publicClient })))
      await redeem(here.client, optionsOf(here, { publicClient }))
      expect([here.prompts.length, here.sent.size, here.redeemed.size]).toStrictEqual([1, 1, 1])
    },
  )
})

describe('an abort or the timeout ends the wait for', () => {
  const soon = () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    return controller.signal
  }

  test('a wallet that does not report its account', async () => {
    const at = world({ randomNonce: false })
    const client = at.client.with({ wallet: undefined })
    const { error } = await settle(
      redeem(client, optionsOf(at, { signer: { request: never }, signal: soon() })),
    )
    expect(error).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
  })

  test.each(['getItem', 'setItem'] as const)('storage that does not respond to %s', async (name) => {
    const at = world({ randomNonce: false })
    const storage = { ...at.storage, [name]: never }
    const aborted = await settle(redeem(at.client, optionsOf(at, { storage, signal: soon() })))
    expect(aborted.error).toMatchObject({ name: 'RequestAbortedError' })
    const late = await settle(redeem(at.client, optionsOf(at, { storage, timeoutMs: 10 })))
    expect(late.error).toMatchObject({ name: 'PurchaseStorageError' })
    expect(at.prompts).toStrictEqual([])
  })

  test('a node that does not respond when a purchase is resumed', async () => {
    const at = shop(lost)
    await settle(redeem(at.client, optionsOf(at)))
    const { error } = await settle(
      redeem(at.client, optionsOf(at, { publicClient: { request: never }, signal: soon() })),
    )
    expect(error).toMatchObject({ name: 'RequestAbortedError' })
    expect(isOpenRedeemError(error)).toBe(true)
  })

  test('an onStep that does not return', async () => {
    const at = world({ randomNonce: false })
    const { error } = await settle(redeem(at.client, optionsOf(at, { onStep: never, signal: soon() })))
    expect(error).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
  })

  test('a redeem that is not mined while the clock is stopped', async () => {
    const at = shop(() => Response.json({ hash }))
    const { publicClient } = at
    const { error } = await settle(redeem(at.client, optionsOf(at, { publicClient, timeoutMs: 3_000 })))
    expect(error).toMatchObject({ name: 'RedeemTimeoutError' })
    expect(isOpenRedeemError(error)).toBe(true)
  })
})

describe('a changed record', () => {
  type StoredRecord = { signed: { prepared: { pinned: object; answer: object } } }
  const change: [string, (record: StoredRecord) => void][] = [
    ['signed is empty', (record) => Object.assign(record, { signed: {} })],
    ['signed is text', (record) => Object.assign(record, { signed: 'x' })],
    ['another salt', (record) => Object.assign(record, { salt: hash })],
    ['another order', (record) => Object.assign(record, { orderKey: `0x${'ff'.repeat(12)}` })],
    ['no order', (record) => Object.assign(record, { orderKey: undefined })],
    [
      'no signature, and another order',
      (record) => Object.assign(record, { orderKey: `0x${'ff'.repeat(12)}`, signed: undefined }),
    ],
    ['another nonce', ({ signed }) => Object.assign(signed.prepared.answer, { nonce: hash })],
    ['another wallet', ({ signed }) => Object.assign(signed.prepared, { wallet: creditsContract })],
    ['another chain', ({ signed }) => Object.assign(signed.prepared, { chainId: 1 })],
    ['another contract', ({ signed }) => Object.assign(signed.prepared.pinned, { creditsContract: wallet })],
    ['no expiry', ({ signed }) => Object.assign(signed.prepared.answer, { validBefore: 'x' })],
    ['openUntil is not a time', (record) => Object.assign(record, { openUntil: '-1' })],
    ['finished, with another nonce', (record) => Object.assign(record, { hash, nonce: hash })],
    ['another version', (record) => Object.assign(record, { version: 2 })],
  ]
  test.each(change)('%s: it is rejected and kept; nothing is signed or sent', async (_, tamper) => {
    const at = shop(lost)
    const purchaseId = 'order 7'
    await settle(redeem(at.client, optionsOf(at, { purchaseId })))
    const [[key, text] = ['', '']] = at.items
    const record = JSON.parse(text)
    tamper(record)
    const changed = JSON.stringify(record)
    at.items.set(key, changed)
    const { error } = await settle(redeem(at.client, optionsOf(at, { purchaseId })))
    expect(error).toMatchObject({ name: 'PurchaseStorageError' })
    expect([at.items.get(key), at.prompts.length, at.received.sendGaslessTx.length]).toStrictEqual([
      changed,
      1,
      1,
    ])
  })
})

describe('a second signature for the same purchase', () => {
  const moved = () => answers(412, 'EXCEEDS_AUTHORIZED')

  test('never has another nonce, even if random nonces are allowed', async () => {
    const at = world({ randomNonce: false })
    const received: string[] = []
    const service = fakeService({
      client: { now: at.clock },
      answer: (body, attempt) => {
        const answer = honestAnswer(body)
        if (attempt > 1) answer.nonce = answer.message.message.nonce = `0x${'01'.repeat(32)}`
        return answer
      },
      submit: (body) => {
        received.push(String(body.nonce))
        return moved()
      },
    })
    const { error } = await settle(redeem(service.client, optionsOf(at, { allowRandomNonce: true })))
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'PreparedMismatchError' } })
    expect([at.prompts.length, received.length]).toStrictEqual([1, 1])
  })

  test.each([
    [1, { value: { outcome: { hash } } }],
    [2, { error: { name: 'RedeemTimeoutError', remedy: 'lookUp' } }],
  ])('is not requested if the first is mined, with %i confirmations', async (confirmations, expected) => {
    const at = shop((body) => {
      // The redeem is mined after the look-up that follows the rejection.
      sentNonce = String(body.nonce)
      return moved()
    })
    let sentNonce = ''
    const onStep = ({ step }: RedeemStep) => {
      if (step !== 'preparingAgain') return
      at.redeemed.add(sentNonce)
      at.mine()
      at.chain.minedIn = at.chain.blockNumber
    }
    const { publicClient } = at
    const options = optionsOf(at, { onStep, publicClient, confirmations, timeoutMs: 2_000 })
    expect(await settle(redeem(at.client, options))).toMatchObject(expected)
    expect(at.prompts).toHaveLength(1)
  })

  test('is not requested without funds, and then reports no submit', async () => {
    const at = shop(moved)
    const onStep = ({ step }: RedeemStep) => {
      if (step === 'preparingAgain') at.chain.credits = 0n
    }
    const { publicClient } = at
    const { error } = await settle(redeem(at.client, optionsOf(at, { onStep, publicClient })))
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'InsufficientFundsError' } })
    expect(shownOf(error)).not.toMatch(forbidden)
  })

  test('does not shorten the wait for the first permit, which expires later', async () => {
    const at = world({ randomNonce: false })
    const { client } = fakeService({
      client: { now: at.clock },
      answer: (body, attempt) => honestAnswer(body, { validFor: attempt === 1 ? 3_000 : 600 }),
      submit: moved,
    })
    await settle(redeem(client, optionsOf(at)))
    const { error } = await settle(redeem(client, optionsOf(at)))
    expect(error).toMatchObject({ remedy: 'lookUp', validBefore: `${nowSeconds + 3_000}` })
  })
})

test("if the caller's `sleep` fails after the submit, the redeem stays open", async () => {
  const at = world({ randomNonce: false })
  const { client } = fakeService({
    client: { now: at.clock, sleep: () => Promise.reject(new RangeError('no timers')) },
    submit: () => answers(429, 'RATE_LIMITED', { 'retry-after': '1' }),
  })
  const { error } = await settle(redeem(client, optionsOf(at)))
  expect(isOpenRedeemError(error)).toBe(true)
})

test.each(['PERMIT_EXPIRED', 'UNKNOWN_NONCE'])(
  'after a reload, a permit that the service rejects as %s is signed again with the same nonce',
  async (code) => {
    const at = shop((_, attempt) => (attempt === 2 ? answers(412, code) : lost()))
    await settle(redeem(at.client, optionsOf(at)))
    await settle(redeem(at.client, optionsOf(at)))
    const nonces = at.received.sendGaslessTx.map(({ nonce }) => nonce)
    expect([at.prompts.length, nonces.length, new Set(nonces).size]).toStrictEqual([2, 3, 1])
  },
)

test('a permit that expired while it was sent is not sent again', async () => {
  const at = shop(() => {
    at.pass(700)
    return lost()
  })
  const { publicClient } = at
  const { error } = await settle(redeem(at.client, optionsOf(at, { publicClient })))
  expect(error).toMatchObject({ name: 'RedeemExpiredError' })
  expect(at.received.sendGaslessTx).toHaveLength(1)
})

test('a random-nonce redeem stays stored with its permit, because a reorg may undo it', async () => {
  const at = world({ randomNonce: true })
  const { publicClient } = at
  await redeem(at.client, optionsOf(at, { publicClient, allowRandomNonce: true, purchaseId: 'order 7' }))
  expect([...at.items.values()].join()).toContain('permitCredits')
})

test('a fraction of a cent that the service does not report can be spent', async () => {
  const at = world({ randomNonce: false })
  const { client } = fakeService({
    client: { now: at.clock },
    answer: (body) => honestAnswer(body, { gasFee: 39_999 }),
    balances: { credits: { cents: 1003 }, usdc: { cents: 0 } },
  })
  await redeem(client, optionsOf(at))
  expect(at.prompts).toHaveLength(1)
})

// These tests come last: once a second page is opened, modules loaded on demand belong to that page.

/** Opens another page: a second copy of the module, which shares only the storage. */
async function anotherPage(): Promise<typeof redeem> {
  vi.resetModules()
  return (await import('../redeem.ts')).redeem
}

describe('two pages without Web Locks', () => {
  beforeEach(() => vi.stubGlobal('navigator', {}))
  afterEach(() => vi.unstubAllGlobals())

  test('a rejection on one page does not affect what the other page submitted', async () => {
    const at = shop(lost)
    const other = await anotherPage()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method !== 'eth_signTypedData_v4') return countingSigner().request(call)
        // While this page's prompt is open, the other page finds its salt, signs and sends.
        await settle(other(at.client, optionsOf(at)))
        throw Object.assign(new Error('no'), { code: 4001 })
      },
    }
    await settle(redeem(at.client, optionsOf(at, { signer })))
    expect([...at.items.values()].join()).toContain('permitCredits')
  })

  test('if one page has submitted, the other page opens no prompt', async () => {
    const at = shop(lost)
    const other = await anotherPage()
    const onStep = async ({ step }: RedeemStep) => {
      if (step === 'prepared') await settle(other(at.client, optionsOf(at)))
    }
    const { error } = await settle(redeem(at.client, optionsOf(at, { onStep })))
    expect(error).toMatchObject({ name: 'PurchaseStorageError' })
    expect([at.prompts.length, at.received.sendGaslessTx.length]).toStrictEqual([1, 1])
    await settle(redeem(at.client, optionsOf(at)))
    expect(new Set(at.received.sendGaslessTx.map(({ nonce }) => nonce)).size).toBe(1)
  })
})

describe('Web Locks', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Simulates a browser's Web Locks: `ifAvailable`, a queue for each name, and a signal that ends the wait. */
  function lockManager() {
    const queues = new Map<string, Promise<unknown>>()
    return {
      request: async (
        name: string,
        how: { ifAvailable?: boolean; signal?: AbortSignal },
        work: (lock: object | null) => Promise<unknown>,
      ) => {
        if (how.ifAvailable && how.signal) throw new DOMException('both', 'NotSupportedError')
        const before = queues.get(name)
        if (how.ifAvailable && before !== undefined) return work(null)
        const run = async () => {
          const aborted = new Promise<never>((_, reject) =>
            how.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
          )
          if (before !== undefined) await Promise.race([before, aborted])
          return work({ name })
        }
        const done = run()
        const settled = Promise.allSettled([before, done]).finally(() => {
          if (queues.get(name) === settled) queues.delete(name)
        })
        queues.set(name, settled)
        return done
      },
    }
  }

  test('the second page waits, and returns the payment of the first', async () => {
    vi.stubGlobal('navigator', { locks: lockManager() })
    vi.stubGlobal('isSecureContext', true)
    const at = world({ randomNonce: false })
    const other = await anotherPage()
    const [one, two] = await Promise.all([redeem(at.client, optionsOf(at)), other(at.client, optionsOf(at))])
    expect([one.nonce, at.prompts.length, at.sent.size]).toStrictEqual([two.nonce, 1, 1])
  })

  test('an aborted wait ends, and the first page pays', async () => {
    vi.stubGlobal('navigator', { locks: lockManager() })
    vi.stubGlobal('isSecureContext', true)
    const at = world({ randomNonce: false })
    const other = await anotherPage()
    const controller = new AbortController()
    const first = redeem(at.client, optionsOf(at))
    const onStep = ({ step }: RedeemStep) => {
      if (step === 'waitingForOther') controller.abort()
    }
    const second = settle(other(at.client, optionsOf(at, { onStep, signal: controller.signal })))
    expect((await second).error).toMatchObject({ name: 'RequestAbortedError' })
    await first
    expect(at.redeemed.size).toBe(1)
  })
})
