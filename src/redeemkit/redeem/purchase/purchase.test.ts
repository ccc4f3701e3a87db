import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { normal } from '../../evm/transactionData/builders.ts'
import { readRedeemTerms } from '../check/readRedeemTerms.ts'
import { isOpenRedeemError } from '../isOpenRedeemError.ts'
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
  testClock,
  token,
  wallet,
} from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { purchaseOf } from './purchaseRecord.ts'
import { type PurchaseStorage, purchaseStore } from './purchaseStorage.ts'
import { runPurchase } from './runPurchase.ts'

const { clock, sleep, later } = testClock()
const request = { chainId, subtotal: { cents: 1000 }, transactionData: token, pinned, sleep }

/** Creates a service whose chain redeems an order once, regardless of what the service returns. */
function world(answer: (attempt: number) => Response | Promise<Response> = () => Response.json({ hash })) {
  let mines = true
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [] })
  const { redeemed, mine, look } = orders(chain.state)
  const service = anyService({
    client: { now: clock },
    submit: (body, attempt) => {
      if (mines) mine(body)
      return answer(attempt)
    },
  })
  return {
    ...service,
    chain: chain.state,
    redeemed,
    setMining: (on: boolean) => {
      mines = on
    },
    publicClient: {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method !== 'eth_call') return chain.request(call)
        const [{ data }] = call.params as [{ data: string }]
        // The chain accepts the signature. It marks a nonce as used once it is redeemed.
        if (!isOwnCall(call)) return recoveredWallet
        look(data)
        return chain.request(call)
      },
    },
  }
}
type World = ReturnType<typeof world>

/** Every way in which an accepted submit can look like a rejected one. */
const lies: [string, () => Response | Promise<Response>][] = [
  ['400', () => Response.json({ code: 'INVALID_REQUEST' }, { status: 400 })],
  ['401', () => Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 })],
  ['403', () => Response.json({ code: 'NOT_WHITELISTED' }, { status: 403 })],
  ['409', () => Response.json({ code: 'ORDER_CANCELLED' }, { status: 409 })],
  ['412 expired', () => Response.json({ code: 'PERMIT_EXPIRED' }, { status: 412 })],
  ['412 unknown nonce', () => Response.json({ code: 'UNKNOWN_NONCE' }, { status: 412 })],
  ['412 invalid permit', () => Response.json({ code: 'INVALID_PERMIT' }, { status: 412 })],
  ['412 too few credits', () => Response.json({ code: 'INSUFFICIENT_CREDITS' }, { status: 412 })],
  ['412 without a code', () => Response.json({ message: 'no' }, { status: 412 })],
  ['429', () => Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '900' } })],
  ['451', () => Response.json({}, { status: 451 })],
  ['502', () => new Response('', { status: 502 })],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ['garbage', () => new Response('{"ha')],
]

