import { keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkRedeem } from './checkRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  fakeService as anyService,
  chainId,
  countingSigner,
  emptyStorage,
  failingSigner,
  fakeChain,
  hash,
  honestAnswer,
  isOwnCall,
  nowSeconds,
  orders,
  pinned,
  recoveredWallet,
  stranger,
  testClock,
  token,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import type { CheckedPurchase, ReadyRedeem } from './redeemOptions.ts'
import type { RedeemStep } from './redeemStep.ts'

const { clock, sleep, later } = testClock()

const request = { chainId, subtotal: { cents: 1000 }, transactionData: token, pinned }
const inUsdc = { usdcAmount: { cents: 400 } }
const reload = <T>(data: T): T => JSON.parse(JSON.stringify(data))

/** Creates a service and a chain that redeems each nonce once. Records all requests in order. */
function world(options: Parameters<typeof anyService>[0] = {}) {
  const asked: string[] = []
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [] })
  const { redeemed, mine, look } = orders(chain.state)
  const { submit = () => Response.json({ hash }) } = options
  const { client, received } = anyService({
    ...options,
    // This is a getter, so that each request for balances is recorded.
    get balances() {
      asked.push('balances')
      return options.balances ?? { credits: { cents: 100_000 }, usdc: { cents: 100_000 } }
    },
    client: {
      now: clock,
      ...options.client,
    },
    answer: (body, attempt) => {
      asked.push('creditsAuthMsg')
      return options.answer?.(body, attempt) ?? honestAnswer(body)
    },
    submit: (body, attempt) => {
      asked.push('sendGaslessTx')
      mine(body)
      return submit(body, attempt)
    },
  })
  const publicClient = {
    request: async (call: { method: string; params?: unknown }) => {
      asked.push(call.method)
      if (call.method !== 'eth_call') return chain.request(call)
      const [{ data }] = call.params as [{ data: string }]
      if (!isOwnCall(call)) return recoveredWallet
      look(data)
      return chain.request(call)
    },
  }
  const real = countingSigner()
  const signer = {
    asked: real.asked,
    request: (call: { method: string; params?: unknown }) => {
      asked.push(`wallet ${call.method}`)
      return real.request(call)
    },
  }
  return { asked, redeemed, chain: chain.state, client, received, publicClient, signer }
}

function readyOf(checked: CheckedPurchase): ReadyRedeem {
  if (checked.state !== 'ready') throw new Error(`It is ${checked.state}.`)
  return checked
}

const prompt = 'wallet eth_signTypedData_v4'

