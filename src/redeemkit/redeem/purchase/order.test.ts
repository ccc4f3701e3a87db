import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { userMessage } from '../../core/userMessage/userMessage.ts'
import { checkRedeem } from '../checkRedeem.ts'
import { isOpenRedeemError } from '../isOpenRedeemError.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import {
  fakeService as anyService,
  chainId,
  countingSigner,
  creditsContract,
  emptyStorage,
  failingSigner,
  failure,
  fakeChain,
  hash,
  isOwnCall,
  nowSeconds,
  orders,
  pinned,
  recoveredWallet,
  redeemedLog,
  stranger,
  testClock,
  token,
  wallet,
} from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'
import type { RedeemStep } from '../redeemStep.ts'

const { clock, sleep } = testClock()
const request = { chainId, subtotal: { cents: 1000 }, transactionData: token, pinned, purchaseId: 'order 7' }
const otherContract = '0x00000000000000000000000000000000000000C1' as const
const otherChainId = 11155111

/** Creates a node of one chain, whose credits contract redeems an order once. */
function nodeOf(id = chainId, ownContract: string = creditsContract) {
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [] })
  const book = orders(chain.state)
  const asked: string[] = []
  return {
    ...book,
    asked,
    chain: chain.state,
    publicClient: {
      request: async (call: { method: string; params?: unknown }) => {
        asked.push(call.method)
        if (call.method === 'eth_chainId') return `0x${id.toString(16)}`
        if (call.method !== 'eth_call') return chain.request(call)
        const [{ data, to }] = call.params as [{ data: string; to: string }]
        if (to === ownContract) book.look(data)
        else if (!isOwnCall(call)) return recoveredWallet
        return chain.request(call)
      },
    },
  }
}

/** Creates a shop with one chain that mines submitted redeems, unless a test prevents it. */
function world(answer: (attempt: number) => Response = () => Response.json({ hash })) {
  const node = nodeOf()
  let mines = true
  const service = anyService({
    client: { now: clock },
    submit: (body, attempt) => {
      if (mines) node.mine(body)
      return answer(attempt)
    },
  })
  return {
    ...node,
    client: service.client,
    received: service.received,
    setMining: (on: boolean) => {
      mines = on
    },
  }
}
type World = ReturnType<typeof world>

const click = (at: World, change: Partial<redeem.Options> = {}) => {
  const signer = countingSigner(change.wallet ? { address: change.wallet as typeof wallet } : {})
  const steps: RedeemStep[] = []
  const onStep = (step: RedeemStep) => {
    steps.push(step)
  }
  const { publicClient } = at
  const result = redeem(at.client, { ...request, publicClient, signer, onStep, sleep, ...change })
  return { signer, steps, result }
}

/** Submits an order's permit, but does not mine it. */
async function open(change: Partial<redeem.Options> = {}) {
  const at = world(() => new Response('', { status: 502 }))
  const storage = emptyStorage()
  at.setMining(false)
  await failure(click(at, { storage, timeoutMs: 120_000, ...change }).result)
  return { at, storage }
}

