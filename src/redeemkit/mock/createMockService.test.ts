import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { getAuthMessage, verifyAuth } from '../api/endpoints/auth.ts'
import { cardCheckout, savedCardCheckout, zeroAuthorization } from '../api/endpoints/cards.ts'
import { getTotals, pixCheckout, wireTokenCheckout } from '../api/endpoints/checkout.ts'
import { getBalances, getPurchases, getSavedCards } from '../api/endpoints/customer.ts'
import { getContractAddress, usdcAuthorizationMessage } from '../api/endpoints/redeem.ts'
import { getPlans, purchaseSubscription } from '../api/endpoints/subscription.ts'
import { login } from '../auth/login.ts'
import { wireErrors } from '../core/errors/wireErrors.ts'
import { evmAdapter } from '../evm/evmAdapter.ts'
import { normal, safeMint } from '../evm/transactionData/builders.ts'
import { checkRedeem } from '../redeem/checkRedeem.ts'
import { findRedeem } from '../redeem/findRedeem.ts'
import { redeem } from '../redeem/redeem.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import { errorBody } from '../schema/errorBody.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import type { MockFetch } from './createMockFetch.ts'
import { createMockService, type MockService } from './createMockService.ts'
import { createMockWallet } from './createMockWallet.ts'
import { mockCalls } from './mockWorld.ts'

const cancelAbi = parseAbi([
  'function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes signature)',
])
const abi = parseAbi(['function mint(uint256 count)'])
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const toShop = {
  subtotal: { cents: 1000 },
  transactionData: { type: 'token' as const, destination: shop as `0x${string}` },
}

/** Buys for 10 dollars, 4 of them in USDC. */
function buy(mock: MockService, signer = createMockWallet(), more: Partial<redeem.Options> = {}) {
  const { client, chain, pinned } = mock
  return redeem(client, {
    ...toShop,
    usdcAmount: { cents: 400 },
    signer,
    publicClient: chain,
    pinned,
    pollingIntervalMs: 1,
    timeoutMs: 5_000,
    ...more,
  })
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  )

describe('a redeem', () => {
  test('sends the purchase only to a wallet that supports it', async () => {
    for (const takesIntent of [true, false]) {
      const wallet = createMockWallet({ takesIntent })
      await buy(createMockService(), wallet)
      const third = { redeemIntent: expect.objectContaining({ version: 1, merchantId: expect.any(String) }) }
      expect(wallet.prompts.map(({ params }) => (params as unknown[]).slice(2))).toEqual(
        takesIntent ? [[third], [third]] : [[], []],
      )
    }
  })

  test('with a third parameter is rejected by a wallet without support', async () => {
    const wallet = createMockWallet()
    const params = [wallet.address, '{}', {}]
    await expect(wallet.request({ method: 'eth_signTypedData_v4', params })).rejects.toMatchObject({
      code: -32602,
    })
    expect(wallet.prompts).toEqual([])
  })

  test('ends with the moved amounts, and subtracts them from the balances', async () => {
    const mock = createMockService({ creditsCents: 2_000, usdcCents: 500, gasFeeCents: 3 })
    const wallet = createMockWallet()
    const { outcome } = await buy(mock, wallet)
    expect(outcome).toMatchObject({
      kind: 'token',
      target: shop,
      charged: 6_030_000n,
      usdcAmount: 4_000_000n,
      gasFee: 30_000n,
      movements: [
        { direction: 'out', amount: 4_000_000n },
        { direction: 'paid', to: shop, amount: 10_000_000n },
      ],
    })
    expect(await getBalances(mock.client)).toEqual({ credits: { cents: 1_397 }, usdc: { cents: 100 } })
    expect(wallet.prompts.map(({ method }) => method)).toEqual([
      'eth_signTypedData_v4',
      'eth_signTypedData_v4',
    ])
  })

  test('of a mint creates an NFT', async () => {
    const transactionData = safeMint({ to: shop, abi, functionName: 'mint', args: [1n] })
    const { outcome } = await buy(createMockService(), undefined, { transactionData })
    expect(outcome).toMatchObject({
      kind: 'safeMint',
      movements: [
        { direction: 'out' },
        { standard: 'ERC-721', direction: 'in', contract: shop },
        { direction: 'paid' },
      ],
    })
  })

  test('is checked before the click, with a dry run', async () => {
    const { client, chain, pinned } = createMockService()
    const transactionData = normal({ to: shop, abi, functionName: 'mint', args: [1n] })
    const options = { ...toShop, transactionData, pinned, publicClient: chain, dryRun: chain }
    expect(await checkRedeem(client, options)).toMatchObject({
      state: 'ready',
      hasCode: false,
      prepared: { findings: [] },
    })
  })

  test('of a smart account uses ERC-1271', async () => {
    const mock = createMockService({ smartAccounts: true })
    expect((await buy(mock)).outcome).toMatchObject({ charged: 6_030_000n })
    const sent = mock.asked.find(({ call }) => call === 'sendGaslessTx')
    expect(sent?.body).toMatchObject({ signedMessages: { customerUsdcAuthDataV2: {} } })
  })

  test('is executed once, however often it is sent', async () => {
    const mock = createMockService({ faults: { sendGaslessTx: ['lost'] }, minesAfterMs: 50 })
    expect((await buy(mock)).outcome).toMatchObject({ charged: 6_030_000n })
    expect((await getBalances(mock.client)).credits).toEqual({ cents: 100_000 - 603 })
  })

  test('is prepared again when the fee has changed', async () => {
    const mock = createMockService({ gasFeeCents: 3, laterGasFeeCents: 4 })
    const wallet = createMockWallet()
    expect((await buy(mock, wallet)).outcome).toMatchObject({ charged: 6_040_000n })
    expect(wallet.prompts).toHaveLength(4)
  })

  test('that was mined is found by its nonce', async () => {
    const mock = createMockService()
    const { outcome: _, hash: __, ...key } = await buy(mock)
    expect(await findRedeem(mock.chain, key)).toMatchObject({ state: 'redeemed' })
  })
})

