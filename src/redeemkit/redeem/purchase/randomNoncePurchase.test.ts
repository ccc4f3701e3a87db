import { pad, toHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { orderKey } from '../../evm/creditPermit/orderKey.ts'
import { findRedeem } from '../findRedeem.ts'
import {
  clearNonce,
  feeMoved,
  hash,
  pinned,
  randomNonceAnswer,
  randomNonceChain,
  randomNonceService,
  redeemTransaction,
  refuse,
  shop,
  taggedNonce,
  validBefore,
} from '../randomNonce.fixture.ts'
import {
  creditsContract,
  erc20Log,
  nonce as intentBoundNonce,
  nowSeconds,
  stranger,
  usdcAddress,
  wallet,
} from '../redeem.fixture.ts'
import type { redeem } from '../redeem.ts'

const another = `0x${'cc'.repeat(32)}` as const
/** Waits until a click fails. */
const ended = (click: Promise<unknown>) => click.catch(() => undefined)
const lost = () => {
  throw new TypeError('fetch failed')
}

describe('a returned hash', () => {
  test('of a reverted transaction: the same permit is sent again', async () => {
    const at = shop(
      randomNonceService({ submit: (_, attempt) => Response.json({ hash: attempt === 1 ? hash : another }) }),
      randomNonceChain({ transactions: [redeemTransaction({ status: '0x0', logs: [] })] }),
    )
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemRevertedError' })
    at.chain.state.transactions.push(redeemTransaction({ hash: another }))
    // Let every search fail: it would find the transaction too, even if the permit was not sent again.
    at.chain.state.widest = 0n
    expect((await at.buy()).hash).toBe(another)
    expect(at.received.sendGaslessTx.map(({ nonce }) => nonce)).toStrictEqual([taggedNonce, taggedNonce])
    expect(at.signer.asked).toHaveLength(1)
  })

  test('that the node no longer knows: the same permit is sent again', async () => {
    const at = shop(
      randomNonceService({ submit: (_, attempt) => Response.json({ hash: attempt === 1 ? hash : another }) }),
    )
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    at.chain.state.transactions.push(redeemTransaction({ hash: another }))
    at.chain.state.widest = 0n
    expect((await at.buy()).hash).toBe(another)
    expect(at.signer.asked).toHaveLength(1)
  })

  test('of a transaction that is not mined yet: nothing is sent again', async () => {
    const at = shop()
    at.chain.state.transactions.push(redeemTransaction({ block: 2_000n }))
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    expect(at.received.sendGaslessTx).toHaveLength(1)
  })

  test.each([
    ['rejected', () => refuse('Nonce already used', 409), 1],
    ['lost', lost, 3],
  ])('is followed if the next submit of the same permit is %s', async (_, end, times) => {
    const at = shop(
      randomNonceService({ submit: (_, attempt) => (attempt === 1 ? Response.json({ hash }) : end()) }),
    )
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    const mined = redeemTransaction({ input: '0x11223344', to: stranger })
    const bought = at.buy({
      onStep: ({ step }) => void (step === 'waiting' && at.chain.state.transactions.push(mined)),
    })
    expect((await bought).hash).toBe(hash)
    expect(at.received.sendGaslessTx).toHaveLength(1 + times)
  })
})

describe('a permit that was rejected every time', () => {
  test('is replaced by a new permit once it has expired', async () => {
    const at = shop(
      randomNonceService({
        submit: (_, attempt) => (attempt === 1 ? refuse('Permit expired') : Response.json({ hash })),
      }),
    )
    // The prompt was open too long.
    const onStep = ({ step }: { step: string }) => {
      if (step === 'submitting') at.chain.state.timestamp = BigInt(validBefore)
    }
    await ended(at.buy({ onStep }))
    at.chain.state.transactions.push(redeemTransaction({ nonce: clearNonce }))
    expect((await at.buy()).nonce).toBe(clearNonce)
  })

  test('is not sent again if the storage cannot record it', async () => {
    const at = shop(randomNonceService({ submit: (_, attempt) => (attempt === 1 ? refuse('No') : lost()) }))
    await ended(at.buy())
    const replaceItem = () => {
      throw new Error('QuotaExceededError')
    }
    await expect(at.buy({ storage: { ...at.storage, replaceItem } })).rejects.toMatchObject({
      cause: { name: 'PurchaseStorageError' },
    })
    expect(at.received.sendGaslessTx).toHaveLength(1)
  })

  test('is stored as not rejected before it is sent again, because the page may close before the response', async () => {
    const stored: string[] = []
    const at = shop(
      randomNonceService({
        submit: () => {
          stored.push([...at.storage.kept.values()].join())
          return refuse('No')
        },
      }),
    )
    for (let click = 0; click < 2; click++) await ended(at.buy())
    expect(stored).toHaveLength(2)
    expect(stored.map((text) => text.includes('"refused":true'))).toStrictEqual([false, false])
    expect([...at.storage.kept.values()].join()).toContain('"refused":true')
  })

  test('is not looked up on other chains, because no contract stores its order', async () => {
    const at = shop(randomNonceService(), randomNonceChain({ transactions: [redeemTransaction()] }))
    const publicClient = { request: vi.fn() }
    const bought = at.buy({ otherChains: [{ publicClient, chainId: 11155111, creditsContract }] })
    expect((await bought).hash).toBe(hash)
    expect(publicClient.request).not.toHaveBeenCalled()
  })

  test('is followed by its hash even if the hash cannot be stored', async () => {
    const at = shop(randomNonceService(), randomNonceChain({ transactions: [redeemTransaction()] }))
    const steps: string[] = []
    const { replaceItem } = at.storage
    const full = {
      ...at.storage,
      replaceItem: (...args: Parameters<typeof replaceItem>) =>
        steps.includes('submitting') ? false : replaceItem(...args),
    }
    const bought = at.buy({ storage: full, onStep: ({ step }) => void steps.push(step) })
    expect((await bought).hash).toBe(hash)
    // One write for the hash, and one for the outcome.
    expect(steps.slice(steps.indexOf('submitting'))).toStrictEqual([
      'submitting',
      'notStored',
      'submitted',
      'waiting',
      'redeemed',
      'notStored',
    ])
  })

  test('is not signed a third time after a reload', async () => {
    const at = shop(randomNonceService({ submit: () => refuse(feeMoved) }))
    let signed = 0
    const onStep = ({ step }: { step: string }) => {
      if (step === 'signed' && ++signed === 2) throw new Error('The page was closed.')
    }
    await ended(at.buy({ onStep }))
    for (let click = 0; click < 2; click++) await ended(at.buy())
    expect(at.signer.asked).toHaveLength(2)
  })

  test('counts as not rejected if a gateway times out with a 408', async () => {
    const at = shop(randomNonceService({ submit: () => refuse('Request Timeout', 408) }))
    await ended(at.buy())
    at.chain.state.timestamp = BigInt(validBefore)
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    expect(at.signer.asked).toHaveLength(1)
  })
})

describe('an expired permit', () => {
  /** Creates a shop in which each permit has its own nonce and expiry. */
  const shopWith = (lives: number[], submit: (attempt: number) => Response) =>
    shop(
      randomNonceService({
        answer: (body, attempt) =>
          randomNonceAnswer(body, { nonce: nonceOf(attempt), validFor: lives[attempt - 1] ?? 600 }),
        submit: (_, attempt) => submit(attempt),
      }),
    )
  const nonceOf = (attempt: number) => pad(toHex(attempt), { size: 32 })

  test('is replaced by the next call after a fee change', async () => {
    const at = shopWith([600, 600, 1_200, 1_200], (attempt) =>
      attempt < 4 ? refuse(feeMoved) : Response.json({ hash }),
    )
    await ended(at.buy())
    at.chain.state.timestamp = BigInt(validBefore)
    at.chain.state.transactions.push(redeemTransaction({ nonce: nonceOf(4) }))
    expect((await at.buy()).nonce).toBe(nonceOf(4))
    expect(at.signer.asked).toHaveLength(4)
  })

  test.each<[string, Partial<redeem.Options>, () => Response]>([
    ['the response was lost, and no node is passed', { publicClient: undefined }, lost],
    ['it was rejected, but is valid by the chain’s clock', {}, () => refuse('No')],
  ])('is not replaced because of the page’s clock alone if %s', async (_, change, submit) => {
    const at = shopWith([600, 11_000], submit)
    const now = () => (Number(validBefore) + 9_999) * 1_000
    await ended(at.buy(change))
    await ended(at.buy({ ...change, now }))
    expect(at.signer.asked).toHaveLength(1)
    expect(at.received.sendGaslessTx.map(({ nonce }) => nonce)).toContain(nonceOf(1))
  })

  test('is not replaced before the last permit has expired', async () => {
    const at = shopWith([600, 300], () => refuse(feeMoved))
    await ended(at.buy())
    at.chain.state.timestamp = BigInt(nowSeconds) + 599n
    for (let click = 0; click < 2; click++) await ended(at.buy())
    expect(at.signer.asked).toHaveLength(2)
  })

  test.each([
    ['is not replaced ten minutes', 600, 1],
    ['is replaced ten minutes and a second', 601, 2],
  ])('without a node, %s after its expiry', async (_, after, prompts) => {
    const at = shopWith([600, 3_000], (attempt) => (attempt === 1 ? refuse('No') : Response.json({ hash })))
    await ended(at.buy({ publicClient: undefined }))
    const now = () => (Number(validBefore) + after) * 1_000
    await at.buy({ publicClient: undefined, now })
    expect(at.signer.asked).toHaveLength(prompts)
  })
})

test('a payment with an intent-bound permit is not repeated with another pin', async () => {
  const at = shop()
  const done = { version: 1, salt: `0x${'00'.repeat(32)}`, nonce: intentBoundNonce, hash: another }
  const replaceItem = (name: string, _: string | null, text: string | null) => {
    const { purchase } = JSON.parse(String(text))
    at.storage.setItem(
      name,
      JSON.stringify({
        ...done,
        orderKey: orderKey({ merchantId: purchase.merchantId, purchaseId: purchase.purchaseId }),
        purchase,
      }),
    )
    return true
  }
  await ended(at.buy({ storage: { ...at.storage, replaceItem } }))
  expect(at.storage.kept.size).toBe(1)
  at.signer.asked.length = 0
  await expect(at.buy()).rejects.toMatchObject({ name: 'PreparedMismatchError', field: 'nonce' })
  expect(at.signer.asked).toHaveLength(0)
})

test.each([
  ['of another record', () => Response.json({ data: [] })],
  ['forbidden for this caller', () => refuse('Forbidden', 403)],
  ['not found', () => refuse('Not found', 404)],
])('if the balances are %s, the service decides whether they are enough', async (_, balances) => {
  const chain = randomNonceChain({ transactions: [redeemTransaction()] })
  const at = shop(randomNonceService({ balances: balances() }), chain)
  expect((await at.buy()).hash).toBe(hash)
})

describe('identifying a redeem', () => {
  test('ignores a call of the credits contract for another permit of the same wallet', async () => {
    const at = shop(undefined, randomNonceChain({ transactions: [redeemTransaction({ nonce: clearNonce })] }))
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
  })

  test('is repeated if one node in a pool has the receipt, but another lacks the transaction', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    let asked = 0
    const late = {
      ...chain,
      request: (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionByHash' && ++asked <= 2
          ? Promise.resolve(null)
          : chain.request(call),
    }
    expect((await shop().buy({ publicClient: late })).outcome).toMatchObject({ carriesPermit: true })
  })

  test('finds the permit among several calls of a transaction', async () => {
    const { input, ...rest } = redeemTransaction()
    const at = shop(
      undefined,
      randomNonceChain({ transactions: [{ ...rest, input: '0x', calls: [{ input }] }] }),
    )
    expect((await at.buy()).outcome).toMatchObject({ carriesPermit: true })
  })

  test('does not search while the returned hash is not mined yet', async () => {
    const at = shop(undefined, randomNonceChain({ transactions: [redeemTransaction({ block: 2_000n })] }))
    await ended(at.buy())
    expect(at.chain.calls.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(0)
  })

  test('searches once the permit has expired, even if the returned hash is not mined yet', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction({ block: 2_000n })] })
    chain.state.timestamp = BigInt(validBefore)
    const key = {
      wallet,
      nonce: taggedNonce,
      creditsContract,
      intentBound: false,
      hash,
      validBefore,
    } as const
    expect(await findRedeem(chain, key)).toMatchObject({ state: 'unknown', searched: { complete: true } })
  })

  test('ignores transactions that moved other USDC', async () => {
    const logs = [erc20Log(wallet, stranger, 1n, usdcAddress)]
    const at = shop(
      undefined,
      randomNonceChain({ transactions: [redeemTransaction({ input: '0x', to: stranger, logs })] }),
    )
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
  })
})