describe('an order is paid once, even if its options change', () => {
  test.each<[string, Partial<redeem.Options>]>([
    ['another USDC part', { usdcAmount: { cents: 400 } }],
    ['the same request', {}],
  ])('with %s on a second device, the order is reported as paid, without a prompt', async (_, change) => {
    const at = world()
    const first = await click(at, { storage: emptyStorage() }).result
    const second = click(at, { storage: emptyStorage(), ...change })
    expect(await second.result).toMatchObject({ nonce: first.nonce, hash })
    expect([second.signer.asked.length, at.redeemed.size]).toStrictEqual([0, 1])
  })

  test('each attempt has a random salt, which cannot be derived from the order id', async () => {
    const at = world()
    const prepared = [
      await prepareRedeem(at.client, request),
      await prepareRedeem(at.client, request),
      await prepareRedeem(at.client, { ...request, subtotal: { cents: 999 } }),
    ]
    expect(new Set(prepared.map(({ salt }) => salt)).size).toBe(3)
    expect(new Set(prepared.map(({ orderKey }) => orderKey)).size).toBe(1)
  })

  test('an unchanged request keeps the recorded nonce; a changed request gets a new one', async () => {
    const at = world()
    const storage = emptyStorage()
    const no = countingSigner({ answers: Array(9).fill(() => Promise.reject(new Error('locked'))) })
    const twoParts = { usdcAmount: { cents: 400 }, storage }
    // The permit was signed and the second prompt fails, so the record stays.
    const signer = failingSigner(1, new Error('locked'))
    await failure(click(at, { ...twoParts, signer }).result)
    await failure(click(at, { ...twoParts, signer: no }).result)
    await click(at, { ...twoParts, subtotal: { cents: 999 } }).result
    const [salts, keys] = [
      at.received.creditsAuthMsg.map(({ salt }) => salt),
      at.received.creditsAuthMsg.map(({ orderKey }) => orderKey),
    ]
    expect(new Set(salts.slice(0, -1)).size).toBe(1)
    expect(salts.at(-1)).not.toBe(salts[0])
    expect(new Set(keys).size).toBe(1)
    expect(at.redeemed.size).toBe(1)
  })

  test('the next check reports a payment on another device', async () => {
    const at = world()
    const storage = emptyStorage()
    const { publicClient } = at
    const request2 = { ...request, publicClient, storage }
    const ready = await checkRedeem(at.client, request2)
    expect(ready.state).toBe('ready')
    await click(at, { storage: emptyStorage() }).result
    expect(await checkRedeem(at.client, request2)).toMatchObject({ state: 'redeemed', hash })
  })
})

test('the step `resuming` reports whether anything was signed', async () => {
  const { at, storage } = await open()
  const signed = click(at, { storage, timeoutMs: 120_000 })
  await failure(signed.result)
  expect(signed.steps[0]).toStrictEqual({ step: 'resuming', signed: true })
  const no = failingSigner()
  const page = world()
  const kept = emptyStorage()
  // The page is closed before it removes its record.
  await failure(click(page, { storage: { ...kept, removeItem: () => {} }, signer: no }).result)
  const again = click(page, { storage: kept })
  await again.result
  expect(again.steps[0]).toStrictEqual({ step: 'resuming', signed: false })
})

describe('while a permit of the order may execute', () => {
  test.each<[string, Partial<redeem.Options>, string]>([
    ['another price', { subtotal: { cents: 1001 } }, 'request.subtotal'],
    ['another USDC part', { usdcAmount: { cents: 400 } }, 'request.usdcAmount'],
    ['another receiver', { transactionData: { ...token, destination: wallet } }, 'request.transactionData'],
    ['another wallet', { wallet: stranger }, 'wallet'],
    ['another contract', { pinned: { ...pinned, creditsContract: stranger } }, 'creditsContract'],
    ['another chain', { chainId: otherChainId, publicClient: nodeOf(otherChainId).publicClient }, 'chainId'],
  ])('nothing is signed with %s', async (_, change, field) => {
    const { at, storage } = await open()
    const client = change.chainId === undefined ? at.client : at.client.with({ blockchain: 'eth' })
    const second = click({ ...at, client }, { storage, ...change })
    expect(await failure(second.result)).toMatchObject({ name: 'PurchaseMismatchError', field })
    expect(second.signer.asked).toStrictEqual([])
    await expect(
      checkRedeem(client, { ...request, publicClient: at.publicClient, storage, ...change }),
    ).rejects.toMatchObject({ name: 'PurchaseMismatchError', field })
    expect(at.received.creditsAuthMsg).toHaveLength(1)
  })

  test('after a permit expires unused, the order can be paid at a new price', async () => {
    const { at, storage } = await open()
    at.setMining(true)
    at.chain.timestamp = BigInt(nowSeconds + 600)
    const second = click(at, { storage, subtotal: { cents: 1001 } })
    expect((await second.result).outcome).toMatchObject({ amount: 10_010_000n })
    expect([second.signer.asked.length, at.redeemed.size]).toStrictEqual([1, 1])
    const [first, next] = at.received.creditsAuthMsg
    expect([next?.orderKey, next?.subtotal]).toStrictEqual([first?.orderKey, { cents: 1001 }])
    expect(next?.salt).not.toBe(first?.salt)
  })

  test('a second before the permit expires, the order is open', async () => {
    const { at, storage } = await open()
    at.chain.timestamp = BigInt(nowSeconds + 599)
    expect(await failure(click(at, { storage, subtotal: { cents: 1001 } }).result)).toMatchObject({
      name: 'PurchaseMismatchError',
    })
  })

  test('the order is read on the chain of the permit', async () => {
    const { at, storage } = await open()
    const there = nodeOf(otherChainId)
    const { publicClient } = there
    const otherChains = [{ publicClient: at.publicClient, chainId, creditsContract }]
    const client = at.client.with({ blockchain: 'eth' })
    const change = { storage, chainId: otherChainId, publicClient, otherChains }
    const clickThere = () => failure(click({ ...at, client }, change).result)
    // The order is now redeemed on that chain.
    const [sent] = at.received.sendGaslessTx
    at.mine(sent as Record<string, unknown>)
    expect(await clickThere()).toMatchObject({ name: 'AlreadyRedeemedError', field: 'chainId' })
    expect(at.received.creditsAuthMsg).toHaveLength(1)
  })
})

