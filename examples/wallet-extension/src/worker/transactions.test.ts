import { InsufficientFundsError, ServiceTimeoutError } from 'redeemkit'
import { encodeFunctionData, erc20Abi, type Hex, keccak256, parseTransaction } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignApproval } from '../messages.ts'
import { paymentRefusal } from './createTransactions.ts'
import { prepareTransactions } from './prepareTransactions.ts'
import { type FakePage, fakeBrowser, fakeNode, password, testAccount, testKey } from './wallet.fixture.ts'

const within = { timeout: 10_000 }

let browser: ReturnType<typeof fakeBrowser>
let node: ReturnType<typeof fakeNode>
let page: FakePage
let kept: Awaited<ReturnType<typeof browser.kept>>
beforeAll(async () => {
  const first = fakeBrowser()
  await first.ask('createVault', { password, secret: { kind: 'key', key: testKey } })
  kept = await first.kept()
})
beforeEach(async () => {
  node = fakeNode(8453)
  browser = fakeBrowser({ kept, fetch: node.fetch })
  page = browser.openPage()
  await browser.ask('setNode', { chainId: 8453, rpcUrl: 'http://localhost:8545' })
  const connected = page.request('eth_requestAccounts')
  await expect.poll(() => browser.waiting, within).toBe(1)
  const [asked] = await browser.ask('approvals', {})
  await browser.ask('approve', { id: asked?.id ?? '', digests: [], accounts: [testAccount] })
  await connected
})

const transfer = { from: testAccount, to: testAccount, value: '0x1' }

/** Returns requests whose transactions are prepared. */
async function prepared(count: number): Promise<SignApproval[]> {
  const read = async () => (await browser.ask('approvals', {})) as SignApproval[] // All of these requests ask for a signature.
  await expect
    .poll(read, within)
    .toMatchObject(Array.from({ length: count }, () => ({ transaction: { state: 'ready' } })))
  return read()
}
const approve = ({ id, digests }: SignApproval) => browser.ask('approve', { id, digests })
const nonces = () => node.sent.map((raw) => parseTransaction(raw).nonce ?? 0)