describe('between the click and the wallet', () => {
  test.each([
    ['credits alone, funds read from the chain', {}, true],
    ['credits alone, funds reported by the service', {}, false],
    ['credits and USDC, funds read from the chain', inUsdc, true],
    ['credits and USDC, funds reported by the service', inUsdc, false],
    ['an order', { purchaseId: 'order 1' }, true],
  ])('only the wallet receives requests: %s', async (_, change, reads) => {
    const at = world()
    const options = {
      ...request,
      ...change,
      ...(reads && { publicClient: at.publicClient }),
      storage: emptyStorage(),
    }
    const ready = readyOf(await checkRedeem(at.client, { ...options, signer: at.signer }))
    at.asked.length = 0
    expect((await redeem(at.client, { ...options, signer: at.signer, ready, sleep })).hash).toBe(hash)
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toStrictEqual([
      'wallet eth_accounts',
      'wallet eth_chainId',
    ])
    expect(at.redeemed.size).toBe(1)
  })

  test('the service receives two requests in total', async () => {
    const at = world()
    const options = { ...request, publicClient: at.publicClient }
    const ready = await checkRedeem(at.client, options)
    await redeem(at.client, { ...options, signer: at.signer, ready, sleep })
    expect(at.asked.filter((one) => /creditsAuthMsg|sendGaslessTx/.test(one))).toStrictEqual([
      'creditsAuthMsg',
      'sendGaslessTx',
    ])
  })

  test('a repeated check reuses the permit while it is valid long enough', async () => {
    const at = world()
    const options = { ...request, publicClient: at.publicClient }
    const { prepared } = readyOf(await checkRedeem(at.client, options))
    later(50)
    const ready = readyOf(await checkRedeem(at.client, { ...options, prepared }))
    expect(at.received.creditsAuthMsg).toHaveLength(1)
    expect(ready).toMatchObject({ checkedAt: `${nowSeconds + 50}`, usableUntil: `${nowSeconds + 110}` })
    later(500)
    const { salt, answer } = readyOf(await checkRedeem(at.client, { ...options, prepared })).prepared
    expect(at.received.creditsAuthMsg).toHaveLength(2)
    expect([salt, answer.nonce]).toStrictEqual([prepared.salt, prepared.answer.nonce])
  })

  test.each([
    ['reuses the permit while it is valid 90 seconds longer than the check', 450, {}, 1],
    ['requests a new permit a second later', 451, {}, 2],
    ['requests a new permit for a dry run', 0, { dryRun: true }, 2],
  ])('a repeated check %s', async (_, seconds, { dryRun }: { dryRun?: boolean }, asked) => {
    const at = world()
    const { publicClient } = at
    const options = { ...request, publicClient, ...(dryRun && { dryRun: publicClient }) }
    const { prepared } = readyOf(await checkRedeem(at.client, options))
    later(seconds)
    await checkRedeem(at.client, { ...options, prepared })
    expect(at.received.creditsAuthMsg).toHaveLength(asked)
  })

  test('onStep can wait for a second tap before the second prompt, and no request is made in between', async () => {
    const at = world()
    const options = { ...request, ...inUsdc, publicClient: at.publicClient }
    const ready = await checkRedeem(at.client, options)
    let tap = () => {}
    const shown = new Promise<void>((resolve) => {
      const onStep = (step: RedeemStep) => {
        if (step.step !== 'signing' || step.prompt !== 'usdcAuthorization') return
        resolve()
        return new Promise<void>((go) => {
          tap = go
        })
      }
      redeem(at.client, { ...options, signer: at.signer, ready, onStep, sleep }).catch(() => {})
    })
    await shown
    expect(at.asked.filter((one) => one === prompt)).toHaveLength(1)
    at.asked.length = 0
    tap()
    await Promise.resolve()
    for (let turn = 0; turn < 20 && at.asked.length === 0; turn++) await Promise.resolve()
    expect(at.asked).toStrictEqual([prompt])
  })
})