describe('a used order is not a paid order', () => {
  /** Creates an order that another payment has used. */
  const used = (change: Parameters<typeof redeemedLog>[0]) => {
    const at = world()
    const { publicClient } = at
    return {
      ...at,
      publicClient: {
        request: async (call: { method: string; params?: unknown }) => {
          const [{ data = '' } = {}] = (call.params ?? []) as [{ data?: string }?]
          if (!isOwnCall(call) || !data.startsWith('0x40f2aba9')) return publicClient.request(call)
          const nonce = `0x${data.slice(74, 98)}${'11'.repeat(20)}` as const
          at.chain.logs = [redeemedLog({ kind: 0, refunded: 0n, ...change, nonce })]
          at.chain.orderState = 1
          return fakeChain(at.chain).request(call)
        },
      },
    }
  }

  test.each<[string, Parameters<typeof redeemedLog>[0], bigint]>([
    ['less', { amount: 1n, usdcAmount: 0n }, 1n],
    ['more', { amount: 10_000_001n }, 10_000_001n],
    ['a refunded part', { refunded: 1n }, 9_999_999n],
    ['another seed', { creditSeed: 'dust' }, 10_000_000n],
    ['another kind', { kind: 1 }, 10_000_000n],
    ['another receiver', { target: wallet }, 10_000_000n],
  ])('%s: redeem throws an error with both amounts, without a prompt', async (_, change, paid) => {
    const at = used(change)
    const { signer, result } = click(at, { storage: emptyStorage() })
    const error = await failure(result)
    expect(error).toMatchObject({ name: 'OrderUsedError', expected: 10_000_000n, paid, hash })
    expect(signer.asked).toStrictEqual([])
    const { publicClient } = at
    await expect(
      checkRedeem(at.client, { ...request, publicClient, storage: emptyStorage() }),
    ).rejects.toMatchObject({ name: 'OrderUsedError', paid })
  })

  test('the message names both amounts', async () => {
    const error = await failure(click(used({ amount: 1_000_000n, usdcAmount: 0n })).result)
    expect(userMessage(error)).toBe(
      'This order costs $10.00, but a payment of $1.00 was made for it. Contact the shop before you pay again.',
    )
  })

  test('a redeem with this attempt’s nonce and another seed does not pay, because the nonce does not commit to the seed', async () => {
    const { at, storage } = await open()
    const [sent] = at.received.sendGaslessTx
    at.mine(sent as Record<string, unknown>, { creditSeed: 'dust' })
    expect(await failure(click(at, { storage }).result)).toMatchObject({ name: 'OrderUsedError', hash })
  })

  test('an order with a matching redeem is paid', async () => {
    const { signer, result } = click(used({}), { storage: emptyStorage() })
    expect(await result).toMatchObject({ hash })
    expect(signer.asked).toStrictEqual([])
  })
})