describe('a submitted permit', () => {
  test.each(lies)(
    'after %s, the error says that the redeem may execute, and has the data for a retry',
    async (_, lie) => {
      const { client, received } = world(lie)
      const error = await failure(
        redeem(client, { ...request, storage: emptyStorage(), signer: countingSigner() }),
      )
      const [sent] = received.sendGaslessTx
      expect(isOpenRedeemError(error)).toBe(true)
      expect(error).toMatchObject({
        remedy: 'lookUp',
        wallet,
        chainId,
        creditsContract,
        nonce: sent?.nonce,
        validBefore: sent?.validBefore,
        signed: { signedMessages: sent?.signedMessages },
      })
    },
  )

  test.each(lies)('after %s, a second click does not pay again', async (_, lie) => {
    // The client submits up to three times.
    const { client, redeemed } = world((attempt) => (attempt <= 3 ? lie() : Response.json({ hash })))
    const storage = emptyStorage()
    const click = () => redeem(client, { ...request, storage, signer: countingSigner() })
    expect(isOpenRedeemError(await failure(click()))).toBe(true)
    for (let done = false; !done; )
      done = await click().then(
        () => true,
        () => false,
      )
    expect(redeemed.size).toBe(1)
  })

  test.each(lies)('after %s, the first click finds the redeem if a node is passed', async (_, lie) => {
    const { client, publicClient, redeemed } = world(lie)
    const { outcome } = await redeem(client, {
      ...request,
      storage: emptyStorage(),
      signer: countingSigner(),
      publicClient,
    })
    expect([outcome.hash, redeemed.size]).toStrictEqual([hash, 1])
  })

  test.each<[string, object, string | undefined]>([
    ['a custom error', { errorName: 'SoldOut', args: [3n] }, '\nThe contract says: SoldOut: left 3'],
    ['a text, quoted', { errorName: 'Error', args: ['sold out'] }, '\nThe contract says: "sold out"'],
    ['nothing', {}, undefined],
  ])('a rejection quotes the contract’s revert: %s', async (_, says, expected) => {
    const abi = parseAbi(['function buy()', 'error SoldOut(uint256 left)', 'error Error(string reason)'])
    const revertData = expected && encodeErrorResult({ abi, ...says } as never)
    const { client } = anyService({
      client: { now: clock },
      answer: () => {
        throw new TypeError('not reached')
      },
    })
    const refused = client.with({
      fetch: async () =>
        Response.json({ code: 'SIMULATION_FAILED', message: 'no', details: { revertData } }, { status: 412 }),
    })
    const transactionData = normal({ to: wallet, abi, functionName: 'buy' })
    const error = await failure(
      redeem(refused, { ...request, transactionData, signer: countingSigner(), storage: emptyStorage() }),
    )
    expect(error).toMatchObject({ name: 'SimulationFailedError' })
    expect(String(error).includes('The contract says')).toBe(expected !== undefined)
    expect(String(error)).toContain(expected ?? '')
  })

  test('logs and JSON do not contain the signatures', async () => {
    const { client } = world(() => new Response('', { status: 502 }))
    const error = await failure(
      redeem(client, { ...request, storage: emptyStorage(), signer: countingSigner() }),
    )
    expect(Object.keys(error as object)).not.toContain('signed')
    expect(JSON.stringify(error)).not.toContain('permitCredits')
  })

  test.each([
    ['a rejected second prompt', { code: 4001 }, 'UserRejectedError'],
    ['a wallet that fails', { code: -32603 }, 'WalletFailedError'],
  ])('%s leaves the first permit open', async (_, fault, name) => {
    const { client } = world(() => Response.json({ code: 'EXCEEDS_AUTHORIZED' }, { status: 412 }))
    const signer = failingSigner(1, fault)
    const error = await failure(redeem(client, { ...request, storage: emptyStorage(), signer }))
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', remedy: 'lookUp', cause: { name } })
    expect(isOpenRedeemError(error)).toBe(true)
  })

  test('an error that onStep throws afterwards leaves the redeem open', async () => {
    const { client } = world()
    const onStep = ({ step }: RedeemStep) => {
      if (step === 'submitted') throw new RangeError('disk full')
    }
    const error = await failure(
      redeem(client, { ...request, storage: emptyStorage(), signer: countingSigner(), onStep }),
    )
    expect(isOpenRedeemError(error)).toBe(true)
  })
})