describe('two transactions that were prepared at the same time', () => {
  test('have two nonces: the second one is prepared again after the first is signed', async () => {
    const asked = [1, 2].map(() => page.request('eth_sendTransaction', [transfer]))
    const [first, second] = await prepared(2)
    if (first === undefined || second === undefined) throw new Error('Two were expected.')
    expect(first.digests).toEqual(second.digests)
    await approve(first)
    await expect(approve(second)).rejects.toMatchObject({ code: 'changed' })
    const [again] = await prepared(1)
    if (again !== undefined) await approve(again)
    await Promise.all(asked)
    expect(nonces()).toEqual([0, 1])
  })

  test('are not both signed by two simultaneous clicks', async () => {
    void [1, 2].map(() => page.request('eth_sendTransaction', [transfer]))
    const clicks = await Promise.allSettled((await prepared(2)).map(approve))
    // Either click may be processed first.
    expect(clicks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await prepared(1)
    expect(nonces()).toEqual([0])
  })

  test('the second one is prepared again by a worker that was stopped in between', async () => {
    void [1, 2].map(() => page.request('eth_sendTransaction', [transfer]))
    const [first] = await prepared(2)
    node.hang(true)
    if (first !== undefined) void approve(first)
    await expect.poll(() => node.sent, within).toHaveLength(1)
    browser.restart()
    await expect.poll(() => browser.waiting, within).toBe(1)
    const [second] = await prepared(1)
    if (second !== undefined) await approve(second)
    expect(new Set(nonces())).toEqual(new Set([0, 1]))
  })
})

test.each([
  ['Insufficient funds for gas * price + value', 'noFunds'], // Anvil's text; other nodes begin it in lower case.
  ['nonce too low', 'failed'],
])('a transaction that the node refuses with "%s" fails with %s', async (reason, code) => {
  void page.request('eth_sendTransaction', [transfer]).catch(() => {})
  const [approval] = await prepared(1)
  node.refuse(reason)
  await expect(approve(approval as SignApproval)).rejects.toMatchObject({ code }) // one was prepared
})

test.each([
  [new InsufficientFundsError('You have 1.00 USD.', { asset: 'credits', have: 1n, need: 2n }), 'noFunds'],
  [new ServiceTimeoutError('The service does not respond.'), 'failed'],
])('a payment that ends with %s fails with %s', (error, code) => {
  expect(paymentRefusal(error)).toMatchObject({ code, message: error.shortMessage })
})

describe('a batch of calls (EIP-5792)', () => {
  const spender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  const call = (amount: bigint) => ({
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  })
  const send = { to: spender, value: '0x1' }
  const batch = { version: '2.0.0', from: testAccount, chainId: '0x2105', atomicRequired: false }
  const sendCalls = (more: object) => page.request('wallet_sendCalls', [{ ...batch, ...more }])
  const statusOf = (id: unknown) => page.request('wallet_getCallsStatus', [id])

  test('is shown call by call, sent in order after one click, and reported', async () => {
    const asked = sendCalls({ calls: [call(1_000_000n), send], id: 'order 1' })
    const [approval] = await prepared(1)
    if (approval === undefined) throw new Error('One was expected.')
    expect(approval).toMatchObject({
      method: 'wallet_sendCalls',
      inspection: { kind: 'calls', verdict: 'caution' },
      transaction: { maxFee: 2n * 31_500n * 3n },
    })
    expect(approval.inspection.grants).toHaveLength(1)
    expect(approval.inspection.moves).toHaveLength(1)
    expect(approval.digests).toHaveLength(2)
    expect(node.sent).toEqual([])
    await approve(approval)
    expect(await asked).toEqual({ id: 'order 1' })
    expect(nonces()).toEqual([0, 1])
    expect(node.sent.map((raw) => parseTransaction(raw).to)).toEqual([
      usdc.toLowerCase(),
      spender.toLowerCase(),
    ])
    const [first, second] = node.sent.map((raw) => keccak256(raw)) as [Hex, Hex] // two, as above
    expect(await statusOf('order 1')).toEqual({
      version: '2.0.0',
      id: 'order 1',
      chainId: '0x2105',
      atomic: false,
      status: 100,
      receipts: [],
    })
    node.mine(first, '0x1')
    expect(await statusOf('order 1')).toMatchObject({ status: 100, receipts: [{ transactionHash: first }] })
    node.mine(second, '0x0')
    expect(await statusOf('order 1')).toMatchObject({
      status: 600,
      receipts: [
        {
          transactionHash: first,
          status: '0x1',
          blockNumber: '0x1',
          logs: [{ address: '0xa1', data: '0x', topics: [] }],
        },
        { transactionHash: second, status: '0x0' },
      ],
    })
    node.mine(second, '0x1')
    expect(await statusOf('order 1')).toMatchObject({ status: 200 })
    for (const hash of [first, second]) node.mine(hash, '0x0')
    expect(await statusOf('order 1')).toMatchObject({ status: 500 })
    await expect(sendCalls({ calls: [send], id: 'order 1' })).rejects.toMatchObject({ code: 5720 })
    await expect(
      browser.openPage('https://other.example').request('wallet_getCallsStatus', ['order 1']),
    ).rejects.toMatchObject({ code: 5730 })
  })

  test('with one unlimited approval among its calls cannot be signed', async () => {
    const asked = sendCalls({ calls: [send, call(2n ** 256n - 1n)] })
    const [approval] = await prepared(1)
    expect(approval?.inspection.verdict).toBe('refuse')
    if (approval !== undefined) await expect(approve(approval)).rejects.toMatchObject({ code: 'refused' })
    await Promise.all([
      expect(asked).rejects.toMatchObject({ code: 4001 }),
      browser.ask('reject', { id: approval?.id ?? '' }),
    ])
    expect(node.sent).toEqual([])
  })

  test('is not sent if one of its calls fails in the simulation', async () => {
    node.revert()
    void sendCalls({ calls: [send, send] }).catch(() => {})
    await expect
      .poll(() => browser.ask('approvals', {}), within)
      .toMatchObject([{ transaction: { state: 'failed', reason: 'Call 1 fails: execution reverted' } }])
  })

  test('is continued after the worker was stopped: the same bytes are sent, each once, without a click', async () => {
    const asked = sendCalls({ calls: [send, call(1n)] })
    const [approval] = await prepared(1)
    node.hang(false)
    if (approval !== undefined) void approve(approval)
    await expect.poll(() => node.sent, within).toHaveLength(1)
    browser.restart()
    const { id } = Object(await asked)
    expect(new Set(nonces())).toEqual(new Set([0, 1]))
    expect(new Set(node.sent).size).toBe(2)
    expect(await statusOf(id)).toMatchObject({ status: 100 })
  })

  test('is not prepared from a response of the node that lacks a call', async () => {
    const answers: Record<string, unknown> = {
      eth_getTransactionCount: '0x0',
      eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x5208' }] }],
      eth_maxPriorityFeePerGas: '0x1',
      eth_getBlockByNumber: { baseFeePerGas: '0x1' },
    }
    const asked = { from: testAccount, to: spender, value: 1n, data: '0x' } as const
    const request = async ({ method }: { method: string }) => answers[method]
    expect(await prepareTransactions({ request }, [asked, asked], { leastNonce: 0 })).toEqual({
      state: 'failed',
      reason: 'The node gave an invalid response.',
    })
  })

  test.each<[string, object, number]>([
    ['`atomicRequired` and several calls', { atomicRequired: true, calls: [send, send] }, 5760],
    ['a required capability', { calls: [send], capabilities: { paymasterService: {} } }, 5700],
    ['a required capability of a call', { calls: [{ ...send, capabilities: { x: {} } }] }, 5700],
    ['another chain', { calls: [send], chainId: '0x539' }, 5710],
    ['a chain without a node', { calls: [send], chainId: '0xa4b1' }, 4901],
    ['eleven calls', { calls: Array.from({ length: 11 }, () => send) }, 5740],
    ['another account', { calls: [send], from: spender }, 4100],
    ['no calls', { calls: [] }, -32602],
    ['a malformed call', { calls: [send, { to: 'me' }] }, -32602],
    ['a field that the wallet would not sign', { calls: [{ ...send, authorizationList: [] }] }, -32602],
    ['an older version', { calls: [send], version: '1.0' }, -32602],
    ['no atomicRequired field', { calls: [send], atomicRequired: undefined }, -32602],
  ])('with %s is answered immediately with an error', async (_, more, code) => {
    await expect(sendCalls(more)).rejects.toMatchObject({ code })
    expect(browser.waiting).toBe(0)
  })

  test('of a single call may require atomic execution, and may mark unsupported capabilities as optional', async () => {
    const capabilities = { paymasterService: { url: 'https://pay.example', optional: true } }
    void sendCalls({ calls: [send], atomicRequired: true, capabilities }).catch(() => {})
    await prepared(1)
  })

  test('an unknown id returns 5730', async () => {
    await expect(statusOf('other')).rejects.toMatchObject({ code: 5730 })
  })
})