describe('a 409 is checked on chain, and leads to no second permit', () => {
  const codes = ['ORDER_UNDERWAY', 'ORDER_ALREADY_PAID', 'ORDER_CANCELLED'] as const

  test.each(codes)('%s, and another attempt is redeemed on chain: the order is paid', async (code) => {
    const at = world(() => Response.json({ code, details: { hash } }, { status: 409 }))
    const one = click(at, { storage: emptyStorage() })
    expect(await one.result).toMatchObject({ hash })
    expect(one.signer.asked).toHaveLength(1)
  })

  test.each(codes)('%s, and the chain has no redeem: the order stays open', async (code) => {
    const at = world(() => Response.json({ code }, { status: 409 }))
    at.setMining(false)
    const storage = emptyStorage()
    for (const _ of [1, 2])
      expect(await failure(click(at, { storage }).result)).toMatchObject({
        name: 'OutcomeUnknownError',
        cause: { code },
      })
    expect([at.received.creditsAuthMsg.length, at.redeemed.size]).toStrictEqual([1, 0])
  })

  test('without a node, the error says that only the service reports the payment', async () => {
    const nonce = `0x${'22'.repeat(32)}`
    const at = world(() => Response.json({ code: 'ORDER_ALREADY_PAID', hash, nonce }, { status: 409 }))
    at.setMining(false)
    const error = await failure(click(at, { storage: emptyStorage(), publicClient: undefined }).result)
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', cause: { hash, nonce } })
    expect(userMessage(error)).toBe(
      "The payment service reports that this order is already paid. Please don't pay again.",
    )
  })
})

describe('ORDER_ALREADY_PAID is verified on the other chains', () => {
  /** Pays an order that the service reports as paid, with a redeem on another chain. Without `redeemed`, the order is unused there. */
  const refused = async (
    redeemed?: Parameters<typeof redeemedLog>[0],
    break_ = false,
    code = 'ORDER_ALREADY_PAID',
  ) => {
    const at = world(() => Response.json({ code, hash }, { status: 409 }))
    at.setMining(false)
    const { chain, publicClient } = nodeOf(otherChainId, otherContract)
    const there = {
      request: async (call: { method: string; params?: unknown }) => {
        if (break_ && call.method === 'eth_getLogs') throw new Error('down')
        const sent = at.received.sendGaslessTx.length > 0
        if (redeemed && sent) {
          const orderKey = at.received.creditsAuthMsg[0]?.orderKey
          const log = { kind: 0, refunded: 0n, ...redeemed, address: otherContract }
          chain.logs = [redeemedLog({ ...log, nonce: `${orderKey}${'11'.repeat(20)}` as Hex })]
          chain.orderState = 1
          if (call.method === 'eth_call') return fakeChain(chain).request(call)
        }
        return publicClient.request(call)
      },
    }
    const storage = emptyStorage()
    const otherChains = [{ publicClient: there, chainId: otherChainId, creditsContract: otherContract }]
    const { result, signer } = click(at, { storage, otherChains })
    const error = await failure(result)
    expect([signer.asked.length, storage.items.size]).toStrictEqual([1, 1])
    expect(isOpenRedeemError(error)).toBe(true)
    return error
  }

  test('after another error, the other chains are not read', async () => {
    expect(await refused({}, false, 'ORDER_CANCELLED')).toMatchObject({ cause: { code: 'ORDER_CANCELLED' } })
  })

  test('a redeem that matches the order: the order is paid', async () => {
    const error = await refused({})
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'AlreadyRedeemedError' } })
    expect(String(error)).toContain(hash)
    expect(userMessage(error)).toBe("You have already paid for this. Please don't pay again.")
  })

  test.each<[string, Parameters<typeof redeemedLog>[0]]>([
    ['amount', { amount: 1_000_000n, usdcAmount: 0n }],
    ['refunded part', { amount: 10_000_000n, refunded: 9_000_000n }],
  ])('a redeem with another %s: the order was used for another payment', async (_, change) => {
    const error = await refused(change)
    expect(error).toMatchObject({
      cause: { name: 'OrderUsedError', paid: 1_000_000n, expected: 10_000_000n },
    })
    expect(String(error)).not.toMatch(/new purchaseId/)
    expect(userMessage(error)).toBe(
      'This order costs $10.00, but a payment of $1.00 was made for it. Contact the shop before you pay again.',
    )
  })

  test.each<[string, Parameters<typeof redeemedLog>[0]]>([
    ['seed', { creditSeed: 'dust' }],
    ['kind', { kind: 1 }],
    ['receiver', { target: wallet }],
  ])('a redeem with another %s: the order was used for another payment', async (_, change) => {
    const error = await refused(change)
    expect(error).toMatchObject({ cause: { name: 'OrderUsedError' } })
    expect(userMessage(error)).toBe(
      '$10.00 was paid for this order, but to a different recipient. Contact the shop before you pay again.',
    )
  })

  test.each<[string, Parameters<typeof redeemedLog>[0] | undefined, boolean]>([
    ['no redeem', undefined, false],
    ['no event', {}, true],
  ])(
    'with %s on the other chain, the error says that only the service reports the payment',
    async (_, redeemed, broken) => {
      const error = await refused(redeemed, broken)
      expect(error).toMatchObject({ cause: { code: 'ORDER_ALREADY_PAID' } })
      expect(userMessage(error)).toBe(
        "The payment service reports that this order is already paid. Please don't pay again.",
      )
    },
  )
})