describe('a purchase', () => {
  const click = (at: World, change: Partial<redeem.Options> = {}) => {
    const signer = countingSigner()
    const steps: string[] = []
    const onStep = ({ step }: RedeemStep) => {
      steps.push(step)
    }
    return { signer, steps, result: redeem(at.client, { ...request, signer, onStep, ...change }) }
  }

  test.each([
    ['with storage', true],
    ['without storage', false],
  ])('is redeemed once after two simultaneous clicks, %s', async (_, stored) => {
    const at = world()
    const storage = stored ? emptyStorage() : undefined
    const clicks = [click(at, { storage }), click(at, { storage })]
    const [one, other] = await Promise.all(clicks.map(({ result }) => result))
    expect(other).toStrictEqual(one)
    expect(clicks.map(({ signer }) => signer.asked.length)).toStrictEqual([1, 0])
    expect([at.redeemed.size, at.received.sendGaslessTx.length]).toStrictEqual([1, 1])
  })

  test('can be made again once it is finished', async () => {
    const at = world()
    const storage = emptyStorage()
    await click(at, { storage }).result
    await click(at, { storage }).result
    expect(at.redeemed.size).toBe(2)
  })

  test('is another purchase if the request differs', async () => {
    const at = world(() => new Response('', { status: 502 }))
    const storage = emptyStorage()
    await click(at, { storage }).result.catch(() => undefined)
    await click(at, { storage, subtotal: { cents: 999 } }).result.catch(() => undefined)
    expect(at.redeemed.size).toBe(2)
  })

  test('is submitted again unchanged after a reload, without a prompt', async () => {
    const at = world((attempt) =>
      attempt === 1 ? new Response('', { status: 502 }) : Response.json({ hash }),
    )
    const storage = emptyStorage()
    await click(at, { storage }).result.catch(() => undefined)
    const again = click(at, { storage })
    expect((await again.result).hash).toBe(hash)
    expect(again.signer.asked).toStrictEqual([])
    expect(again.steps).toStrictEqual(['resuming', 'submitting', 'submitted'])
    expect(new Set(at.received.sendGaslessTx.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  test('returns the outcome if it is on chain, and sends nothing', async () => {
    const at = world(() => new Response('', { status: 502 }))
    const storage = emptyStorage()
    await click(at, { storage }).result.catch(() => undefined)
    const { publicClient } = at
    const again = click(at, { storage, publicClient })
    expect((await again.result).outcome?.hash).toBe(hash)
    expect([again.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 1])
  })

  test('is signed again with the same nonce if its permit expired unused', async () => {
    const at = world(() => Response.json({ code: 'SIMULATION_FAILED' }, { status: 412 }))
    const storage = emptyStorage()
    const { publicClient } = at
    at.setMining(false)
    await click(at, { storage, publicClient }).result.catch(() => undefined)
    at.chain.timestamp = BigInt(nowSeconds + 600)
    const again = click(at, { storage, publicClient })
    await again.result.catch(() => undefined)
    const nonces = at.received.sendGaslessTx.map((body) => body.nonce)
    expect([again.signer.asked.length, nonces.length, new Set(nonces).size]).toStrictEqual([1, 2, 1])
  })

  test('causes an error if it was cancelled, and the next click starts again', async () => {
    const at = world(() => new Response('', { status: 502 }))
    const storage = emptyStorage()
    at.setMining(false)
    await click(at, { storage }).result.catch(() => undefined)
    const cancelled = {
      request: async (call: { method: string; params?: unknown }) =>
        isOwnCall(call) ? `0x${'2'.padStart(64, '0')}${'0'.repeat(128)}` : at.publicClient.request(call),
    }
    await expect(click(at, { storage, publicClient: cancelled }).result).rejects.toMatchObject({
      name: 'RedeemCancelledError',
    })
    expect(storage.items.size).toBe(0)
  })

  test('stores its salt before the prompt', async () => {
    const at = world()
    const storage = emptyStorage()
    let kept = ''
    const signer = countingSigner()
    await redeem(at.client, {
      ...request,
      storage,
      signer: {
        request: async (call: { method: string; params?: unknown }) => {
          if (call.method === 'eth_signTypedData_v4') kept = [...storage.items.values()].join('')
          return signer.request(call)
        },
      },
    })
    expect(kept).toContain(at.received.creditsAuthMsg[0]?.salt)
  })

  test('resumes with the same nonce if its page was closed at the prompt', async () => {
    const at = world()
    const storage = emptyStorage()
    const dead = new Map<string, string>()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4')
          for (const [key, value] of storage.items) dead.set(key, value)
        return countingSigner().request(call)
      },
    }
    await click(at, { storage, signer }).result
    // The record of a page that was closed while the prompt was open.
    await click(at, { storage: emptyStorage(dead) }).result
    expect(at.redeemed.size).toBe(1)
  })

  test('keeps its nonce after a page was closed at the prompt and the next prompt was rejected', async () => {
    const at = world()
    const dead = new Map<string, string>()
    const storage = emptyStorage()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4')
          for (const [key, value] of storage.items) dead.set(key, value)
        return countingSigner().request(call)
      },
    }
    await click(at, { storage, signer }).result
    const reopened = emptyStorage(dead)
    const no = failingSigner()
    await expect(click(at, { storage: reopened, signer: no }).result).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    await click(at, { storage: reopened }).result
    expect(new Set(at.received.creditsAuthMsg.map(({ salt }) => salt)).size).toBe(1)
  })

  test('is submitted if the passed node shows enough credits, although the service reports none', async () => {
    const at = world()
    const { client, received } = anyService({
      client: { now: clock },
      balances: { credits: { cents: 0 }, usdc: { cents: 0 } },
    })
    const { publicClient } = at
    const options = { ...request, signer: countingSigner(), publicClient, timeoutMs: 2_000 }
    await expect(redeem(client, options)).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    expect(received.sendGaslessTx).toHaveLength(1)
  })

  test('keeps its nonce after any failure if only its permit is signed', async () => {
    const at = world()
    const storage = emptyStorage()
    const signer = failingSigner(1, new Error('locked'))
    const usdcAmount = { cents: 400 }
    await expect(click(at, { storage, signer, usdcAmount }).result).rejects.toMatchObject({
      name: 'PartlySignedError',
    })
    const no = failingSigner()
    await expect(click(at, { storage, signer: no, usdcAmount }).result).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    await click(at, { storage, usdcAmount }).result
    expect(new Set(at.received.creditsAuthMsg.map((body) => body.salt)).size).toBe(1)
  })

  test.each([
    ['without a node for half a minute', 6, 1],
    ['without a node for longer than the permit lasts', Infinity, 0],
  ])('%s after its signature is submitted if the node returns: failures %s', async (_, failures, sent) => {
    const at = world()
    const steps: string[] = []
    const signer = countingSigner()
    let failed = 0
    const offline = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0 && failed++ < failures) throw new Error('ERR_INTERNET_DISCONNECTED')
        return at.publicClient.request(call)
      },
    }
    const onStep = ({ step }: RedeemStep) => void steps.push(step)
    const options = { ...request, storage: emptyStorage(), signer, publicClient: offline, onStep }
    const paying = redeem(at.client, options)
    if (sent) expect(await paying).toMatchObject({ hash })
    else await expect(paying).rejects.toMatchObject({ name: 'PartlySignedError' })
    expect([signer.asked.length, at.received.sendGaslessTx.length]).toEqual([1, sent])
    expect(steps).toContain('lookingUp')
  })

  const noTimeout = { timeoutMs: undefined }
  test.each([
    ['is aborted', 'abort', 'RequestAbortedError', noTimeout],
    ['has a listener that throws', 'throw', 'RangeError', noTimeout],
    ['has waited for as long as its permit lasts', 'wait', 'PartlySignedError', { timeoutMs: 7_200_000 }],
  ])('that %s while its permit is verified again keeps the permit', async (_, how, name, options) => {
    const at = world()
    const storage = emptyStorage()
    const signer = countingSigner()
    const abort = new AbortController()
    let online = true
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0 && !online) throw new Error('ERR_INTERNET_DISCONNECTED')
        return at.publicClient.request(call)
      },
    }
    online = false
    const onStep = ({ step }: RedeemStep) => {
      if (step !== 'lookingUp' || how === 'wait') return
      if (how === 'throw') throw new RangeError('no')
      abort.abort()
    }
    const all = { ...request, storage, signer, publicClient, ...options }
    const paying = redeem(at.client, { ...all, signal: abort.signal, onStep })
    await expect(paying).rejects.toMatchObject({ name })
    expect(at.received.sendGaslessTx).toHaveLength(0)
    expect([...storage.items.values()].join()).toContain('permitCredits')
  })

  test('whose node hangs is verified again at once when the customer clicks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const at = world()
    const signer = countingSigner()
    let asked = 0
    const hanging = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0 && asked++ === 0) throw new Error('ERR_INTERNET_DISCONNECTED')
        if (signer.asked.length > 0 && asked === 2) return new Promise(() => {})
        return at.publicClient.request(call)
      },
    }
    const onStep = (step: RedeemStep) => {
      if (step.step === 'stillWaiting') step.sendNow?.()
    }
    const paying = redeem(at.client, {
      ...request,
      storage: emptyStorage(),
      signer,
      publicClient: hanging,
      onStep,
    })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await paying).toMatchObject({ hash })
    expect([signer.asked.length, at.received.sendGaslessTx.length]).toEqual([1, 1])
  })

  test('with a USDC part does not open the second prompt by itself after the node failed', async () => {
    const at = world()
    const signer = countingSigner()
    const offline = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0) throw new Error('ERR_INTERNET_DISCONNECTED')
        return at.publicClient.request(call)
      },
    }
    const storage = emptyStorage()
    const options = { ...request, storage, usdcAmount: { cents: 400 }, signer, publicClient: offline }
    await expect(redeem(at.client, options)).rejects.toMatchObject({ name: 'PartlySignedError' })
    expect(signer.asked).toHaveLength(1)
  })

  test('keeps its nonce if a node could not verify its permit', async () => {
    const at = world()
    const storage = emptyStorage()
    const signer = countingSigner()
    const dying = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0) throw new Error('ECONNREFUSED')
        return at.publicClient.request(call)
      },
    }
    await expect(
      redeem(at.client, { ...request, storage, signer, publicClient: dying, timeoutMs: 7_000 }),
    ).rejects.toMatchObject({ name: 'PartlySignedError' })
    const again = click(at, { storage })
    await again.result
    expect(again.signer.asked).toStrictEqual([])
    expect(new Set(at.received.creditsAuthMsg.map((body) => body.salt)).size).toBe(1)
  })

  test.each([
    ['while the node verifies it', true],
    ['at the moment of the signature', false],
  ])('after an abort %s, requests no second permit if the first was stored', async (_, stored) => {
    const at = world()
    const storage = emptyStorage()
    const abort = new AbortController()
    const real = countingSigner()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        const answer = await real.request(call)
        if (!stored && call.method === 'eth_signTypedData_v4') abort.abort()
        return answer
      },
    }
    const silent = {
      request: (call: { method: string; params?: unknown }) => {
        if (real.asked.length === 0) return at.publicClient.request(call)
        abort.abort()
        return new Promise<never>(() => {})
      },
    }
    const { signal } = abort
    await expect(
      redeem(at.client, { ...request, storage, signer, publicClient: silent, signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError' })
    const again = click(at, { storage })
    await again.result
    expect(again.signer.asked).toHaveLength(stored ? 0 : 1)
  })

  test('begun by a closed page does not report the result of an earlier purchase', async () => {
    const at = world()
    const storage = emptyStorage()
    await click(at, { storage }).result
    await new Promise<void>((resolve) => {
      // The page is closed here, so this never returns.
      const closed = at.client.with({ fetch: () => new Promise<never>(() => resolve()) })
      const forTerms = readRedeemTerms(closed, { ...request, wallet })
      const store = purchaseStore(purchaseOf(forTerms), storage, {})
      const signer = countingSigner()
      runPurchase(
        closed,
        { ...request, storage, signer },
        { terms: forTerms, store, lock: { waited: false, locked: false } },
        // The call times out long after this test.
      ).catch(() => {})
    })
    const terms = readRedeemTerms(at.client, { ...request, wallet })
    const signer = countingSigner()
    const store = purchaseStore(purchaseOf(terms), storage, {})
    await runPurchase(
      at.client,
      { ...request, storage, signer },
      { terms, store, lock: { waited: true, locked: false } },
    )
    expect([signer.asked.length, at.redeemed.size]).toStrictEqual([1, 2])
  })

  test('is not stored if the user rejects it', async () => {
    const at = world()
    const storage = emptyStorage()
    const signer = failingSigner()
    await expect(click(at, { storage, signer }).result).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(storage.items.size).toBe(0)
  })
})

