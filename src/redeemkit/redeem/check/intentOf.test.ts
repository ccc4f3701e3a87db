import { afterEach, describe, expect, test, vi } from 'vitest'
import { checkRedeem } from '../checkRedeem.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import { chainId, countingSigner, fakeService, hash, now, pinned, token } from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'
import type { ReadyRedeem } from '../redeemOptions.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { signRedeem } from '../signRedeem.ts'
import { purchaseToDisclose } from './intentOf.ts'

const request = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: token,
  chargebackProtectionData: [{ productName: 'Moth', productType: 'inGameProduct' as const, quantity: 1 }],
}
const options = {
  chainId,
  pinned,
  purchaseId: 'order 1',
  webhookInfo: { email: 'ada@example.com' },
  ...request,
}
const yes = () => ({ '0x14a34': { redeemIntent: { supported: true, version: 1 } } })
const requests = ({ asked }: ReturnType<typeof countingSigner>) =>
  asked.map((one) => (one as { params: unknown[] }).params)
let orders = 1
/** Creates a wallet that records the requests for its capabilities. */
function world(answer: () => unknown) {
  const capabilities = vi.fn(answer)
  const { client } = fakeService({ client: { now } })
  // The process remembers orders, so each test needs its own order.
  const order = { ...options, purchaseId: `order ${++orders}` }
  return { client, capabilities, order, signer: countingSigner({ capabilities }) }
}

describe('the purchase that a wallet may see', () => {
  const prepare = (more: object = {}) => prepareRedeem(fakeService().client, { ...options, ...more, now })

  test('contains only the fields that the nonce commits to', async () => {
    const prepared = await prepare()
    const disclosed = purchaseToDisclose(prepared)
    expect(disclosed).toStrictEqual({
      version: 1,
      merchantId: prepared.merchantId,
      purchaseId: 'order 1',
      salt: prepared.salt,
      request: { subtotal: { cents: 1000 }, usdcAmount: { cents: 400 }, transactionData: token },
    })
    expect(disclosed?.request.transactionData).not.toBe(prepared.request.transactionData)
  })

  test('omits an order id or a USDC part that does not exist', async () => {
    const prepared = await prepare({ purchaseId: undefined, usdcAmount: undefined })
    expect(purchaseToDisclose(prepared)).toStrictEqual({
      version: 1,
      merchantId: prepared.merchantId,
      salt: prepared.salt,
      request: { subtotal: { cents: 1000 }, transactionData: token },
    })
  })

  test('is undefined for a random nonce', async () => {
    expect(purchaseToDisclose({ ...(await prepare()), intentBound: false })).toBeUndefined()
  })

  test('has at most 64 KiB, counted as UTF-8', async () => {
    const prepared = await prepare()
    const of = (filler: string): PreparedRedeem => ({
      ...prepared,
      request: { ...prepared.request, transactionData: { ...token, filler } as typeof token },
    })
    const left = 65_536 - new TextEncoder().encode(JSON.stringify(purchaseToDisclose(of('')))).length
    expect(purchaseToDisclose(of('a'.repeat(left)))).toBeDefined()
    expect(purchaseToDisclose(of('a'.repeat(left + 1)))).toBeUndefined()
    expect(purchaseToDisclose(of(`é${'a'.repeat(left - 1)}`))).toBeUndefined()
  })
})

describe('a redeem', () => {
  test('sends the purchase with both requests to a wallet that supports it', async () => {
    const { client, order, signer } = world(yes)
    let prepared: PreparedRedeem | undefined
    const onStep = (step: RedeemStep) => {
      if (step.step === 'signed') prepared = step.signed.prepared
    }
    await redeem(client, { ...order, signer, onStep })
    if (prepared === undefined) throw new Error('Nothing was signed.')
    const redeemIntent = purchaseToDisclose(prepared)
    expect(requests(signer).map(([, , ...more]) => more)).toStrictEqual([
      [{ redeemIntent }],
      [{ redeemIntent }],
    ])
  })

  test.each<[string, () => unknown]>([
    ['announces nothing', () => ({})],
    ['announces another version', () => ({ '0x0': { redeemIntent: { supported: true, version: 2 } } })],
    ['fails', () => Promise.reject(new Error('no'))],
  ])('sends only the usual two parameters to a wallet that %s', async (_, answer) => {
    const { client, order, signer } = world(answer)
    expect((await redeem(client, { ...order, signer })).hash).toBe(hash)
    expect(requests(signer).map(({ length }) => length)).toStrictEqual([2, 2])
  })
})

describe('a check before the click', () => {
  afterEach(() => void vi.useRealTimers())
  const check = (at: ReturnType<typeof world>) =>
    checkRedeem(at.client, { ...at.order, signer: at.signer }) as Promise<ReadyRedeem>

  test('reports whether the wallet accepts the purchase, without a prompt', async () => {
    const at = world(yes)
    expect(await check(at)).toMatchObject({ state: 'ready', takesIntent: true })
    expect(await check({ ...world(() => ({})), client: at.client })).toMatchObject({ takesIntent: false })
    expect(await checkRedeem(at.client, at.order)).not.toHaveProperty('takesIntent')
    expect(at.signer.asked).toStrictEqual([])
  })

  test('does not ask the wallet again at the click if the wallet does not support it', async () => {
    const at = world(() => ({}))
    const ready = await check(at)
    at.capabilities.mockClear()
    await redeem(at.client, { ...at.order, signer: at.signer, ready })
    expect(at.capabilities).not.toHaveBeenCalled()
    expect(requests(at.signer).map(({ length }) => length)).toStrictEqual([2, 2])
  })

  test('is not enough: the wallet at the click must support it as well', async () => {
    const at = world(yes)
    const ready = await check(at)
    const { signer } = world(() => ({}))
    await redeem(at.client, { ...at.order, signer, ready })
    expect(requests(signer).map(({ length }) => length)).toStrictEqual([2, 2])
  })

  test('waits at most a second for the wallet', async () => {
    const at = world(() => new Promise(() => {}))
    vi.useFakeTimers()
    const checked = check(at)
    await vi.waitFor(() => expect(at.capabilities).toHaveBeenCalled())
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await checked).toMatchObject({ state: 'ready', takesIntent: false })
  })

  test('rejects a signer that cannot sign', async () => {
    const { client, order } = world(yes)
    await expect(checkRedeem(client, { ...order, signer: {} as never })).rejects.toMatchObject({
      name: 'UnsupportedSignerError',
    })
  })
})

test('signRedeem does not ask a wallet that is known not to support the purchase parameter', async () => {
  const { client, capabilities, signer } = world(yes)
  const prepared = await prepareRedeem(client, { ...options, purchaseId: 'order 0' })
  await signRedeem(signer, { prepared, request, now, takesIntent: false })
  expect(capabilities).not.toHaveBeenCalled()
  expect(requests(signer).map(({ length }) => length)).toStrictEqual([2, 2])
})