describe('the order is read on every chain before the prompt', () => {
  const elsewhere = (node = nodeOf(otherChainId, otherContract)) => ({
    node,
    otherChains: [{ publicClient: node.publicClient, chainId: otherChainId, creditsContract: otherContract }],
  })
  const check = (at: World, change: Partial<checkRedeem.Options>) => {
    const { publicClient } = at
    return checkRedeem(at.client, { ...request, publicClient, storage: emptyStorage(), ...change })
  }

  /** Creates a node on which every contract has used the order. */
  const usedNode = (id: number, state: number) => ({
    request: async ({ method }: { method: string }) =>
      method === 'eth_chainId'
        ? `0x${id.toString(16)}`
        : `0x${`${state}`.padStart(64, '0')}${'1'.repeat(128)}`,
  })

  test('an unused order causes no finding', async () => {
    const { node, otherChains } = elsewhere()
    const at = world()
    const ready = await check(at, { otherChains })
    expect(ready).not.toHaveProperty('elsewhere')
    expect(node.asked).toContain('eth_call')
    const { steps, result } = click(at, { storage: emptyStorage(), otherChains })
    await result
    expect(steps.find(({ step }) => step === 'prepared')).not.toHaveProperty('elsewhere')
  })

  test('the order of a new purchase without an id is not read, because no contract can have used it', async () => {
    const at = world()
    const { node, otherChains } = elsewhere()
    const storage = emptyStorage()
    const change = { storage, otherChains, purchaseId: undefined }
    // The permit is signed, and the second prompt fails.
    const signer = failingSigner(1, new Error('locked'))
    await failure(click(at, { ...change, usdcAmount: { cents: 400 }, signer }).result)
    expect(node.asked).toStrictEqual([])
    await click(at, { ...change, usdcAmount: { cents: 400 } }).result
    expect(node.asked).toContain('eth_call')
  })

  test.each([
    [1, 'redeemed'],
    [2, 'cancelled'],
  ])('order state %s is a finding', async (state, word) => {
    const publicClient = usedNode(otherChainId, state)
    const otherChains = [{ publicClient, chainId: otherChainId, creditsContract: otherContract }]
    const at = world()
    const ready = await check(at, { otherChains })
    const [found] = 'elsewhere' in ready ? (ready.elsewhere ?? []) : []
    expect(found).toMatchObject({ code: 'ORDER_USED_ELSEWHERE', severity: 'warning' })
    expect(found?.message).toContain(word)
    const { steps, result } = click(at, { storage: emptyStorage(), otherChains })
    await result
    expect(steps.find(({ step }) => step === 'prepared')).toMatchObject({ elsewhere: [found] })
  })

  test('a node that hangs, fails or is on another chain is a finding, within two seconds', async () => {
    const nodes = [
      { request: () => new Promise<never>(() => {}) },
      { request: () => Promise.reject(new Error('down')) },
      nodeOf(1, otherContract).publicClient,
    ]
    const otherChains = nodes.map((publicClient) => ({
      publicClient,
      chainId: otherChainId,
      creditsContract: otherContract,
    }))
    const begun = performance.now()
    const ready = await check(world(), { otherChains })
    expect(performance.now() - begun).toBeLessThan(6_000)
    expect('elsewhere' in ready && ready.elsewhere?.map(({ code }) => code)).toStrictEqual([
      'ORDER_NOT_READ',
      'ORDER_NOT_READ',
      'ORDER_NOT_READ',
    ])
  })

  test.each<[string, { orderState: number; logs?: Parameters<typeof redeemedLog>[0][] }, string]>([
    ['cancelled', { orderState: 2 }, 'RedeemCancelledError'],
    ['redeemed', { orderState: 1, logs: [{}] }, 'AlreadyRedeemedError'],
    ['redeemed, without its event', { orderState: 1, logs: [] }, 'ChainReadError'],
    ['used for another payment', { orderState: 1, logs: [{ amount: 1n }] }, 'OrderUsedError'],
  ] as never)(
    'an order on a former contract of the paying chain prevents the payment: %s',
    async (_, { logs = [], ...state }, name) => {
      const at = world()
      const { orderKey } = await prepareRedeem(at.client, request)
      const nonce = `${orderKey}${'11'.repeat(20)}` as Hex
      const own = { nonce, address: otherContract, kind: 0, refunded: 0n }
      const former = fakeChain({ ...state, logs: logs.map((change) => redeemedLog({ ...own, ...change })) })
      const { publicClient } = at
      const request2 = (call: { method: string; params?: unknown }) => {
        const isFormer = JSON.stringify(call.params).includes(otherContract)
        return isFormer || call.method === 'eth_getTransactionReceipt'
          ? former.request(call)
          : publicClient.request(call)
      }
      const change = {
        pinned: { ...pinned, formerContracts: [otherContract] },
        publicClient: { request: request2 },
      } as const
      await expect(check(at, change)).rejects.toMatchObject({ name })
      const { signer, result } = click(at, { storage: emptyStorage(), ...change })
      expect(await failure(result)).toMatchObject({ name })
      expect(signer.asked).toStrictEqual([])
    },
  )

  test('the paying contract is read once, even if it is listed again with different casing', async () => {
    const unread = { request: () => expect.unreachable('this is the paying contract') }
    const own = { publicClient: unread, chainId, creditsContract: creditsContract.toLowerCase() as Hex }
    expect(await check(world(), { otherChains: [own] })).not.toHaveProperty('elsewhere')
  })

  test('the same address on another chain is read separately', async () => {
    const publicClient = usedNode(otherChainId, 1)
    const ready = await check(world(), {
      otherChains: [{ publicClient, chainId: otherChainId, creditsContract }],
    })
    expect(ready).toMatchObject({ elsewhere: [{ code: 'ORDER_USED_ELSEWHERE' }] })
  })

  test('an abort ends the wait for a chain that does not respond, without a prompt', async () => {
    const abort = new AbortController()
    const publicClient = {
      request: () => {
        abort.abort()
        return new Promise<never>(() => {})
      },
    }
    const otherChains = [{ publicClient, chainId: otherChainId, creditsContract: otherContract }]
    const { signer, result } = click(world(), { storage: emptyStorage(), otherChains, signal: abort.signal })
    expect(await failure(result)).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect(signer.asked).toStrictEqual([])
  })

  test('between the check and the prompt, no request is made', async () => {
    const at = world()
    const { node, otherChains } = elsewhere()
    const storage = emptyStorage()
    const ready = await check(at, { otherChains, storage })
    at.asked.length = node.asked.length = 0
    let before: string[] | undefined
    const real = countingSigner()
    const signer = {
      request: (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4') before ??= [...at.asked, ...node.asked]
        return real.request(call)
      },
    }
    await click(at, { storage, otherChains, ready, signer }).result
    expect(before).toStrictEqual([])
  })
})