describe('purchaseId', () => {
  const order = (at: World, storage: PurchaseStorage | undefined, change: Partial<redeem.Options> = {}) => {
    const signer = countingSigner()
    return {
      signer,
      result: redeem(at.client, { ...request, purchaseId: 'order 7', storage, signer, ...change }),
    }
  }

  test.each([
    ['with storage', true],
    ['without storage', false],
  ])('is paid once, %s: later calls return the outcome, without a prompt', async (_, stored) => {
    const at = world()
    const storage = stored ? emptyStorage() : undefined
    const purchaseId = `order of ${stored}`
    const first = await order(at, storage, { purchaseId }).result
    const again = order(at, storage, { purchaseId })
    expect(await again.result).toStrictEqual(first)
    expect([again.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 1])
  })

  test('reads the outcome from the chain if a node is passed', async () => {
    const at = world()
    const storage = emptyStorage()
    await order(at, storage).result
    const { publicClient } = at
    expect((await order(at, storage, { publicClient }).result).outcome?.charged).toBe(10_030_000n)
  })

  test('is paid once even if the storage is cleared', async () => {
    const at = world()
    await order(at, emptyStorage()).result
    const { publicClient } = at
    const again = order(at, emptyStorage(), { publicClient })
    expect((await again.result).hash).toBe(hash)
    expect([again.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 1])
    await order(at, emptyStorage()).result
    expect(at.redeemed.size).toBe(1)
  })

  test.each<[string, Partial<redeem.Options>]>([
    [
      'its cart',
      { chargebackProtectionData: [{ productName: 'Hat', productType: 'inGameProduct', quantity: 1 }] },
    ],
    ['the form of its price', { subtotal: { cents: 1000, currency: 'USD' } }],
  ])('is paid once even if the storage is cleared and %s changes', async (_, change) => {
    const at = world()
    await order(at, emptyStorage()).result
    const { publicClient } = at
    const again = order(at, emptyStorage(), { publicClient, ...change })
    expect((await again.result).hash).toBe(hash)
    expect([again.signer.asked.length, at.redeemed.size]).toStrictEqual([0, 1])
  })

  test.each<[string, Partial<redeem.Options>, string]>([
    ['another request', { subtotal: { cents: 999 } }, 'request.subtotal'],
    ['another credit seed', { pinned: { ...pinned, creditSeed: 'other' } }, 'creditSeed'],
  ])('causes an error, without any request, for %s', async (_, change, field) => {
    const at = world()
    const storage = emptyStorage()
    await order(at, storage).result
    const other = order(at, storage, change)
    await expect(other.result).rejects.toMatchObject({ name: 'PurchaseMismatchError', field })
    expect([other.signer.asked.length, at.received.creditsAuthMsg.length]).toStrictEqual([0, 1])
  })

  test('causes an error for another request while the first is in progress', async () => {
    const at = world()
    const storage = emptyStorage()
    const [first, other] = [order(at, storage), order(at, storage, { subtotal: { cents: 999 } })]
    await expect(other.result).rejects.toMatchObject({ name: 'PurchaseMismatchError' })
    await first.result
    expect(at.redeemed.size).toBe(1)
  })

  test('is submitted again without a prompt if the chain does not know its hash', async () => {
    const at = world()
    const storage = emptyStorage()
    at.setMining(false)
    await order(at, storage).result
    at.setMining(true)
    const { publicClient } = at
    const again = order(at, storage, { publicClient })
    expect((await again.result).outcome?.hash).toBe(hash)
    expect([again.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 2])
  })

  test('allows another request as long as nothing is signed', async () => {
    const at = world()
    const storage = emptyStorage()
    let kept = new Map<string, string>()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4') {
          kept = new Map(storage.items)
          throw new Error('The page was closed.')
        }
        return countingSigner().request(call)
      },
    }
    await order(at, storage, { signer }).result.catch(() => undefined)
    await order(at, emptyStorage(kept), { subtotal: { cents: 999 } }).result
    expect([kept.size, at.redeemed.size]).toStrictEqual([1, 1])
  })
})