describe('a setting causes the error that a page would get', () => {
  test.each([
    ['too few credits', { creditsCents: 100 }, 'InsufficientFundsError'],
    ['too little USDC', { usdcCents: 100 }, 'InsufficientFundsError'],
    ['a fee above the pinned maximum', { gasFeeCents: 101 }, 'GasFeeTooHighError'],
    ['an unreachable service', { offline: true }, 'ServiceUnreachableError'],
    ['a chain that cannot be read', { chain: 'fails' as const }, 'ChainReadError'],
    ['a chain that reverts', { chain: 'reverts' as const }, 'RedeemRevertedError'],
    ['a chain that waits', { chain: 'waits' as const }, 'RedeemTimeoutError'],
    ['a wallet that is not signed in', { needsSignIn: true }, 'UnauthenticatedError'],
    ['a permit that expires too soon', { permitSeconds: 20 }, 'ExpiredError'],
  ])('%s', async (_, settings, name) => {
    expect(
      await failure(
        buy(createMockService(settings), undefined, {
          timeoutMs: name === 'RedeemTimeoutError' ? 200 : 5_000,
        }),
      ),
    ).toMatchObject({
      name,
    })
  })

  test.each(Object.entries(wireErrors))('the wire error %s', async (code, { name, status }) => {
    const mock = createMockService({ faults: { getAuthMessage: code as keyof typeof wireErrors } })
    const client = mock.client.with({ retry: false })
    expect(await failure(getAuthMessage(client))).toMatchObject({ name, code, status })
  })

  test('a rejected first and a rejected second prompt', async () => {
    const no = createMockWallet({ prompts: 'reject' })
    expect(await failure(buy(createMockService(), no))).toMatchObject({ name: 'UserRejectedError' })
    const second = createMockWallet({ prompts: ['approve', 'reject'] })
    expect(await failure(buy(createMockService(), second))).toMatchObject({ name: 'UserRejectedError' })
    expect([no.prompts.length, second.prompts.length]).toEqual([1, 2])
  })

  test('another account, and another chain', async () => {
    const { wallet } = createMockService().client
    const other = createMockWallet({ otherAccount: true })
    expect(other.address).not.toBe(wallet)
    expect(await failure(buy(createMockService(), other))).toMatchObject({ name: 'WrongSignerError' })
    const away = createMockWallet({ chainId: 1 })
    expect(await failure(buy(createMockService(), away))).toMatchObject({ name: 'WrongNetworkError' })
  })

  test("a response that hangs ends at the client's timeout", async () => {
    const { client } = createMockService({ faults: { getBalances: 'hangs' } })
    const patient = client.with({ timeoutMs: 10, retry: false })
    expect(await failure(getBalances(patient))).toMatchObject({ name: 'ServiceTimeoutError' })
  })
})