describe('a checked redeem', () => {
  test('expires after its maximum age, or with its permit', async () => {
    const at = world()
    const long = readyOf(await checkRedeem(at.client, { ...request, maxAgeSeconds: 3000 }))
    expect(long).toMatchObject({ checkedAt: `${nowSeconds}`, usableUntil: `${nowSeconds + 510}` })
    expect(readyOf(await checkRedeem(at.client, request)).usableUntil).toBe(`${nowSeconds + 60}`)
  })

  const allRequests = ['creditsAuthMsg', 'balances']
  test.each([
    ['one second before it expires', 59, []],
    ['when it expires', 60, allRequests],
    ['after its permit expired', 700, allRequests],
    ['before it was checked', -1, allRequests],
  ])('%s', async (_, seconds, expected) => {
    const at = world({
      answer: (body) => honestAnswer(body, { validFor: 600 + Math.max(0, clock() / 1000 - nowSeconds) }),
    })
    const ready = await checkRedeem(at.client, request)
    at.asked.length = 0
    later(seconds)
    await redeem(at.client, { ...request, signer: at.signer, ready })
    const before = at.asked.slice(0, at.asked.indexOf(prompt)).filter((one) => !one.startsWith('wallet'))
    expect(before).toStrictEqual(expected)
    // The nonce is the same, even if the redeem was prepared again.
    expect(at.received.sendGaslessTx[0]?.nonce).toBe(readyOf(ready).prepared.answer.nonce)
  })

  test('is not used if its expiry was changed to a time after its permit’s expiry', async () => {
    const at = world({
      answer: (body) => honestAnswer(body, { validFor: 600 + clock() / 1000 - nowSeconds }),
    })
    const ready = { ...readyOf(await checkRedeem(at.client, request)), usableUntil: `${nowSeconds + 9_999}` }
    at.asked.length = 0
    later(511)
    await redeem(at.client, { ...request, signer: at.signer, ready })
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toContain('creditsAuthMsg')
  })

  test('is not used if it lacks the requested dry run', async () => {
    const at = world()
    const { publicClient, signer } = at
    const ready = await checkRedeem(at.client, { ...request, publicClient })
    at.asked.length = 0
    const options = { ...request, publicClient, dryRun: publicClient }
    await redeem(at.client, { ...options, signer, ready, sleep })
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toContain('creditsAuthMsg')
    const withIt = await checkRedeem(at.client, options)
    at.asked.length = 0
    await redeem(at.client, { ...options, signer, ready: withIt, sleep })
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).not.toContain('creditsAuthMsg')
  })

  test('is not used if the click passes options that the check did not have', async () => {
    const at = world()
    const ready = await checkRedeem(at.client, request)
    at.asked.length = 0
    const { publicClient, signer } = at
    await redeem(at.client, { ...request, publicClient, signer, ready, sleep })
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toContain('creditsAuthMsg')
  })

  const others: [string, Partial<redeem.Options>, object][] = [
    [
      'request',
      { subtotal: { cents: 1001 } },
      { name: 'PreparedMismatchError', field: 'request.subtotal.cents' },
    ],
    ['payee', { transactionData: { ...token, destination: wallet } }, { name: 'PreparedMismatchError' }],
    ['wallet', { wallet: stranger }, { name: 'PreparedMismatchError', field: 'wallet' }],
    ['seed', { pinned: { ...pinned, creditSeed: 'other' } }, { name: 'PreparedMismatchError' }],
    ['contract', { pinned: { ...pinned, creditsContract: stranger } }, { name: 'PreparedMismatchError' }],
    ['fee', { pinned: { ...pinned, maxGasFeeCents: 2 } }, { name: 'PreparedMismatchError' }],
    ['order', { purchaseId: 'order 2' }, { name: 'PreparedMismatchError', field: 'purchaseId' }],
    ['order, or none', { purchaseId: undefined }, { name: 'PreparedMismatchError', field: 'purchaseId' }],
    ['kind of nonce', { pinned: { ...pinned, intentBound: false } }, { name: 'InvalidOptionError' }],
  ]
  test.each(others)('for a different %s is rejected before any request', async (_, change, error) => {
    const at = world()
    const order = { ...request, purchaseId: 'order 1' }
    const ready = await checkRedeem(at.client, order)
    at.asked.length = 0
    for (const given of [ready, reload(ready)])
      await expect(
        redeem(at.client, { ...order, ...change, signer: at.signer, ready: given }),
      ).rejects.toMatchObject(error)
    expect(at.asked).toStrictEqual([])
  })

  test('for another merchant is rejected', async () => {
    const at = world()
    const ready = await checkRedeem(world({ client: { merchantId: 'other' } }).client, request)
    await expect(redeem(at.client, { ...request, signer: at.signer, ready })).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'merchantId',
    })
    expect(at.asked).toStrictEqual([])
  })

  test('survives a reload', async () => {
    const at = world()
    const ready = reload(await checkRedeem(at.client, request))
    at.asked.length = 0
    await redeem(at.client, { ...request, signer: at.signer, ready })
    expect(at.asked).not.toContain('creditsAuthMsg')
  })

  test.each([
    ['an amount', (ready: ReadyRedeem) => ({ ...ready, prepared: { ...ready.prepared, amount: '1' } })],
    ['the summary', (ready: ReadyRedeem) => ({ ...ready, prepared: { ...ready.prepared, summary: 'free' } })],
    ['its expiry', (ready: ReadyRedeem) => ({ ...ready, usableUntil: 'never' as string })],
  ])('is rejected when %s was changed', async (_, change) => {
    const at = world()
    const ready = change(readyOf(reload(await checkRedeem(at.client, request))))
    await expect(redeem(at.client, { ...request, signer: at.signer, ready })).rejects.toMatchObject({
      name: 'StoredRedeemError',
    })
    expect(at.signer.asked).toStrictEqual([])
  })
})

