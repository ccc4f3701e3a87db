import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { checksumOf } from './check/compare.ts'
import { findRedeem } from './findRedeem.ts'
import { isOpenRedeemError } from './isOpenRedeemError.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { processStorage } from './purchase/purchaseStorage.ts'
import {
  account,
  fakeService as anyService,
  chainId,
  countingSigner,
  creditsContract,
  emptyStorage,
  fakeChain,
  hash,
  honestAnswer,
  now,
  nowSeconds,
  orderKey,
  pinned,
  random,
  recoveredWallet,
  redeemedLog,
  salt,
  stranger,
  testClock,
  token,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import type { RedeemStep } from './redeemStep.ts'
import { signRedeem } from './signRedeem.ts'
import { submitRedeem } from './submitRedeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'

const request = {
  chainId,
  subtotal: { cents: 1000 },
  transactionData: token,
  pinned,
  random,
}
const nonce = honestAnswer({ ...request, salt, orderKey }).nonce as Hex
/** Clears the process storage between tests. */
const forget = () => {
  // The storage is a map, whose keys are listed synchronously.
  for (const key of [...((processStorage.keys?.() ?? []) as Iterable<string>)]) processStorage.removeItem(key)
}
beforeEach(forget)
afterEach(forget)
const reload = <T>(data: T): T => JSON.parse(JSON.stringify(data))
const { clock, sleep } = testClock()
const fakeService = (options: Parameters<typeof anyService>[0] = {}) =>
  anyService({ ...options, client: { now: clock, ...options.client } })
const refusal = (status: number, code: string, message = code) =>
  Response.json({ name: 'x', message, code, requestId: '1' }, { status })

/** Creates a chain that accepts the key's signatures, and mines on demand. */
function chainOf(change: Parameters<typeof fakeChain>[0] = {}) {
  const chain = fakeChain({ logs: [redeemedLog({ nonce })], timestamp: BigInt(nowSeconds), ...change })
  return {
    state: chain.state,
    calls: chain.calls,
    request: async (call: { method: string; params?: unknown }) => {
      const [first] = (call.params ?? []) as [{ to?: string } | undefined]
      return call.method === 'eth_call' && first?.to?.endsWith('01') && first.to.startsWith('0x00')
        ? recoveredWallet
        : chain.request(call)
    },
  }
}

describe('redeem', () => {
  test('runs all steps, and reports each step with the data to resume', async () => {
    const own = honestAnswer({ ...request, salt, orderKey, usdcAmount: { cents: 400 } }).nonce as Hex
    const chain = chainOf({ logs: [redeemedLog({ nonce: own })] })
    const { client, received } = fakeService({
      submit: () => {
        chain.state.orderState = 1
        return Response.json({ hash: `0x${'99'.repeat(32)}` })
      },
    })
    const steps: RedeemStep[] = []
    const result = await redeem(client, {
      ...request,
      usdcAmount: { cents: 400 },
      chargebackProtectionData: [{ productName: 'Hat', productType: 'inGameProduct', quantity: 1 }],
      signer: account,
      publicClient: { request: chain.request },
      onStep: (step) => {
        steps.push(step)
      },
      sleep,
    })
    expect(result).toMatchObject({ hash, nonce: own })
    expect(steps.map((one) => one.step)).toStrictEqual([
      'preparing',
      'prepared',
      'signing',
      'permitSigned',
      'signing',
      'signed',
      'submitting',
      'submitted',
      'waiting',
      'redeemed',
    ])
    expect(received.sendGaslessTx).toHaveLength(1)
    const [sent] = received.sendGaslessTx
    const [asked] = received.creditsAuthMsg
    if (asked === undefined) throw new Error('The fake service was not asked.')
    const answer = honestAnswer(asked)
    expect(sent).toStrictEqual({
      merchantId: 'shop',
      subtotal: { cents: 1000 },
      transactionData: token,
      usdcAmount: { cents: 400 },
      chargebackProtectionData: [{ productName: 'Hat', productType: 'inGameProduct', quantity: 1 }],
      validBefore: answer.validBefore,
      nonce: answer.nonce,
      creditsRawAmount: 6_030_000,
      signedMessages: sent?.signedMessages,
    })
    expect(Object.keys(sent?.signedMessages as object)).toStrictEqual([
      'permitCredits',
      'customerUsdcAuthData',
    ])
  })

  test("reports the chain's outcome, not the service's", async () => {
    const chain = chainOf()
    const { client } = fakeService({
      submit: () => {
        chain.state.orderState = 1
        return Response.json({ hash: `0x${'99'.repeat(32)}` })
      },
    })
    const result = await redeem(client, { ...request, signer: account, publicClient: chain, sleep })
    expect(result).toMatchObject({
      hash,
      nonce,
      wallet,
      creditsContract,
      chainId,
      outcome: { charged: 6_030_000n },
    })
  })

  test("without a public client, reports the service's hash", async () => {
    const { client } = fakeService()
    expect(await redeem(client, { ...request, signer: account })).toStrictEqual({
      hash,
      nonce,
      wallet,
      creditsContract,
      chainId,
      outcome: undefined,
    })
  })

  test('takes the wallet from the signer by default', async () => {
    const { client } = fakeService({ client: { wallet: undefined } })
    expect((await redeem(client, { ...request, signer: countingSigner() })).wallet).toBe(wallet)
  })

  test('an abort before the wallet returns its account sends nothing to the service', async () => {
    const { client, received } = fakeService({ client: { wallet: undefined } })
    const controller = new AbortController()
    const { signal } = controller
    const signer = { request: () => new Promise(() => controller.abort()) }
    const begun = redeem(client, { ...request, signer, signal })
    await expect(begun).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect(received.creditsAuthMsg).toStrictEqual([])
  })

  test('resumes after a reload at any step', async () => {
    const chain = chainOf()
    const { client } = fakeService({
      submit: () => {
        chain.state.orderState = 1
        return Response.json({ hash })
      },
    })
    const prepared = reload(await prepareRedeem(client, request))
    const signed = reload(
      await signRedeem(account, { prepared, pinned: { ...pinned, chainId }, request, now }),
    )
    const submitted = reload(await submitRedeem(client, { signed, pinned }))
    expect(submitted).toStrictEqual({
      version: 1,
      hash,
      wallet,
      nonce,
      creditsContract,
      chainId,
      validBefore: `${nowSeconds + 600}`,
    })
    expect(reload(await submitRedeem(client, { signed, pinned }))).toStrictEqual(submitted)
    expect((await findRedeem(chain, submitted)).state).toBe('redeemed')
    expect((await waitForRedeem(chain, submitted)).hash).toBe(hash)
  })

  test.each(['confirmations', 'timeoutMs', 'pollingIntervalMs'])(
    'rejects an invalid %s before any request',
    async (field) => {
      const { client, received } = fakeService()
      await expect(
        redeem(client, { ...request, signer: account, [field]: Number.NaN }),
      ).rejects.toMatchObject({ field })
      expect(received.creditsAuthMsg).toStrictEqual([])
    },
  )

  test('stops where onStep fails or the signal aborts', async () => {
    for (const stop of ['preparing', 'prepared', 'signing', 'signed', 'submitting'] as const) {
      forget()
      const { client, received } = fakeService()
      const onStep = ({ step }: RedeemStep) => {
        if (step === stop) throw new RangeError(stop)
      }
      await expect(redeem(client, { ...request, signer: account, onStep }), stop).rejects.toBeInstanceOf(
        RangeError,
      )
      expect(received.sendGaslessTx).toStrictEqual([])
      forget()
      const controller = new AbortController()
      const abort = ({ step }: RedeemStep) => {
        if (step === stop) controller.abort()
      }
      await expect(
        redeem(client, { ...request, signer: account, onStep: abort, signal: controller.signal }),
        stop,
      ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
      expect(received.sendGaslessTx).toStrictEqual([])
    }
  })
})

describe('after a changed gas fee, redeem', () => {
  const moved = (times: number) => {
    const service = fakeService({
      answer: (body, attempt) => honestAnswer(body, { gasFee: 10_000 * (attempt + 2) }),
      submit: (_, attempt) =>
        attempt <= times
          ? refusal(412, 'EXCEEDS_AUTHORIZED', 'Total 1.04 exceeds max credits authorized 1.03')
          : Response.json({ hash }),
    })
    return service
  }

  test('prepares once more with the same salt and nonce, and asks the wallet again', async () => {
    const { client, received } = moved(1)
    const signer = countingSigner()
    const steps: string[] = []
    await redeem(client, {
      ...request,
      usdcAmount: { cents: 400 },
      signer,
      onStep: ({ step }) => {
        steps.push(step)
      },
    })
    expect(received.creditsAuthMsg.map((body) => body.salt)).toHaveLength(2)
    expect(new Set(received.creditsAuthMsg.map((body) => body.salt)).size).toBe(1)
    expect(new Set(received.sendGaslessTx.map((body) => body.nonce)).size).toBe(1)
    expect(received.sendGaslessTx.map((body) => body.creditsRawAmount)).toStrictEqual([6_030_000, 6_040_000])
    expect(signer.asked).toHaveLength(4)
    expect(steps.filter((step) => step === 'preparingAgain')).toHaveLength(1)
  })

  test('prepares again only once', async () => {
    const { client, received } = moved(2)
    const signer = countingSigner()
    await expect(redeem(client, { ...request, signer })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'ExceedsAuthorizedError' },
    })
    expect([
      received.creditsAuthMsg.length,
      received.sendGaslessTx.length,
      signer.asked.length,
    ]).toStrictEqual([2, 2, 2])
  })

  test('does not exceed the cap', async () => {
    const { client, received } = moved(1)
    const signer = countingSigner()
    await expect(
      redeem(client, { ...request, pinned: { ...pinned, maxGasFeeCents: 3 }, signer }),
    ).rejects.toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'GasFeeTooHighError' }, nonce })
    expect([signer.asked.length, received.sendGaslessTx.length]).toStrictEqual([1, 1])
  })

  test('does not prepare a random-nonce permit again, because both could execute', async () => {
    const { client, received } = fakeService({
      answer: (body, attempt) => {
        const answer = honestAnswer(body)
        answer.nonce = answer.message.message.nonce = `0x1${attempt}${'00'.repeat(31)}`
        return answer
      },
      submit: () => refusal(412, 'EXCEEDS_AUTHORIZED'),
    })
    const signer = countingSigner()
    await expect(redeem(client, { ...request, allowRandomNonce: true, signer })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'ExceedsAuthorizedError' },
    })
    expect([received.creditsAuthMsg.length, signer.asked.length]).toStrictEqual([1, 1])
  })
})

