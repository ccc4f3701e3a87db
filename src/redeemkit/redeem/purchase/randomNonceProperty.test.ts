import fc from 'fast-check'
import { type Hex, keccak256, toHex } from 'viem'
import { expect, inject, test } from 'vitest'
import {
  feeMoved,
  guardedStorage,
  pinned,
  randomNonceAnswer,
  randomNonceChain,
  redeemTransaction,
  refuse,
  request,
  sleep,
} from '../randomNonce.fixture.ts'
import { chainId, countingSigner, fakeService, nowSeconds, stranger } from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'

/** The outcome of an interaction. Default: `well`. */
type Fate = 'well' | 'closed' | 'fails' | 'done but fails' | 'fee moved' | 'refused' | 'gateway'
const fates = ['well', 'closed', 'fails', 'done but fails', 'fee moved', 'refused', 'gateway'] as const

const click = fc.record({
  fates: fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant('well' as const) }, fc.constantFrom(...fates)),
    {
      maxLength: 24,
    },
  ),
  node: fc.boolean(),
  // the chain reports only the outcome of known hashes
  mines: fc.boolean(),
  passes: fc.constantFrom(0, 0, 0, 300, 700, 2_000),
})

/** Creates an honest service, pages that may close at any point, and a chain that reports as little as possible. */
function world() {
  let seconds = nowSeconds
  let left: Fate[] = []
  let closed = false
  const storage = guardedStorage()
  const executed = new Map<string, Hex>()
  const ends = new Map<string, number>()
  const chain = randomNonceChain()
  chain.state.widest = 0n
  /** Runs `work` with the next outcome of the list. Once the page is closed, nothing runs. */
  const at = <T>(work: () => T): T => {
    const fate = closed ? 'closed' : (left.shift() ?? 'well')
    closed ||= fate === 'closed'
    if (closed || fate === 'fails') throw new TypeError(fate)
    const done = work()
    if (fate === 'done but fails') throw new TypeError(fate)
    return done
  }
  const { client } = fakeService({
    answer: (body, attempt) =>
      at(() => {
        const nonce = keccak256(toHex(`${attempt}`))
        ends.set(nonce, seconds + 600)
        return randomNonceAnswer(body, { nonce, validFor: seconds + 600 - nowSeconds })
      }),
    submit: ({ nonce }) => {
      const id = String(nonce)
      const hash = keccak256(id as Hex)
      const execute = () => {
        if (!executed.has(id)) {
          if (seconds >= Number(ends.get(id))) return refuse('Permit expired')
          executed.set(id, hash)
        }
        return Response.json({ hash })
      }
      const [fate] = left
      if (closed || executed.has(id) || !['fee moved', 'refused', 'gateway'].includes(String(fate)))
        return at(execute)
      left.shift()
      if (fate === 'gateway') {
        execute()
        return refuse('Timeout', seconds % 2 ? 408 : 504)
      }
      return refuse(fate === 'fee moved' ? feeMoved : 'No')
    },
    client: { now: () => seconds * 1_000, retry: false },
  })
  const signer = countingSigner()
  return {
    executed,
    signer,
    pass: (more: number) => {
      seconds += more
      chain.state.timestamp = BigInt(seconds)
      chain.state.blockNumber += BigInt(more) / 2n
    },
    mine: () => {
      for (const hash of executed.values())
        if (!chain.state.transactions.some((one) => one.hash === hash))
          chain.state.transactions.push(redeemTransaction({ hash, input: '0x11223344', to: stranger }))
    },
    buy: (fate: readonly Fate[], node: boolean) => {
      left = [...fate]
      closed = false
      return redeem(client, {
        ...request,
        chainId,
        pinned,
        purchaseId: 'order 7',
        timeoutMs: 2_000,
        sleep,
        publicClient: node ? chain : undefined,
        storage: {
          getItem: (name) => at(() => storage.getItem(name)),
          setItem: (name, value) => at(() => storage.setItem(name, value)),
          removeItem: (name) => at(() => storage.removeItem(name)),
          replaceItem: (...change) => at(() => storage.replaceItem(...change)),
        },
        signer: { request: (call) => at(() => signer.request(call)) },
        onStep: () => at(() => undefined),
      })
    },
  }
}

test('a purchase is paid at most once, even if pages close and requests fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(click, { minLength: 1, maxLength: 6 }), async (clicks) => {
      const { executed, pass, mine, buy } = world()
      for (const { fates, node, mines, passes } of clicks) {
        const paid = await buy(fates, node).catch(() => undefined)
        expect(executed.size).toBeLessThan(2)
        if (paid !== undefined) expect([...executed]).toContainEqual([paid.nonce, paid.hash])
        if (mines) mine()
        pass(passes)
      }
    }),
    { numRuns: Math.max(20, inject('generatedInputs') / 10), endOnFailure: true },
  )
}, 600_000)

test('once nothing fails any more, the next call pays if the permit is valid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(click, { minLength: 1, maxLength: 4 }), async (clicks) => {
      const { executed, mine, buy } = world()
      for (const { fates, node, mines } of clicks) {
        await buy(fates, node).catch(() => undefined)
        if (mines) mine()
      }
      await buy([], true).catch(() => undefined)
      mine()
      const { hash } = await buy([], true)
      expect([...executed.values()]).toStrictEqual([hash])
    }),
    { numRuns: Math.max(20, inject('generatedInputs') / 10), endOnFailure: true },
  )
}, 600_000)
