import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { isOpenRedeemError } from './isOpenRedeemError.ts'
import {
  chainId,
  creditsContract,
  fakeChain,
  hash,
  nonce,
  redeemedLog,
  stranger,
  wallet,
} from './redeem.fixture.ts'
import { waitForRedeem } from './waitForRedeem.ts'

const key = { wallet, nonce, creditsContract }
const errorText = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [text] })
const ticking = () => {
  let ms = 0
  const sleep = vi.fn(async (duration: number) => {
    ms += duration
  })
  return { now: () => ms, sleep }
}

/** Creates a chain on which the redeem's transaction was mined and reverted. */
const reverting = (chain: ReturnType<typeof fakeChain>, to = creditsContract) => ({
  request: async (call: { method: string; params?: unknown }) => {
    if (call.method === 'eth_getTransactionReceipt')
      return { ...((await chain.request(call)) as object), status: '0x0', gasUsed: '0x1' }
    if (call.method === 'eth_getTransactionByHash')
      return {
        hash,
        from: stranger,
        to,
        gas: '0xffff',
        input: `0x12345678${wallet.slice(2)}${nonce.slice(2)}`,
      }
    const [first] = (call.params ?? []) as [{ from?: string } | undefined]
    if (call.method === 'eth_call' && first?.from !== undefined)
      throw Object.assign(new Error('execution reverted'), { code: 3, data: errorText('SoldOut') })
    return chain.request(call)
  },
})