describe('rejected submits', () => {
  test.each([
    [400, 'INVALID_REQUEST', 'InvalidRequestError'],
    [403, 'NOT_WHITELISTED', 'NotWhitelistedError'],
    [409, 'INTENT_MISMATCH', 'IntentMismatchError'],
    [409, 'ORDER_CANCELLED', 'OrderCancelledError'],
    [412, 'SIMULATION_FAILED', 'SimulationFailedError'],
    [412, 'PERMIT_EXPIRED', 'PermitExpiredError'],
    [412, 'UNKNOWN_NONCE', 'UnknownNonceError'],
    [412, 'CHALLENGE_REQUIRED', 'ChallengeRequiredError'],
    [423, 'CUSTOMER_BLOCKED', 'CustomerBlockedError'],
    [451, 'VERIFICATION_REQUIRED', 'VerificationRequiredError'],
  ])('%s %s: the redeem was sent once, signed once, and is still open', async (status, code, name) => {
    const { client, received } = fakeService({ submit: () => refusal(status, code) })
    const signer = countingSigner()
    const chain = chainOf()
    await expect(redeem(client, { ...request, signer, publicClient: chain, sleep })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      remedy: 'lookUp',
      cause: { name, code },
      nonce,
    })
    expect([received.sendGaslessTx.length, signer.asked.length]).toStrictEqual([1, 1])
  })

  test('if credits are missing, the same signature is submitted again after growing pauses', async () => {
    const { client, received } = fakeService({
      submit: (_, attempt) =>
        attempt < 3
          ? refusal(
              412,
              'INSUFFICIENT_CREDITS',
              'Wallet does not have enough credits to complete redeem request',
            )
          : Response.json({ hash }),
    })
    const signer = countingSigner()
    expect((await redeem(client, { ...request, signer })).hash).toBe(hash)
    expect(signer.asked).toHaveLength(1)
    expect(new Set(received.sendGaslessTx.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(received.sendGaslessTx).toHaveLength(3)
  })
})

describe('an unknown outcome of the submit', () => {
  const lost: [string, () => Response | Promise<Response>][] = [
    ['500', () => new Response('oops', { status: 500 })],
    ['502 with a page', () => new Response('<html>', { status: 502 })],
    ['503', () => refusal(503, 'UNAVAILABLE')],
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['garbage', () => new Response('{"ha')],
    ['no hash', () => Response.json({})],
    ['a hash that is too short', () => Response.json({ hash: '0x12' })],
    ['a hash that is not hex', () => Response.json({ hash: 'pending' })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
  ]

  test.each(lost)('%s: without a public client, reports it and ends', async (_, submit) => {
    const { client, received } = fakeService({ submit })
    await expect(redeem(client, { ...request, signer: account })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      remedy: 'lookUp',
      nonce,
    })
    expect(received.sendGaslessTx).toHaveLength(1)
  })

  test.each(lost)('%s: with a public client, finds the redeem on chain', async (_, submit) => {
    const chain = chainOf()
    const { client, received } = fakeService({
      submit: () => {
        chain.state.orderState = 1
        return submit()
      },
    })
    const result = await redeem(client, { ...request, signer: account, publicClient: chain, sleep })
    expect(result.outcome?.charged).toBe(6_030_000n)
    expect(received.sendGaslessTx).toHaveLength(1)
  })

  test('submits the same redeem again while the nonce is unused', async () => {
    const chain = chainOf()
    const { client, received } = fakeService({
      submit: (_, attempt) => {
        if (attempt < 3) return new Response('', { status: 502 })
        chain.state.orderState = 1
        return Response.json({ hash })
      },
    })
    const signer = countingSigner()
    const waits = vi.fn(sleep)
    expect((await redeem(client, { ...request, signer, publicClient: chain, sleep: waits })).hash).toBe(hash)
    expect(waits.mock.calls).toStrictEqual([[1_000], [2_000]])
    expect(signer.asked).toHaveLength(1)
    expect(new Set(received.sendGaslessTx.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  test('submits the same redeem until the permit expires, with growing pauses and one prompt', async () => {
    const { client, received } = fakeService({ submit: () => new Response('', { status: 503 }) })
    const signer = countingSigner()
    const waits = vi.fn(sleep)
    await expect(
      redeem(client, { ...request, signer, publicClient: chainOf(), sleep: waits }),
    ).rejects.toMatchObject({ name: 'OutcomeUnknownError', remedy: 'lookUp' })
    const pauses = waits.mock.calls.map(([ms]) => ms)
    expect(pauses.slice(0, 6)).toStrictEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(600_000)
    expect(received.sendGaslessTx).toHaveLength(pauses.length + 1)
    expect(new Set(received.sendGaslessTx.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(signer.asked).toHaveLength(1)
  })

  test('pays without another click if the service recovers after a minute', async () => {
    const chain = chainOf()
    let slept = 0
    const { client } = fakeService({
      submit: () => {
        if (slept < 60_000) return new Response('', { status: 503 })
        chain.state.orderState = 1
        return Response.json({ hash })
      },
    })
    const wait = async (ms: number) => {
      slept += ms
    }
    const signer = countingSigner()
    expect((await redeem(client, { ...request, signer, publicClient: chain, sleep: wait })).hash).toBe(hash)
    expect(signer.asked).toHaveLength(1)
  })

  test('submits nothing again before the chain is read, if the node fails too', async () => {
    const chain = chainOf()
    let isGone = false
    const { client, received } = fakeService({
      submit: (_, attempt) => {
        isGone = attempt === 1
        if (isGone) throw new TypeError('Failed to fetch')
        chain.state.orderState = 1
        return Response.json({ hash })
      },
    })
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) => {
        if (isGone) throw new TypeError('Failed to fetch')
        return chain.request(call)
      },
    }
    const sent: number[] = []
    const wait = async () => {
      sent.push(received.sendGaslessTx.length)
      if (sent.length === 5) isGone = false
    }
    expect((await redeem(client, { ...request, signer: account, publicClient, sleep: wait })).hash).toBe(hash)
    expect(sent).toStrictEqual([1, 1, 1, 1, 1, 1])
    expect(received.sendGaslessTx).toHaveLength(2)
  })

  test('ends the submits after a rejection', async () => {
    const { client, received } = fakeService({
      submit: (_, attempt) =>
        attempt < 3
          ? new Response('', { status: 503 })
          : Response.json({ code: 'NOT_WHITELISTED', message: 'no' }, { status: 403 }),
    })
    await expect(
      redeem(client, { ...request, signer: account, publicClient: chainOf(), sleep }),
    ).rejects.toMatchObject({ cause: { code: 'NOT_WHITELISTED' } })
    expect(received.sendGaslessTx).toHaveLength(3)
  })

  test('reports a missing response after 5 seconds, lets a click submit after 20, and ends after an abort', async () => {
    vi.useFakeTimers()
    try {
      const { client, received } = fakeService({ submit: () => new Response('', { status: 503 }) })
      const steps: RedeemStep[] = []
      const controller = new AbortController()
      const { signal } = controller
      const onStep = (step: RedeemStep) => void steps.push(step)
      const paid = redeem(client, { ...request, signer: account, publicClient: chainOf(), onStep, signal })
      const failed = expect(paid).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
      const waits = () => steps.filter((step) => step.step === 'stillWaiting')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(waits()).toStrictEqual([])
      await vi.advanceTimersByTimeAsync(2_000)
      expect(waits()).toStrictEqual([{ step: 'stillWaiting' }])
      await vi.advanceTimersByTimeAsync(15_000)
      const { sendNow } = waits()[1] ?? {}
      const before = received.sendGaslessTx.length
      sendNow?.()
      await vi.advanceTimersByTimeAsync(1)
      expect(received.sendGaslessTx).toHaveLength(before + 1)
      controller.abort()
      await failed
      await vi.advanceTimersByTimeAsync(60_000)
      expect(received.sendGaslessTx).toHaveLength(before + 1)
      expect(waits()).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('submits nothing after an abort between the signature and the submit', async () => {
    const { client, received } = fakeService({ submit: () => Response.json({ hash }) })
    const controller = new AbortController()
    const { signal } = controller
    const onStep = ({ step }: RedeemStep) => {
      if (step === 'signed') controller.abort()
    }
    await expect(
      redeem(client, { ...request, signer: account, publicClient: chainOf(), onStep, signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError' })
    expect(received.sendGaslessTx).toStrictEqual([])
  })

  test('does not store a permit signed by another key', async () => {
    const { client, received } = fakeService({ submit: () => Response.json({ hash }) })
    const storage = emptyStorage()
    const other = privateKeyToAccount(`0x${'07'.repeat(32)}`)
    const signer = countingSigner({ answers: [() => other.sign({ hash: `0x${'11'.repeat(32)}` })] })
    const chain = chainOf()
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) => {
        const answer = await chain.request(call)
        const isRecovered = answer === recoveredWallet
        return isRecovered ? `0x${other.address.slice(2).toLowerCase().padStart(64, '0')}` : answer
      },
    }
    await expect(redeem(client, { ...request, signer, publicClient, storage, sleep })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    expect([...storage.items.values()].join()).not.toContain('permitCredits')
    expect(received.sendGaslessTx).toStrictEqual([])
  })

  test('sends again at once if sendNow is called before an attempt is sent', async () => {
    vi.useFakeTimers()
    try {
      const { client, received } = fakeService({ submit: () => new Response('', { status: 503 }) })
      const controller = new AbortController()
      let sendNow: (() => void) | undefined
      let clickedAfter: number | undefined
      const onStep = (step: RedeemStep) => {
        if (step.step === 'stillWaiting') sendNow = step.sendNow
        if (step.step !== 'submitting' || sendNow === undefined || clickedAfter !== undefined) return
        clickedAfter = received.sendGaslessTx.length
        sendNow()
      }
      const { signal } = controller
      const paid = redeem(client, { ...request, signer: account, publicClient: chainOf(), onStep, signal })
      const failed = expect(paid).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(received.sendGaslessTx.length).toBeGreaterThan(clickedAfter ?? Number.NaN)
      controller.abort()
      await failed
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([
    ['cancelled', { orderState: 2 }, 'RedeemCancelledError'],
    ['expired by the chain’s clock', { timestamp: BigInt(nowSeconds + 600) }, 'RedeemExpiredError'],
  ])('does not submit again once the redeem is %s', async (_, change, name) => {
    const chain = chainOf()
    const { client, received } = fakeService({
      submit: () => {
        Object.assign(chain.state, change)
        return new Response('', { status: 502 })
      },
    })
    await expect(
      redeem(client, { ...request, signer: account, publicClient: chain, sleep }),
    ).rejects.toMatchObject({ name })
    expect(received.sendGaslessTx).toHaveLength(1)
  })

  test('is not decided by a rejected second submit', async () => {
    const chain = chainOf()
    const { client } = fakeService({
      submit: (_, attempt) =>
        attempt === 1 ? new Response('', { status: 502 }) : refusal(412, 'SIMULATION_FAILED'),
    })
    await expect(
      redeem(client, { ...request, signer: account, publicClient: chain, sleep }),
    ).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'SimulationFailedError' },
    })
    const mined = chainOf()
    const service = fakeService({
      submit: (_, attempt) => {
        if (attempt === 2) mined.state.orderState = 1
        return attempt === 1 ? new Response('', { status: 502 }) : refusal(409, 'INTENT_MISMATCH')
      },
    })
    expect(
      (await redeem(service.client, { ...request, signer: account, publicClient: mined, sleep })).hash,
    ).toBe(hash)
  })

  test('stays unknown if the chain cannot be read', async () => {
    const chain = chainOf()
    let down = false
    const request_ = async (call: { method: string; params?: unknown }) => {
      if (down) throw new Error('down')
      return chain.request(call)
    }
    const { client } = fakeService({
      submit: () => {
        down = true
        return new Response('', { status: 502 })
      },
    })
    await expect(
      redeem(client, { ...request, signer: account, publicClient: { request: request_ }, sleep }),
    ).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
  })

  test('ends the look-up of a chain that never responds after an abort', async () => {
    const controller = new AbortController()
    let lost = false
    const { client } = fakeService({
      submit: () => {
        lost = true
        return new Response('', { status: 502 })
      },
    })
    const chain = chainOf()
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        lost ? new Promise(() => controller.abort()) : chain.request(call),
    }
    await expect(
      redeem(client, { ...request, signer: account, publicClient, sleep, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
  })

  test('reports after an abort during a submit that the redeem may have been sent', async () => {
    const controller = new AbortController()
    const { client } = fakeService({ submit: () => new Promise(() => controller.abort()) })
    await expect(
      redeem(client, { ...request, signer: account, signal: controller.signal }),
    ).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'lookUp',
    })
  })
})

test('missing pins are reported first', async () => {
  // Untyped code may omit all other options too.
  const { subtotal, transactionData } = request
  await expect(
    redeem(fakeService().client, { subtotal, transactionData } as redeem.Options),
  ).rejects.toMatchObject({ name: 'InvalidAddressError', field: 'pinned' })
})

describe('submitRedeem', () => {
  test('rejects data that is not a signed redeem, or was changed, before anything is sent', async () => {
    const { client, received } = fakeService()
    const signed = reload(
      await signRedeem(account, { prepared: await prepareRedeem(client, request), request, now }),
    )
    const wrong: unknown[] = [
      null,
      undefined,
      'x',
      {},
      { ...signed, version: 2 },
      { ...signed, prepared: undefined },
      { ...signed, prepared: { ...signed.prepared, dryRun: null } },
      { ...signed, prepared: { ...signed.prepared, wallet: stranger } },
      {
        ...signed,
        prepared: {
          ...signed.prepared,
          request: { ...signed.prepared.request, chargebackProtectionData: [] },
        },
      },
      { ...signed, prepared: { ...signed.prepared, merchantId: 'other' } },
    ]
    for (const data of wrong)
      await expect(submitRedeem(client, { signed: data as typeof signed })).rejects.toMatchObject({
        name: 'StoredRedeemError',
      })
    for (const signedMessages of [
      undefined,
      {},
      { permitCredits: 'x' },
      { ...signed.signedMessages, extra: 1 },
    ])
      await expect(
        submitRedeem(client, { signed: { ...signed, signedMessages } as typeof signed, pinned }),
      ).rejects.toMatchObject({ name: 'InvalidRecordError' })
    const other = fakeService({ client: { merchantId: 'other' } })
    await expect(submitRedeem(other.client, { signed, pinned })).rejects.toMatchObject({
      field: 'merchantId',
    })
    expect([...received.sendGaslessTx, ...other.received.sendGaslessTx]).toStrictEqual([])
  })
  test('requires pinned values for stored data', async () => {
    const { client, received } = fakeService()
    const own = await signRedeem(account, { prepared: await prepareRedeem(client, request), request, now })
    const signed = reload(own)
    await expect(submitRedeem(client, { signed })).rejects.toMatchObject({
      name: 'PinsRequiredError',
      field: 'pinned',
    })
    const { checksum: _, ...prepared } = reload(own.prepared)
    prepared.pinned = { ...prepared.pinned, creditsContract: stranger }
    const forged = { ...signed, prepared: { ...prepared, checksum: checksumOf(prepared) } }
    for (const pins of [undefined, null, pinned, { ...pinned, creditsContract: stranger }])
      await expect(
        submitRedeem(client, { signed: forged, pinned: pins as typeof pinned }),
      ).rejects.toBeInstanceOf(BaseError)
    await expect(
      submitRedeem(client, { signed, pinned: { ...pinned, creditsContract: stranger } }),
    ).rejects.toMatchObject({ name: 'PreparedMismatchError', field: 'pinned.creditsContract' })
    await expect(
      submitRedeem(client, { signed, pinned, request: { ...request, subtotal: { cents: 1 } } }),
    ).rejects.toMatchObject({ name: 'PreparedMismatchError', field: 'request.subtotal.cents' })
    await expect(
      submitRedeem(client, { signed: own, pinned: { ...pinned, creditsContract: stranger } }),
    ).rejects.toMatchObject({ name: 'PreparedMismatchError', field: 'pinned.creditsContract' })
    expect(received.sendGaslessTx).toStrictEqual([])
    expect((await submitRedeem(client, { signed: own })).creditsContract).toBe(creditsContract)
  })

  test('rejects a client of another chain', async () => {
    const own = await signRedeem(account, {
      prepared: await prepareRedeem(fakeService().client, request),
      request,
      now,
    })
    for (const change of [{ blockchain: 'polygon' }, { environment: 'prod' }] as const) {
      const { client, received } = fakeService({ client: change })
      for (const signed of [own, reload(own)])
        await expect(submitRedeem(client, { signed, pinned })).rejects.toMatchObject({
          name: 'InvalidRedeemRequestError',
          field: 'chainId',
        })
      expect(received.sendGaslessTx).toStrictEqual([])
    }
  })

  test('leaves nothing open after an abort before the request, and an open redeem after a later abort', async () => {
    const abort = new AbortController()
    const { client, received } = fakeService({
      submit: () => {
        abort.abort()
        return new Promise<never>(() => {})
      },
    })
    const signed = await signRedeem(account, { prepared: await prepareRedeem(client, request), request, now })
    const before = await submitRedeem(client, { signed, signal: AbortSignal.abort() }).catch((one) => one)
    expect(before).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect([isOpenRedeemError(before), received.sendGaslessTx]).toEqual([false, []])
    expect(before).not.toHaveProperty('nonce')
    const after = await submitRedeem(client, { signed, signal: abort.signal }).catch((one) => one)
    expect(after).toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp', wallet, nonce })
    expect(isOpenRedeemError(after)).toBe(true)
  })

  test('may be repeated after the permit expired, because it was signed in time', async () => {
    const { client } = fakeService()
    const later = client.with({ now: () => now() + 3_600_000 })
    const signed = reload(
      await signRedeem(account, { prepared: await prepareRedeem(client, request), request, now }),
    )
    expect((await submitRedeem(later, { signed, pinned })).hash).toBe(hash)
  })
})