describe('the service rejects what the sandbox rejects', () => {
  const submit = async (change: (body: Record<string, unknown>) => object, settings: object = {}) => {
    const mock = createMockService(settings)
    let answer: Response | undefined
    const client = mock.client.with({
      fetch: async (url, init) => {
        if (!url.endsWith('sendGaslessTx')) return mock.fetch(url, init)
        answer = await mock.fetch(url, {
          ...init,
          body: JSON.stringify(change(JSON.parse(String(init.body)))),
        })
        return answer.clone()
      },
    })
    await failure(buy({ ...mock, client }, undefined, { publicClient: undefined }))
    return parseRecord(errorBody, await answer?.json()).code
  }

  test.each([
    ['another purchase', (body: object) => ({ ...body, subtotal: { cents: 999 } }), 'INTENT_MISMATCH'],
    ['an unknown nonce', (body: object) => ({ ...body, nonce: `0x${'12'.repeat(32)}` }), 'UNKNOWN_NONCE'],
    ['a permit for more', (body: object) => ({ ...body, creditsRawAmount: 9_000_000 }), 'INVALID_PERMIT'],
    ['a permit for less', (body: object) => ({ ...body, creditsRawAmount: 1 }), 'EXCEEDS_AUTHORIZED'],
    ['an expired permit', (body: object) => ({ ...body, validBefore: '1' }), 'PERMIT_EXPIRED'],
    ['an unknown field', (body: object) => ({ ...body, price: 1 }), 'INVALID_REQUEST'],
    [
      'no USDC authorization',
      (body: Record<string, unknown>) => ({
        ...body,
        signedMessages: { permitCredits: Object(body.signedMessages).permitCredits },
      }),
      'INVALID_USDC_AUTHORIZATION',
    ],
  ])('%s', async (_, change, code) => {
    expect(await submit(change)).toBe(code)
  })
})

describe('every response', () => {
  test('matches its schema', async () => {
    const mock = createMockService()
    const found = new Map<string, unknown>()
    await callEverything(mock, async (url, init) => {
      const response = await mock.fetch(url, init)
      const asked = mock.asked.at(-1)
      if (asked !== undefined) found.set(asked.call, await response.clone().json())
      return response
    })
    for (const id of mockCalls) {
      const answer = endpoints.find((endpoint) => endpoint.id === id)?.answer
      if (answer === undefined) throw new Error(`There is no endpoint ${id}.`)
      expect(() => parseRecord(answer, found.get(id)), id).not.toThrow()
    }
  })
})

test('a login signs a wallet in', async () => {
  const mock = createMockService({ needsSignIn: true })
  const signer = createMockWallet()
  await login(mock.client, { adapter: evmAdapter({ signer, blockchain: 'base', environment: 'sandbox' }) })
  expect((await buy(mock, signer)).outcome).toBeDefined()
})

test('bought credits are in the balance, and the purchase is listed', async () => {
  const mock = createMockService({ creditsCents: 0 })
  const { client } = mock
  await savedCardCheckout(client, {
    subtotal: { cents: 500 },
    settlementType: 'Credits',
    token: 'mock-card-1',
  })
  expect((await getBalances(client)).credits.cents).toBe(500)
  const { paymentId } = await pixCheckout(client, {
    subtotal: { cents: 100, currency: 'BRL' },
    email: 'a@b.example',
  })
  mock.movePayment(paymentId, 'settled')
  expect((await getPurchases(client)).purchases).toMatchObject([
    { paymentId, rail: 'pix', status: 'settled', total: { cents: 101, currency: 'BRL' } },
    { rail: 'card', status: 'settled', total: { cents: 515, currency: 'USD' } },
  ])
})

test('a permit that its wallet canceled cannot pay', async () => {
  const mock = createMockService({ chain: 'waits' })
  const options = { purchaseId: 'order 7', timeoutMs: 50 }
  expect(await failure(buy(mock, undefined, options))).toMatchObject({ name: 'RedeemTimeoutError' })
  const { nonce } = Object(mock.asked.at(-1)?.body)
  const wallet = createMockWallet({ chain: mock.chain })
  const args = [wallet.address, nonce, '0x'] as const
  const data = encodeFunctionData({ abi: cancelAbi, args })
  const call = { to: mock.pinned.creditsContract, data }
  const hash = await wallet.request({ method: 'eth_sendTransaction', params: [call] })
  const receipt = { method: 'eth_getTransactionReceipt', params: [hash] }
  expect(await mock.chain.request(receipt)).toMatchObject({ status: '0x1' })
  expect(await failure(buy(mock, undefined, options))).toMatchObject({ name: 'RedeemCancelledError' })
})