describe('waitForRedeem', () => {
  test('follows the nonce until it is redeemed', async () => {
    const chain = fakeChain()
    const clock = ticking()
    clock.sleep.mockImplementationOnce(async () => {
      chain.state.orderState = 1
    })
    const outcome = await waitForRedeem(chain, { ...key, ...clock })
    expect(outcome).toMatchObject({
      hash,
      charged: 6_030_000n,
      gasFee: 30_000n,
      refunded: 5n,
      usdcAmount: 4_000_000n,
    })
    expect(clock.sleep).toHaveBeenCalledWith(1_000)
  })

  test('waits for the requested confirmations, including its own block', async () => {
    const chain = fakeChain({ orderState: 1, blockNumber: 990n })
    const clock = ticking()
    clock.sleep.mockImplementation(async () => {
      chain.state.blockNumber += 1n
    })
    await waitForRedeem(chain, { ...key, ...clock, confirmations: 1 })
    expect(clock.sleep).toHaveBeenCalledTimes(0)
    await waitForRedeem(chain, { ...key, ...clock, confirmations: 3 })
    expect(clock.sleep).toHaveBeenCalledTimes(2)
  })

  test.each([
    [1_799_999_999n, 'RedeemTimeoutError'],
    [1_800_000_000n, 'RedeemExpiredError'],
    [1_800_000_001n, 'RedeemExpiredError'],
  ])('an unused nonce expires by the chain’s clock: %s', async (timestamp, name) => {
    const chain = fakeChain({ timestamp })
    for (const validBefore of [1_800_000_000n, '1800000000'])
      await expect(waitForRedeem(chain, { ...key, ...ticking(), validBefore })).rejects.toMatchObject({
        name,
      })
  })

  test('a used nonce never expires', async () => {
    const chain = fakeChain({ orderState: 1, timestamp: 1_900_000_000n })
    expect((await waitForRedeem(chain, { ...key, ...ticking(), validBefore: 1_800_000_000n })).hash).toBe(
      hash,
    )
  })

  test('reports a cancelled nonce', async () => {
    await expect(waitForRedeem(fakeChain({ orderState: 2 }), { ...key, ...ticking() })).rejects.toMatchObject(
      {
        name: 'RedeemCancelledError',
        field: 'nonce',
      },
    )
  })

  test.each([
    ['cancelled', { orderState: 2 }, 'RedeemCancelledError'],
    ['expired', { timestamp: 1_800_000_000n }, 'RedeemExpiredError'],
  ])('an order that is %s counts only with the requested confirmations', async (_, change, name) => {
    const chain = fakeChain(change)
    const options = { ...key, validBefore: 1_800_000_000n, timeoutMs: 3_000 }
    await expect(waitForRedeem(chain, { ...options, ...ticking(), confirmations: 3 })).rejects.toMatchObject({
      name,
    })
    await expect(
      waitForRedeem(chain, { ...options, ...ticking(), confirmations: 2_000 }),
    ).rejects.toMatchObject({ name: 'RedeemTimeoutError', remedy: 'lookUp' })
  })

  test('reports immediately that the transaction reverted and the redeem is still open', async () => {
    const clock = ticking()
    const error = await waitForRedeem(reverting(fakeChain()), {
      ...key,
      ...clock,
      chainId,
      hash,
      validBefore: '1800000600',
    }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      name: 'RedeemRevertedError',
      remedy: 'lookUp',
      hash,
      ...key,
      chainId,
      validBefore: '1800000600',
    })
    expect(error).toMatchObject({
      reason: '"SoldOut"',
      fix: expect.stringContaining('until 1800000600, and may execute until then'),
    })
    expect(isOpenRedeemError(error)).toBe(true)
    expect(clock.sleep).not.toHaveBeenCalled()
  })

  test('a timeout without `validBefore` is the error of an open redeem too', async () => {
    const error = await waitForRedeem(fakeChain(), { ...key, ...ticking(), timeoutMs: 2_000 }).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ name: 'RedeemTimeoutError', ...key })
    expect(isOpenRedeemError(error)).toBe(true)
  })

  test('a reverted transaction to another contract is not the redeem', async () => {
    const options = { ...key, ...ticking(), hash, timeoutMs: 2_000 }
    await expect(waitForRedeem(reverting(fakeChain(), stranger), options)).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
    })
  })

  test('a revert counts only with the required confirmations', async () => {
    const chain = fakeChain({ minedIn: 990n, blockNumber: 990n })
    const clock = ticking()
    clock.sleep.mockImplementation(async () => {
      chain.state.blockNumber += 1n
    })
    const options = { ...key, ...clock, hash, confirmations: 3 }
    await expect(waitForRedeem(reverting(chain), options)).rejects.toMatchObject({
      name: 'RedeemRevertedError',
      fix: expect.not.stringContaining('undefined'),
    })
    expect(clock.sleep).toHaveBeenCalledTimes(2)
  })

  test('reports another attempt that used the order, with its outcome', async () => {
    const other = `0x${nonce.slice(2, 26)}${'0b'.repeat(20)}` as const
    const chain = fakeChain({ orderState: 1, logs: [redeemedLog({ nonce: other })] })
    await expect(waitForRedeem(chain, { ...key, ...ticking() })).rejects.toMatchObject({
      name: 'OtherAttemptError',
      outcome: { nonce: other, hash },
    })
  })

  test.each([
    ['only the key is known', {}],
    ['everything is known', { chainId, hash, validBefore: '1800000600' }],
  ])('the error of an open redeem has the fields for a look-up if %s', async (_, known) => {
    const error = await waitForRedeem(fakeChain(), { ...key, ...known, ...ticking(), timeoutMs: 1 }).catch(
      (cause: unknown) => cause,
    )
    const { chainId: chain, hash: reported, validBefore } = Object(error)
    expect(error).toMatchObject({ name: 'RedeemTimeoutError', ...key })
    expect({
      ...(chain && { chainId: chain }),
      ...(reported && { hash: reported }),
      ...(validBefore && { validBefore }),
    }).toEqual(known)
  })

  test.each([
    ['cancelled', { orderState: 2 }],
    ['redeemed', { orderState: 1 }],
  ])('an order that is %s, but lacks confirmations, is reported as lacking them', async (_, change) => {
    const options = { ...key, ...ticking(), confirmations: 2_000, timeoutMs: 1 }
    await expect(waitForRedeem(fakeChain(change), options)).rejects.toThrow(
      'it does not have 2000 confirmations yet',
    )
  })

  test('slow look-ups count toward the time limit, even if the clock stops or is set back', async () => {
    let ms = 0
    let looks = 0
    const chain = fakeChain()
    const slow = {
      request: async (call: { method: string; params?: unknown }) => {
        if (call.method === 'eth_getBlockByNumber') {
          looks++
          ms += 60_000
        }
        return chain.request(call)
      },
    }
    const sleep = async () => {}
    await expect(waitForRedeem(slow, { ...key, now: () => ms, sleep })).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
    })
    expect(looks).toBe(2)
    const slept = vi.fn(async () => {})
    await expect(
      waitForRedeem(chain, { ...key, now: () => 0, timeoutMs: 3_000, sleep: slept }),
    ).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    expect(slept).toHaveBeenCalledTimes(3)
    const silent = { request: () => new Promise<never>(() => {}) }
    const times = [1_000_000]
    const backwards = () => times.pop() ?? 0
    await expect(waitForRedeem(silent, { ...key, now: backwards, timeoutMs: 20 })).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
    })
  })

  test('stops after timeoutMs, and reports that the redeem may still execute', async () => {
    const clock = ticking()
    const error = await waitForRedeem(fakeChain(), {
      ...key,
      ...clock,
      timeoutMs: 10_500,
      pollingIntervalMs: 4_000,
    }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'RedeemTimeoutError', remedy: 'lookUp' })
    expect(String(error)).toContain('the order is unused')
    expect(clock.sleep.mock.calls).toStrictEqual([[4_000], [4_000], [2_500]])
  })

  test('after a failure, the node is read again, and the last failure is the `cause` of a timeout', async () => {
    const chain = fakeChain({ orderState: 1 })
    let calls = 0
    const flaky = {
      request: async (call: { method: string; params?: unknown }) => {
        if (calls++ % 2 === 0) throw new Error('busy')
        return chain.request(call)
      },
    }
    const clock = ticking()
    await expect(waitForRedeem(flaky, { ...key, ...clock, timeoutMs: 5_000 })).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
      cause: { name: 'ChainReadError' },
    })
    let failures = 3
    const recovering = {
      request: async (call: { method: string; params?: unknown }) => {
        if (failures-- > 0) throw new Error('busy')
        return chain.request(call)
      },
    }
    expect((await waitForRedeem(recovering, { ...key, ...ticking() })).hash).toBe(hash)
  })

  test('the error of a used order says that its event was not found', async () => {
    const chain = fakeChain({ orderState: 1, logs: [redeemedLog({ wallet: creditsContract })] })
    const error = await waitForRedeem(chain, { ...key, ...ticking() }).catch((cause: unknown) => cause)
    expect(String(error)).toContain('its event was not found')
  })

  test('a node that never responds does not extend the wait', async () => {
    const silent = { request: () => new Promise<never>(() => {}) }
    await expect(waitForRedeem(silent, { ...key, timeoutMs: 20 })).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
    })
    const controller = new AbortController()
    const waiting = waitForRedeem(silent, { ...key, signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
  })

  test('an abort ends the sleep too', async () => {
    const controller = new AbortController()
    const sleep = () => new Promise<void>(() => controller.abort())
    await expect(
      waitForRedeem(fakeChain(), { ...key, sleep, signal: controller.signal }),
    ).rejects.toMatchObject({
      name: 'RequestAbortedError',
    })
  })

  test.each([
    ['validBefore', 'soon'],
    ['hash', '0x12'],
    ['confirmations', 0],
    ['confirmations', 1.5],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', Number.NaN],
    ['pollingIntervalMs', -1],
  ])('rejects %s %s', async (field, value) => {
    await expect(waitForRedeem(fakeChain(), { ...key, [field]: value })).rejects.toMatchObject({ field })
  })

  test('immediately rejects a node on another chain, and an address without a contract', async () => {
    const other = { request: async () => '0x1' }
    await expect(waitForRedeem(other, { ...key, ...ticking(), chainId })).rejects.toMatchObject({
      name: 'WrongNetworkError',
    })
    const empty = fakeChain()
    const request = async (call: { method: string; params?: unknown }) =>
      call.method === 'eth_call' ? '0x' : empty.request(call)
    await expect(waitForRedeem({ request }, { ...key, ...ticking() })).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'creditsContract',
    })
  })
})