describe('the storage', () => {
  const click = (storage: unknown, change: Partial<redeem.Options> = {}) => {
    const at = world()
    const signer = countingSigner()
    const result = redeem(at.client, { ...request, storage: storage as PurchaseStorage, signer, ...change })
    return { at, signer, result }
  }

  const fail = () => {
    throw new Error('QuotaExceededError')
  }
  test.each<[string, Partial<PurchaseStorage>, string]>([
    ['that cannot be read', { getItem: fail }, 'The storage could not read'],
    ['that cannot be written', { setItem: fail }, 'The storage could not write'],
    ['that rejects', { setItem: () => Promise.reject(new Error('no')) }, 'The storage could not write'],
    ['that stores nothing', { setItem: () => undefined }, 'was changed by another page, or was not stored'],
  ])('%s is an error before the prompt', async (_, fault, says) => {
    const { at, signer, result } = click({ ...emptyStorage(), ...fault })
    await expect(result).rejects.toMatchObject({
      name: 'PurchaseStorageError',
      field: 'storage',
      message: expect.stringContaining(says),
    })
    expect([signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 0])
  })

  test('that fails after the payment is reported, and does not affect the payment', async () => {
    const at = world()
    const storage = emptyStorage()
    const steps: RedeemStep[] = []
    const { setItem } = storage
    let isFull = false
    storage.setItem = (key, value) => (isFull ? fail() : setItem(key, value))
    const { publicClient } = at
    const onStep = (step: RedeemStep) => {
      steps.push(step)
      isFull ||= step.step === 'redeemed'
    }
    const signer = countingSigner()
    expect(await redeem(at.client, { ...request, storage, signer, publicClient, onStep })).toMatchObject({
      hash,
    })
    expect(steps.at(-1)).toMatchObject({ step: 'notStored', cause: { name: 'PurchaseStorageError' } })
    // The next click finds the redeem on chain.
    isFull = false
    await redeem(at.client, { ...request, storage, signer, publicClient, purchaseId: undefined })
    expect(signer.asked).toHaveLength(1)
  })

  test('keeps the signatures only until the outcome is known', async () => {
    const at = world()
    const storage = emptyStorage()
    const order = { ...request, storage, purchaseId: 'order 7' }
    await redeem(at.client, { ...order, signer: countingSigner() })
    expect([...storage.items.values()].join()).toContain('permitCredits')
    const { publicClient } = at
    await redeem(at.client, { ...order, signer: countingSigner(), publicClient })
    expect([...storage.items.values()].join()).not.toContain('permitCredits')
  })

  test('that was cleared does not lead to a second payment', async () => {
    const storage = emptyStorage()
    const at = world(() => new Response('', { status: 502 }))
    await redeem(at.client, { ...request, storage, signer: countingSigner() }).catch(() => undefined)
    for (const [key] of storage.items)
      for (const text of ['', '{', 'null', '{"version":2}', '{"version":1,"purchase":{},"salt":"0x1"}']) {
        storage.items.set(key, text)
        const signer = countingSigner()
        await expect(redeem(at.client, { ...request, storage, signer })).rejects.toMatchObject({
          name: 'PurchaseStorageError',
        })
        expect(signer.asked).toStrictEqual([])
      }
  })

  test('with a changed signed redeem causes an error, and nothing is sent', async () => {
    const storage = emptyStorage()
    const at = world(() => new Response('', { status: 502 }))
    await redeem(at.client, { ...request, storage, signer: countingSigner() }).catch(() => undefined)
    for (const [key, text] of storage.items) storage.items.set(key, text.replaceAll('10000000', '90000000'))
    await expect(redeem(at.client, { ...request, storage, signer: countingSigner() })).rejects.toMatchObject({
      remedy: 'lookUp',
    })
    expect(at.received.sendGaslessTx).toHaveLength(1)
  })

  test.each<[string, Partial<redeem.Options>]>([
    ['storage', { storage: {} as PurchaseStorage }],
    ['storage', { storage: null as unknown as PurchaseStorage }],
    ['purchaseId', { purchaseId: '' }],
    ['purchaseId', { purchaseId: 7 as unknown as string }],
    ['purchaseId', { purchaseId: ' order 7' }],
    ['salt', { salt: `0x${'5a'.repeat(32)}` } as object],
    ['webhookInfo', { webhookInfo: 'cart 7' as never }],
    ['webhookInfo', { webhookInfo: { cart: 7n } }],
    ['otherChains', { otherChains: {} as never }],
    ['otherChains[0].chainId', { otherChains: [{ publicClient: fakeChain(), chainId: 0, creditsContract }] }],
  ])('a wrong %s is reported before any request or prompt', async (field, change) => {
    const { at, result } = click(emptyStorage(), change)
    await expect(result).rejects.toMatchObject({ field })
    expect(at.received.creditsAuthMsg).toStrictEqual([])
  })
})