describe('a problem is reported before the click', () => {
  test.each([
    ['credits', {}, { credits: 1n }],
    ['usdc', inUsdc, { usdc: 1n }],
  ])('too little: %s', async (asset, change, funds) => {
    const at = world()
    Object.assign(at.chain, funds)
    await expect(
      checkRedeem(at.client, { ...request, ...change, publicClient: at.publicClient }),
    ).rejects.toMatchObject({ name: 'InsufficientFundsError', asset })
  })

  test('a redeem mined while funds are read is reported as paid, not as insufficient funds', async () => {
    const at = world()
    const { publicClient } = at
    const options = { ...request, purchaseId: 'order 1', publicClient }
    const { prepared } = readyOf(await checkRedeem(at.client, options))
    const mines = {
      request: (call: Parameters<typeof publicClient.request>[0]) => {
        const isCreditsOf = JSON.stringify(call.params ?? '').includes('"0x3315505b')
        if (isCreditsOf) {
          at.redeemed.add(prepared.answer.nonce)
          at.chain.credits = 0n
        }
        return publicClient.request(call)
      },
    }
    await expect(checkRedeem(at.client, { ...options, publicClient: mines })).rejects.toMatchObject({
      name: 'AlreadyRedeemedError',
    })
  })

  test('too little credits, as the service reports', async () => {
    const at = world({ balances: { credits: { cents: 1 }, usdc: { cents: 0 } } })
    await expect(checkRedeem(at.client, request)).rejects.toMatchObject({ name: 'InsufficientFundsError' })
  })

  test('a node on another chain', async () => {
    const at = world()
    const publicClient = {
      request: async (call: { method: string }) =>
        call.method === 'eth_chainId' ? '0x1' : at.publicClient.request(call),
    }
    await expect(checkRedeem(at.client, { ...request, publicClient })).rejects.toMatchObject({
      name: 'WrongNetworkError',
    })
  })

  test('a permit with a random nonce', async () => {
    const at = world({
      answer: (body) => {
        const answer = honestAnswer(body)
        answer.nonce = answer.message.message.nonce = `0x1${'00'.repeat(31)}1`
        return answer
      },
    })
    await expect(checkRedeem(at.client, request)).rejects.toMatchObject({ name: 'RandomNonceError' })
    await expect(
      checkRedeem(at.client, { ...request, pinned: { ...pinned, intentBound: false } }),
    ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'pinned.intentBound' })
  })

  test('an invalid public client is reported before any request', async () => {
    const at = world()
    await expect(checkRedeem(at.client, { ...request, publicClient: {} as never })).rejects.toMatchObject({
      field: 'publicClient',
    })
    expect(at.asked).toStrictEqual([])
  })

  test('an abort while the node does not respond reports that nothing was sent', async () => {
    const abort = new AbortController()
    const publicClient = {
      request: () => {
        abort.abort()
        return new Promise<never>(() => {})
      },
    }
    await expect(
      checkRedeem(world().client, { ...request, publicClient, signal: abort.signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
  })

  test('a dry run finds a danger', async () => {
    const at = world()
    Object.assign(at.chain, { credits: 1n })
    await expect(checkRedeem(at.client, { ...request, dryRun: at.publicClient })).rejects.toMatchObject({
      name: 'RedeemWouldFailError',
    })
  })

  test('too few credits, with a dry run too: the error has the amounts', async () => {
    const at = world()
    Object.assign(at.chain, { credits: 1n })
    const { publicClient } = at
    await expect(
      checkRedeem(at.client, { ...request, publicClient, dryRun: publicClient }),
    ).rejects.toMatchObject({
      name: 'InsufficientFundsError',
      asset: 'credits',
      have: 1n,
    })
  })
})

describe('one purchase is paid once', () => {
  test('two simultaneous clicks, and another click after the payment', async () => {
    for (const storage of [undefined, emptyStorage()]) {
      const at = world()
      const options = { ...request, storage }
      const ready = await checkRedeem(at.client, options)
      const click = () => redeem(at.client, { ...options, signer: at.signer, ready })
      const [one, other] = await Promise.all([click(), click()])
      const { hash: same, nonce } = await click()
      expect([other.nonce, nonce, same]).toStrictEqual([one.nonce, one.nonce, one.hash])
      expect([at.signer.asked.length, at.redeemed.size]).toStrictEqual([1, 1])
      // A new check starts another purchase, as a call without a check does.
      await redeem(at.client, { ...options, signer: at.signer, ready: await checkRedeem(at.client, options) })
      expect(at.redeemed.size).toBe(2)
    }
  })

  test('with two ready pages, the second page resumes the redeem that the first page signed', async () => {
    const at = world({ submit: () => new Response('', { status: 502 }) })
    const storage = emptyStorage()
    const options = { ...request, storage }
    const [one, other] = [await checkRedeem(at.client, options), await checkRedeem(at.client, options)]
    expect(readyOf(one).prepared.salt).not.toBe(readyOf(other).prepared.salt)
    const click = (ready: CheckedPurchase) =>
      redeem(at.client, { ...options, signer: at.signer, ready }).catch(() => undefined)
    await click(one)
    await click(other)
    expect(at.signer.asked).toHaveLength(1)
    expect(new Set(at.received.sendGaslessTx.map(({ nonce }) => nonce))).toStrictEqual(
      new Set([readyOf(one).prepared.answer.nonce]),
    )
  })

  test('with two ready pages, a redeem that the first page began to sign keeps its nonce', async () => {
    const at = world()
    const options = { ...request, ...inUsdc, storage: emptyStorage() }
    const [one, other] = [await checkRedeem(at.client, options), await checkRedeem(at.client, options)]
    await expect(
      redeem(at.client, { ...options, signer: failingSigner(1), ready: one }),
    ).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    const { nonce } = await redeem(at.client, { ...options, signer: at.signer, ready: other })
    expect(nonce).toBe(readyOf(one).prepared.answer.nonce)
  })

  test('with two ready pages, a redeem whose prompt is open in the first page keeps its nonce', async () => {
    const at = world()
    const storage = emptyStorage()
    const options = { ...request, storage }
    const [one, other] = [await checkRedeem(at.client, options), await checkRedeem(at.client, options)]
    const inAnotherPage: [string, string][] = []
    const waiting = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4') {
          inAnotherPage.push(...storage.items)
          throw { code: 4001 }
        }
        return at.signer.request(call)
      },
    }
    const refused = redeem(at.client, { ...options, signer: waiting, ready: one })
    await expect(refused).rejects.toMatchObject({ name: 'UserRejectedError' })
    const { nonce } = await redeem(at.client, {
      ...request,
      storage: emptyStorage(new Map(inAnotherPage)),
      signer: at.signer,
      ready: other,
    })
    expect(nonce).toBe(readyOf(one).prepared.answer.nonce)
    expect(nonce).not.toBe(readyOf(other).prepared.answer.nonce)
  })

  test('a check after the payment reports it without reading a chain', async () => {
    const at = world()
    const options = { ...request, storage: emptyStorage() }
    const ready = await checkRedeem(at.client, options)
    const { nonce } = await redeem(at.client, { ...options, signer: at.signer, ready })
    const { prepared } = readyOf(ready)
    expect(await checkRedeem(at.client, { ...options, prepared })).toStrictEqual({
      state: 'redeemed',
      nonce,
      hash,
    })
  })

  test('an order that another page paid in the meantime is reported without a prompt', async () => {
    const at = world()
    const order = { ...request, purchaseId: 'order 1', storage: emptyStorage() }
    const ready = await checkRedeem(at.client, order)
    const { nonce } = await redeem(at.client, { ...order, signer: at.signer })
    expect(await redeem(at.client, { ...order, signer: at.signer, ready })).toMatchObject({ nonce, hash })
    expect([at.signer.asked.length, at.redeemed.size]).toStrictEqual([1, 1])
  })

  test('an order that another device paid in the meantime is not paid again', async () => {
    const at = world()
    const order = { ...request, purchaseId: 'order 1', publicClient: at.publicClient, sleep }
    const { sleep: _, ...checked } = order
    const ready = await checkRedeem(at.client, { ...checked, storage: emptyStorage() })
    await redeem(at.client, { ...order, storage: emptyStorage(), signer: at.signer })
    const { nonce } = await redeem(at.client, { ...order, storage: emptyStorage(), signer: at.signer, ready })
    expect([...at.redeemed]).toStrictEqual([nonce])
  })

  test('a purchase is reported as open while it may execute, and as redeemed afterwards', async () => {
    const at = world({
      submit: (_, attempt) => (attempt <= 3 ? new Response('', { status: 502 }) : Response.json({ hash })),
    })
    const options = { ...request, purchaseId: 'order 1', storage: emptyStorage() }
    expect(await checkRedeem(at.client, options)).toMatchObject({ state: 'ready' })
    await redeem(at.client, { ...options, signer: at.signer }).catch(() => undefined)
    const open = await checkRedeem(at.client, options)
    expect(open).toMatchObject({ state: 'open', open: { wallet, chainId } })
    expect(JSON.stringify(open)).not.toContain('permitCredits')
    // The chain shows that the submit without a response was executed.
    const { publicClient } = at
    expect(await checkRedeem(at.client, { ...options, publicClient })).toMatchObject({
      state: 'redeemed',
      outcome: { amount: 10_000_000n },
    })
    const gone = { request: () => Promise.reject(new TypeError('Failed to fetch')) }
    expect(await checkRedeem(at.client, { ...options, publicClient: gone })).toStrictEqual(open)
    const page = new AbortController()
    const left = { request: () => new Promise(() => page.abort()) }
    await expect(
      checkRedeem(at.client, { ...options, publicClient: left, signal: page.signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError' })
    for (let done = false; !done; )
      done = await redeem(at.client, { ...options, signer: at.signer, ready: open }).then(
        () => true,
        () => false,
      )
    expect(at.signer.asked).toHaveLength(1)
    const nonce = at.received.sendGaslessTx[0]?.nonce
    expect(await checkRedeem(at.client, options)).toStrictEqual({ state: 'redeemed', nonce, hash })
    // Without the record, the chain shows the payment.
    expect(await checkRedeem(at.client, { ...options, storage: emptyStorage(), publicClient })).toStrictEqual(
      {
        state: 'redeemed',
        nonce,
        hash,
        outcome: expect.objectContaining({ nonce, hash, amount: 10_000_000n }),
      },
    )
    expect(at.redeemed.size).toBe(1)
  })

  test('a recorded payment is reported with its movements if the chain can be read', async () => {
    const at = world()
    const { publicClient } = at
    const options = { ...request, purchaseId: 'order 1', storage: emptyStorage(), publicClient }
    const { nonce, outcome } = await redeem(at.client, { ...options, signer: at.signer })
    expect(await checkRedeem(at.client, options)).toStrictEqual({ state: 'redeemed', nonce, hash, outcome })
    const broken = { request: () => Promise.reject(new Error('no response')) }
    expect(await checkRedeem(at.client, { ...options, publicClient: broken })).toStrictEqual({
      state: 'redeemed',
      nonce,
      hash,
    })
  })

  test('a recorded payment is not reported if the chain shows another one', async () => {
    const at = world()
    const { publicClient } = at
    const options = { ...request, purchaseId: 'order 1', storage: emptyStorage(), publicClient }
    await redeem(at.client, { ...options, signer: at.signer })
    const other = {
      request: async (call: { method: string; params?: unknown }) => {
        const answer = await publicClient.request(call)
        if (call.method !== 'eth_getLogs' && call.method !== 'eth_getTransactionReceipt') return answer
        // The seed is the fourth topic.
        return JSON.parse(
          JSON.stringify(answer).replaceAll(keccak256(toHex('my-shop')).slice(2), '11'.repeat(32)),
        )
      },
    }
    await expect(checkRedeem(at.client, { ...options, publicClient: other })).rejects.toMatchObject({
      name: 'OrderUsedError',
    })
  })

  test('a recorded payment is not reported once a reorganisation removed it and its permit has expired', async () => {
    const at = world({ answer: (body, attempt) => honestAnswer(body, { validFor: attempt * 600 }) })
    const { publicClient } = at
    const options = { ...request, purchaseId: 'order 1', storage: emptyStorage(), publicClient }
    const { nonce } = await redeem(at.client, { ...options, signer: at.signer, sleep })
    at.redeemed.clear()
    const { validBefore } = at.received.sendGaslessTx[0] as { validBefore: string }
    at.chain.timestamp = BigInt(validBefore) - 1n
    // A lagging node returns the same response.
    expect(await checkRedeem(at.client, options)).toStrictEqual({ state: 'redeemed', nonce, hash })
    at.chain.timestamp += 1n
    await later(Number(validBefore) - nowSeconds)
    const ready = await checkRedeem(at.client, options)
    expect(readyOf(ready).prepared.answer.nonce).toBe(nonce)
    const again = await redeem(at.client, { ...options, signer: at.signer, sleep, ready })
    expect([again.nonce, at.redeemed.size]).toStrictEqual([nonce, 1])
    expect(await checkRedeem(at.client, options)).toMatchObject({ state: 'redeemed', nonce })
  })

  test('a recorded payment is reported within the time limit although the node does not respond', async () => {
    const at = world()
    const options = { ...request, purchaseId: 'order 1', storage: emptyStorage() }
    await redeem(at.client, { ...options, signer: at.signer })
    const silent = { request: () => new Promise<never>(() => {}) }
    const checking = checkRedeem(at.client, { ...options, publicClient: silent, timeoutMs: 20 })
    const late = new Promise((resolve) => setTimeout(() => resolve('late'), 2_000))
    expect(await Promise.race([checking, late])).toMatchObject({ state: 'redeemed', hash })
  })

  test('a used nonce without an event is not reported as paid: the seed is unknown', async () => {
    const at = world()
    const order = { ...request, purchaseId: 'order 1' }
    const ready = await checkRedeem(at.client, { ...order, storage: emptyStorage() })
    const { prepared } = readyOf(ready)
    await redeem(at.client, { ...order, storage: emptyStorage(), signer: at.signer, ready })
    const again = { ...order, storage: emptyStorage(), prepared }
    expect(await checkRedeem(at.client, { ...again, publicClient: at.publicClient })).toMatchObject({
      state: 'redeemed',
      nonce: prepared.answer.nonce,
    })
    const publicClient = {
      request: (call: { method: string }) =>
        call.method === 'eth_getLogs' ? Promise.resolve([]) : at.publicClient.request(call),
    }
    await expect(checkRedeem(at.client, { ...again, publicClient })).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'publicClient',
    })
  })

  test('a cancelled order is reported as cancelled', async () => {
    const at = world()
    const chain = fakeChain({ orderState: 2 })
    await expect(
      checkRedeem(at.client, { ...request, purchaseId: 'order 1', publicClient: chain }),
    ).rejects.toMatchObject({ name: 'RedeemCancelledError' })
  })

  test('a check stays ready after a rejected request', async () => {
    const at = world()
    const ready = await checkRedeem(at.client, request)
    await expect(redeem(at.client, { ...request, signer: failingSigner(), ready })).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    at.asked.length = 0
    await redeem(at.client, { ...request, signer: at.signer, ready })
    expect(at.asked).not.toContain('creditsAuthMsg')
  })

  test('a wallet on another account is rejected before its prompt', async () => {
    const at = world()
    const ready = await checkRedeem(at.client, request)
    const signer = countingSigner({ address: stranger })
    await expect(redeem(at.client, { ...request, signer, ready })).rejects.toMatchObject({
      name: 'WrongSignerError',
    })
    expect(signer.asked).toStrictEqual([])
  })

  test('after a changed fee, the redeem is prepared again with the same nonce', async () => {
    const at = world({
      submit: (_, attempt) =>
        attempt === 1
          ? Response.json({ code: 'EXCEEDS_AUTHORIZED' }, { status: 412 })
          : Response.json({ hash }),
    })
    const ready = await checkRedeem(at.client, request)
    await redeem(at.client, { ...request, signer: at.signer, ready })
    expect([at.received.creditsAuthMsg.length, at.signer.asked.length, at.redeemed.size]).toStrictEqual([
      2, 2, 1,
    ])
  })

  test('a result of prepareRedeem is accepted, with its salt', async () => {
    const at = world()
    const prepared = await prepareRedeem(at.client, request)
    const ready = readyOf(await checkRedeem(at.client, { ...request, prepared }))
    expect(ready.prepared).toStrictEqual(prepared)
    expect(at.received.creditsAuthMsg).toHaveLength(1)
    await expect(
      checkRedeem(at.client, { ...request, subtotal: { cents: 1 }, prepared }),
    ).rejects.toMatchObject({ name: 'PreparedMismatchError' })
  })
})