test('an expired permit reverts', async () => {
  let time = Date.now()
  const mock = createMockService({ chain: 'waits', now: () => time })
  expect(await failure(buy(mock, undefined, { timeoutMs: 50 }))).toMatchObject({ name: 'RedeemTimeoutError' })
  time += 3_600_000
  mock.change({ chain: 'mines' })
  expect(await getBalances(mock.client)).toMatchObject({ credits: { cents: 100_000 } })
  const { nonce } = Object(mock.asked.find(({ call }) => call === 'sendGaslessTx')?.body)
  const { creditsContract, chainId } = mock.pinned
  const key = { wallet: createMockWallet().address, nonce, creditsContract, chainId }
  expect(await findRedeem(mock.chain, key)).toMatchObject({ state: 'unused' })
})

test('a late cancellation does not undo a mined redeem', async () => {
  const mock = createMockService()
  const { nonce } = await buy(mock)
  const wallet = createMockWallet({ chain: mock.chain })
  const args = [wallet.address, nonce, '0x'] as const
  const call = { to: mock.pinned.creditsContract, data: encodeFunctionData({ abi: cancelAbi, args }) }
  await wallet.request({ method: 'eth_sendTransaction', params: [call] })
  const { creditsContract, chainId } = mock.pinned
  const key = { wallet: wallet.address, nonce, creditsContract, chainId }
  expect(await findRedeem(mock.chain, key)).toMatchObject({ state: 'redeemed' })
})

test('changes of balances apply, and undefined keeps a balance', async () => {
  const mock = createMockService({ creditsCents: 2_000, usdcCents: 500 })
  await buy(mock)
  expect((await getBalances(mock.client)).usdc.cents).toBe(100)
  mock.change({ creditsCents: undefined, usdcCents: 700 })
  expect(await getBalances(mock.client)).toMatchObject({ credits: { cents: 2_000 }, usdc: { cents: 700 } })
})

test('changes stay in effect for later calls', async () => {
  const mock = createMockService()
  mock.change({ creditsCents: 7 })
  expect((await getBalances(mock.client)).credits.cents).toBe(7)
  mock.change({ offline: true })
  expect(await failure(getBalances(mock.client))).toMatchObject({ name: 'ServiceUnreachableError' })
  expect(await failure(mock.chain.request({ method: 'eth_chainId' }))).toMatchObject({ code: -32603 })
})

test('a misspelled option is an error', () => {
  expect(() => createMockService({ credits: 5 } as object)).toThrow('credits')
  expect(() => createMockService().change({ ofline: true } as object)).toThrow('ofline')
  expect(() => createMockWallet({ prompt: 'sign' } as object)).toThrow('prompt')
})

afterEach(() => {
  // The mocks add no global variable to the page.
  expect(Object.keys(globalThis).filter((key) => /mock/i.test(key))).toEqual([])
})

/** Makes every call of a page, to the service and to its own server, with the given `fetch`. */
async function callEverything(mock: MockService, fetch: MockFetch): Promise<void> {
  const client = mock.client.with({ fetch })
  const order = { subtotal: { cents: 1000, currency: 'USD' as const } }
  await fetch('/calls/getSessionKey')
  await fetch('/calls/mobileAppCheckout', { method: 'POST', body: JSON.stringify(order) })
  await getAuthMessage(client)
  await verifyAuth(client, { signedMessage: 'signed' })
  await getBalances(client)
  await getContractAddress(client)
  await usdcAuthorizationMessage(client, { amount: { cents: 100 } })
  await getTotals(client, order)
  await cardCheckout(client, { ...order, card: { cardToken: 'token' } })
  await savedCardCheckout(client, { ...order, token: 'mock-card-1' })
  await zeroAuthorization(client, { card: { cardToken: 'token' } })
  await wireTokenCheckout(client, { ...order, token: 'account' })
  await pixCheckout(client, { ...order, email: 'ana@shop.example' })
  await getSavedCards(client)
  await getPurchases(client)
  await getPlans(client)
  await purchaseSubscription(client, { planCode: 'monthly', token: 'mock-card-1' })
  await redeem(client, {
    signer: createMockWallet(),
    publicClient: mock.chain,
    pinned: mock.pinned,
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  })
}