test('an unknown expiry causes an error that says how to pay', async () => {
  const at = shop(randomNonceService({ submit: lost }))
  await ended(at.buy())
  at.chain.state.timestamp = BigInt(validBefore)
  await expect(at.buy()).rejects.toMatchObject({ fix: expect.stringMatching(/another purchaseId/) })
})

describe('clicks on two pages at the same moment', () => {
  /** Opens another page: a second copy of the module, which shares only the storage. */
  async function anotherPage(): Promise<typeof redeem> {
    vi.resetModules()
    return (await import('../redeem.ts')).redeem
  }

  test.each(['order 7', undefined])(
    'without any lock: no prompt, nothing is sent, and the error names the missing protection (%s)',
    async (purchaseId) => {
      const at = shop()
      const { getItem, setItem, removeItem } = at.storage
      await expect(at.buy({ purchaseId, storage: { getItem, setItem, removeItem } })).rejects.toMatchObject({
        name: 'PurchaseStorageError',
        field: 'storage',
        fix: expect.stringContaining('replaceItem'),
      })
      expect([at.signer.asked.length, at.storage.kept.size]).toStrictEqual([0, 0])
    },
  )

  test.each([
    ['the pin intentBound: false', pinned, taggedNonce],
    ['allowRandomNonce', { ...pinned, intentBound: true }, clearNonce],
  ])('with %s and a purchaseId but no storage: no prompt, nothing is sent', async (_, pins, nonce) => {
    const salted = (body: Parameters<typeof randomNonceAnswer>[0]) => ({
      ...randomNonceAnswer(body, { nonce }),
      ...(pins.intentBound && { salt: body.salt, orderKey: body.orderKey }),
    })
    const at = shop(randomNonceService({ answer: salted }))
    const change = { pinned: pins, allowRandomNonce: true, storage: undefined, publicClient: undefined }
    const purchaseId = `order of ${nonce}`
    await expect(at.buy({ ...change, purchaseId })).rejects.toMatchObject({
      name: 'PurchaseStorageError',
      field: 'storage',
    })
    expect([at.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([0, 0])
    await at.buy({ ...change, purchaseId: undefined })
    expect(at.signer.asked).toHaveLength(1)
  })

  test('with an empty storage: one prompt, one permit is sent', async () => {
    const at = shop()
    const other = await anotherPage()
    at.chain.state.transactions.push(redeemTransaction())
    const ends = await Promise.allSettled([at.buy(), at.buy({}, other)])
    expect(ends.map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected'])
    expect([at.signer.asked.length, at.received.sendGaslessTx.length]).toStrictEqual([1, 1])
  })

  test('with Web Locks: paid', async () => {
    const request = (_: string, __: object, work: (lock: object) => unknown) => Promise.resolve(work({}))
    vi.stubGlobal('navigator', { locks: { request } })
    vi.stubGlobal('isSecureContext', true)
    const at = shop()
    at.chain.state.transactions.push(redeemTransaction())
    const { getItem, setItem, removeItem } = at.storage
    expect((await at.buy({ storage: { getItem, setItem, removeItem } })).hash).toBe(hash)
    vi.unstubAllGlobals()
  })

  test('with both prompts open at the same time: one permit is sent', async () => {
    const at = shop()
    const other = await anotherPage()
    at.chain.state.transactions.push(redeemTransaction(), redeemTransaction({ nonce: clearNonce }))
    const prompts: (() => void)[] = []
    let second: Promise<unknown> | undefined
    const signer = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method !== 'eth_signTypedData_v4') return at.signer.request(call)
        const answered = new Promise<void>((answer) => prompts.push(answer))
        second ??= at.buy({ signer }, other)
        if (prompts.length === 2) for (const answer of prompts) answer()
        await answered
        return at.signer.request(call)
      },
    }
    const ends = await Promise.allSettled([at.buy({ signer })])
    const others = await Promise.allSettled([second])
    expect([...ends, ...others].map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected'])
    expect(at.received.sendGaslessTx).toHaveLength(1)
  }, 10_000)
})