describe('before the prompt', () => {
  const asked = async (at: World, change: Partial<redeem.Options>) => {
    const signer = countingSigner()
    const error = await failure(redeem(at.client, { ...request, storage: emptyStorage(), signer, ...change }))
    expect(signer.asked).toStrictEqual([])
    return error
  }

  test('too few credits on the chain', async () => {
    const at = world()
    at.chain.credits = 10_029_999n
    expect(await asked(at, { publicClient: at.publicClient })).toMatchObject({
      name: 'InsufficientFundsError',
      have: 10_029_999n,
      need: 10_030_000n,
      field: 'subtotal',
    })
  })

  test('too little USDC on the chain', async () => {
    const at = world()
    at.chain.usdc = 3_999_999n
    expect(await asked(at, { publicClient: at.publicClient, usdcAmount: { cents: 400 } })).toMatchObject({
      name: 'InsufficientFundsError',
      have: 3_999_999n,
      need: 4_000_000n,
      field: 'usdcAmount',
    })
  })

  test.each([
    [{ credits: { cents: 1002 }, usdc: { cents: 0 } }, {}, 'subtotal'],
    [{ credits: { cents: 1003 }, usdc: { cents: 399 } }, { usdcAmount: { cents: 400 } }, 'usdcAmount'],
  ])(
    'without a node, insufficient balances that the service reports: %j',
    async (balances, change, field) => {
      const { client } = anyService({ balances, client: { now: clock } })
      const signer = countingSigner()
      await expect(
        redeem(client, { ...request, storage: emptyStorage(), signer, ...change }),
      ).rejects.toMatchObject({
        name: 'InsufficientFundsError',
        field,
      })
      expect(signer.asked).toStrictEqual([])
    },
  )

  test('exactly enough is accepted', async () => {
    const at = world()
    at.chain.credits = 10_030_000n
    const { publicClient } = at
    await redeem(at.client, { ...request, storage: emptyStorage(), signer: countingSigner(), publicClient })
    expect(at.redeemed.size).toBe(1)
  })

  test('an abort in the signing hook prevents the prompt', async () => {
    const at = world()
    const controller = new AbortController()
    const onStep = async ({ step }: RedeemStep) => {
      await Promise.resolve()
      if (step === 'signing') controller.abort()
    }
    expect(await asked(at, { onStep, signal: controller.signal })).toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
  })

  test('a permit that expires while the wallet is open is not sent', async () => {
    const { client, received, publicClient } = world()
    const { request: ask } = countingSigner()
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_signTypedData_v4') await later(600)
        return ask(call)
      },
    }
    const storage = emptyStorage()
    await expect(redeem(client, { ...request, storage, signer, publicClient })).rejects.toMatchObject({
      name: 'ExpiredError',
      field: 'permit.validBefore',
    })
    expect(received.sendGaslessTx).toEqual([])
    expect([...storage.items.values()].join()).not.toContain('"signed"')
  })

  test('a node that never responds is an error within the timeout', async () => {
    const at = world()
    const publicClient = { request: () => new Promise<never>(() => {}) }
    expect(await asked(at, { publicClient, timeoutMs: 20 })).toMatchObject({ name: 'ChainReadError' })
  })
})