describe('a rejected second prompt, or a reload before it', () => {
  const options = { ...request, ...inUsdc }
  const begin = async (at: ReturnType<typeof world>, own: Partial<redeem.Options> = {}) => {
    await expect(
      redeem(at.client, {
        ...options,
        signer: failingSigner(1),
        ...own,
        ready: await checkRedeem(at.client, options),
      }),
    ).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(at.received.sendGaslessTx).toStrictEqual([])
  }

  test.each([
    ['by the chain', true],
    ['by the service', false],
  ])(
    'keeps the permit: the next click opens only the second prompt, without a network request, with funds reported %s',
    async (_, reads) => {
      const at = world()
      const own = { storage: emptyStorage(), ...(reads && { publicClient: at.publicClient }) }
      await begin(at, own)
      const ready = readyOf(await checkRedeem(at.client, { ...options, ...own, signer: at.signer }))
      expect(ready.prompts).toStrictEqual(['usdcAuthorization'])
      at.asked.length = 0
      await redeem(at.client, { ...options, ...own, signer: at.signer, ready, sleep })
      expect(at.asked.slice(0, at.asked.indexOf(prompt))).toStrictEqual([
        'wallet eth_accounts',
        'wallet eth_chainId',
      ])
      const [[, text] = []] = at.signer.asked.map((one) => (one as { params: [string, string] }).params)
      expect(JSON.parse(String(text)).primaryType).toBe('ReceiveWithAuthorization')
      expect([at.signer.asked.length, at.redeemed.size]).toStrictEqual([1, 1])
    },
  )

  test('keeps the permit for a click without a check, and after another rejection', async () => {
    const at = world()
    const own = { storage: emptyStorage() }
    await begin(at, own)
    await expect(redeem(at.client, { ...options, ...own, signer: failingSigner() })).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    await redeem(at.client, { ...options, ...own, signer: at.signer })
    expect([at.signer.asked.length, at.received.creditsAuthMsg.length]).toStrictEqual([1, 1])
  })

  test.each([
    ['too old', () => later(511), {}],
    ['prepared with other pins', () => {}, { pinned: { ...pinned, maxGasFeeCents: 99 } }],
  ])('a permit that is %s is requested again, with the same nonce', async (_, change, other) => {
    const at = world({
      answer: (body) => honestAnswer(body, { validFor: 600 + (clock() / 1000 - nowSeconds) }),
    })
    const own = { storage: emptyStorage() }
    await begin(at, own)
    change()
    await redeem(at.client, { ...options, ...own, ...other, signer: at.signer })
    expect(at.signer.asked).toHaveLength(2)
    const salts = at.received.creditsAuthMsg.map(({ salt }) => salt)
    expect(salts).toStrictEqual([salts[0], salts[0]])
  })

  /** Changes the stored permit, and returns a node on which the account does not accept it. */
  const tamper = (at: ReturnType<typeof world>, storage: ReturnType<typeof emptyStorage>) => {
    for (const [key, text] of storage.items) {
      const record = JSON.parse(text)
      record.permit.permitCredits = `0x${'12'.repeat(64)}1b`
      storage.items.set(key, JSON.stringify(record))
    }
    return {
      request: (call: { method: string; params?: unknown }) =>
        JSON.stringify(call.params ?? '').includes('12'.repeat(32))
          ? Promise.resolve(`0x${'00'.repeat(32)}`)
          : at.publicClient.request(call),
    }
  }

  test('a permit that the account does not accept is rejected, and the next click requests another one', async () => {
    const at = world()
    const own = { storage: emptyStorage(), publicClient: at.publicClient, sleep }
    await begin(at, own)
    const publicClient = tamper(at, own.storage)
    await expect(
      redeem(at.client, { ...options, ...own, publicClient, signer: at.signer }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'permitCredits' })
    expect([at.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 0])
    await redeem(at.client, { ...options, ...own, publicClient, signer: at.signer })
    expect([at.signer.asked.length, at.redeemed.size]).toStrictEqual([2, 1])
  })

  test('a tampered permit is detected after the second prompt, and is not sent', async () => {
    const at = world()
    const own = { storage: emptyStorage(), publicClient: at.publicClient }
    await begin(at, own)
    const ready = await checkRedeem(at.client, { ...options, ...own })
    const publicClient = tamper(at, own.storage)
    await expect(
      redeem(at.client, { ...options, ...own, publicClient, signer: at.signer, ready }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'permitCredits' })
    expect([at.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([1, 0])
  })
})
