import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PGlite } from '@electric-sql/pglite'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { createShop } from '../../examples/merchant-server/createShop.ts'
import { type OrderBook, openOrderBook } from '../../examples/merchant-server/orderBook.ts'
import { orderKey } from '../../src/redeemkit/evm/index.ts'
import type { CreditsAuthMsgBody, SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
import { type RunningSandbox, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { emptyDatabase } from '../setup/emptyDatabase.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  overHttp,
  readCredits,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

/*
 * The server of examples/merchant-server with a real service. The server must fulfil each order once, using only
 * webhooks. A proxy stores every webhook, so that a test decides when, how often and in which order to deliver it.
 */

const webhookSecret = 'whsec_of_a_test'
const dustSeed = 'dust-credits'

type Webhook = {
  type: string
  data: { [field: string]: unknown }
  body: string
  headers: Record<string, string>
}

let sandbox: RunningSandbox
let chain: ReturnType<typeof anvil>
let service: Caller
let postman: Server
let folder: string
let webhooks: Webhook[]

let orders: OrderBook
let shop: ReturnType<typeof createShop>
/** IDs of the shipped orders, in order. */
let sent: string[]
let beforeSending: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-orders-'))
  webhooks = []
  postman = createServer(async (request, response) => {
    const body = await text(request)
    const { type, data } = JSON.parse(body)
    const headers = { 'x-svc-signature': String(request.headers['x-svc-signature']) }
    webhooks.push({ type, data, body, headers })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => postman.listen(0, '127.0.0.1', resolve))
  const to = {
    settings: withoutProtection,
    webhookSecret,
    webhookUrl: `http://127.0.0.1:${(postman.address() as AddressInfo).port}`,
  }
  sandbox = await startSandbox({
    ...to,
    bridge: false,
    rateLimit: false,
    enforceCheckoutJwt: true,
    // This service sends webhooks to the same URL, so the shop receives events of another credit seed.
    merchants: [{ merchantId: 'dust-shop', creditSeed: dustSeed, ...to }],
  })
  chain = anvil(base().rpcUrl)
  service = caller(overHttp(sandbox.url))
  await start({ isNew: true })
})
afterAll(async () => {
  await orders?.close()
  await sandbox?.stop()
  postman?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  webhooks.length = 0
  sent = []
  beforeSending = async () => {}
})

const base = () => sandbox.chains.base ?? expect.fail()
const receiver = () => sandbox.accounts.carol.address

/** Starts the shop's server as a new process would, on the existing database. */
async function start({ isNew = false } = {}): Promise<void> {
  const at = join(folder, 'orders')
  const { chainId, creditsContract } = base()
  const { merchantId, apiKey, creditSeed, accounts } = sandbox
  orders = await openOrderBook({
    database: await (isNew ? emptyDatabase(at) : PGlite.create(at)),
    merchantId,
    accepted: [{ chainId, creditsContract, creditSeed }],
    refundFrom: 1_000_000n,
  })
  shop = createShop({
    baseUrl: sandbox.url,
    merchantId,
    apiKey,
    webhookSecret,
    wallets: { alice: accounts.alice.address },
    receiver: receiver(),
    orders,
    fulfil: async ({ id }) => {
      await beforeSending()
      sent.push(id)
    },
    log: () => {},
  })
}

async function restart(): Promise<void> {
  await orders.close()
  await start()
}

async function login(): Promise<Record<string, string>> {
  const answer = await shop.app.request('/login/alice', { method: 'POST' })
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', 'content-type': 'application/json' }
}

/** Alice orders a cap for $25.00. */
async function order(): Promise<string> {
  const body = JSON.stringify({ item: 'cap' })
  const answer = await shop.app.request('/orders', { method: 'POST', headers: await login(), body })
  return (await answer.json()).id
}

const stateOf = async (id: string) => (await orders.find(id))?.state

/** Returns a wallet with credits of a seed. */
async function wallet({ creditSeed = sandbox.creditSeed } = {}): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await sandbox.mintCredits({ wallet: account.address, cents: 10_000, creditSeed })
  return account
}

const creditsOf = ({ address }: PrivateKeyAccount) => readCredits(base(), sandbox.creditSeed, address)

/** Signs a redeem of 25.00 for an order without redeemkit, as another client would. */
async function sign(
  account: PrivateKeyAccount,
  change: Partial<CreditsAuthMsgBody>,
): Promise<SendGaslessTxBody> {
  const request: CreditsAuthMsgBody = {
    merchantId: sandbox.merchantId,
    subtotal: { cents: 2500 },
    transactionData: { type: 'token', destination: receiver() },
    ...change,
  }
  const body = await signedBody(service, { request, key: account })
  const { merchantId, subtotal, transactionData, signedMessages, validBefore, nonce, creditsRawAmount } = body
  return { merchantId, subtotal, transactionData, signedMessages, validBefore, nonce, creditsRawAmount }
}

/** Pays for an order through the service, and returns the webhook that reports the payment. */
async function pay(account: PrivateKeyAccount, change: Partial<CreditsAuthMsgBody>): Promise<Webhook> {
  const body = await sign(account, change)
  const { status } = await service.post(sendGaslessTxPath, body, customer(account.address))
  expect(status).toBe(200)
  return webhookOf('redeem.redeemed', ({ nonce }) => nonce === body.nonce)
}

async function webhookOf(type: string, fits: (data: Webhook['data']) => boolean): Promise<Webhook> {
  const find = () => webhooks.find((one) => one.type === type && fits(one.data))
  await expect.poll(find, { timeout: 20_000 }).toBeDefined()
  return find() ?? expect.fail()
}

/** Delivers webhooks to the shop one after another, and waits until the shop has processed them. */
async function deliver(...delivered: Webhook[]): Promise<void> {
  for (const { body, headers } of delivered) {
    const { status } = await shop.app.request('/webhooks', { method: 'POST', body, headers })
    expect(status).toBe(204)
  }
  await shop.work()
}

/** Waits until the service has minted a refund for a wallet, and expects no second refund. */
async function expectRefunded(account: PrivateKeyAccount, before: bigint, refund: bigint): Promise<void> {
  await expect.poll(() => creditsOf(account), { timeout: 20_000 }).toBe(before + refund)
  // A second mint would follow immediately.
  await shop.work()
  await webhookOf(
    'credits.minted',
    (data) => String(data.wallet).toLowerCase() === account.address.toLowerCase(),
  )
  expect(await creditsOf(account)).toBe(before + refund)
  expect(webhooks.filter(({ type }) => type === 'credits.minted')).toHaveLength(1)
}

test('two wallets pay for one order: it is fulfilled once, and the second wallet is refunded', async () => {
  const id = await order()
  const [alice, bob] = [await wallet(), await wallet()]
  const first = await pay(alice, { purchaseId: id })
  const second = await pay(bob, { purchaseId: id })
  expect(second.data).toMatchObject({ orderKey: first.data.orderKey, purchaseId: id })
  const [aliceHas, bobHas] = [await creditsOf(alice), await creditsOf(bob)]
  webhooks.length = 0
  await deliver(first, second, second, first)
  expect(sent).toEqual([id])
  expect(await stateOf(id)).toBe('fulfilled')
  await expectRefunded(bob, bobHas, 25_000_000n)
  expect(await creditsOf(alice)).toBe(aliceHas)
})

test('duplicate webhooks, in any order and across a restart, change nothing', async () => {
  const id = await order()
  const [alice, bob] = [await wallet(), await wallet()]
  await pay(alice, { purchaseId: id, webhookInfo: { orderId: 'a lie' } })
  await pay(bob, { purchaseId: id })
  await webhookOf('redeem.sent', ({ wallet }) => wallet === bob.address)
  const all = [...webhooks]
  const before = { alice: await creditsOf(alice), bob: await creditsOf(bob) }
  webhooks.length = 0
  await deliver(...[...all].reverse(), ...all)
  await restart()
  await deliver(...all, ...[...all].reverse())
  expect(sent).toEqual([id])
  await expect
    .poll(async () => (await creditsOf(alice)) - before.alice + (await creditsOf(bob)) - before.bob)
    .toBe(25_000_000n)
  await shop.work()
  expect(webhooks.filter(({ type }) => type === 'credits.minted').length).toBeLessThanOrEqual(1)
})

describe('an order is neither closed nor blocked by', () => {
  test('a tiny payment under another seed', async () => {
    const id = await order()
    const mallory = await wallet({ creditSeed: dustSeed })
    const dust = await pay(mallory, {
      merchantId: 'dust-shop',
      orderKey: orderKey({ merchantId: sandbox.merchantId, purchaseId: id }),
    })
    await deliver(dust)
    expect(await stateOf(id)).toBe('open')
    expect(sent).toEqual([])
    await deliver(await pay(await wallet(), { purchaseId: id }))
    expect(sent).toEqual([id])
  })

  test.each([
    ['a cent', 1, false],
    ['99 cents, less than is refunded', 99, false],
    ['a dollar', 100, true],
    ['a price that is a cent too high', 2501, true],
  ])('another amount: %s', async (_, cents, isRefunded) => {
    const id = await order()
    const mallory = await wallet()
    const dust = await pay(mallory, { purchaseId: id, subtotal: { cents } })
    const before = await creditsOf(mallory)
    webhooks.length = 0
    await deliver(dust, dust)
    expect(await stateOf(id)).toBe('open')
    if (isRefunded) await expectRefunded(mallory, before, BigInt(cents) * 10_000n)
    await deliver(await pay(await wallet(), { purchaseId: id }))
    expect(sent).toEqual([id])
    expect(webhooks.filter(({ type }) => type === 'credits.minted')).toHaveLength(isRefunded ? 1 : 0)
  })

  test('a payment to another address under its order key', async () => {
    const id = await order()
    const mallory = await wallet()
    const other = privateKeyToAccount(generatePrivateKey()).address
    const paid = await pay(mallory, {
      purchaseId: id,
      transactionData: { type: 'token', destination: other },
    })
    const before = await creditsOf(mallory)
    await deliver(paid)
    expect(await stateOf(id)).toBe('open')
    expect(sent).toEqual([])
    await deliver(await pay(await wallet(), { purchaseId: id }))
    expect(sent).toEqual([id])
    expect(await creditsOf(mallory)).toBe(before)
  })
})

test('an order whose own wallet used its key for another payment is refunded and replaced', async () => {
  const alice = await wallet()
  const bill = {
    userId: 'alice',
    item: 'bill',
    amount: 25_000_000n,
    redeem: { kind: 'token', receiver: receiver() },
    name: `bill of ${alice.address}`,
    wallet: alice.address,
  }
  const { id } = await orders.draw(bill)
  const other = await pay(alice, { purchaseId: id, subtotal: { cents: 200 } })
  const before = await creditsOf(alice)
  webhooks.length = 0
  await deliver(other)
  expect(await stateOf(id)).toBe('closed')
  await expectRefunded(alice, before, 2_000_000n)
  const next = await orders.draw(bill)
  expect(next.id).not.toBe(id)
  await deliver(await pay(alice, { purchaseId: next.id }))
  expect(sent).toEqual([next.id])
})

test('a redeem relayed by a third party fulfils its order', async () => {
  const id = await order()
  const alice = await wallet()
  const salt: Hex = `0x${'5a'.repeat(32)}`
  const body = await sign(alice, { purchaseId: id, salt })
  const permit = {
    customerWallet: alice.address,
    creditSeed: sandbox.creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce: body.nonce,
    signature: body.signedMessages.permitCredits,
  }
  await chain.send({
    from: privateKeyToAccount(generatePrivateKey()).address,
    to: base().creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'redeemToken',
      args: [permit, 25_000_000n, 0n, salt, receiver()],
    }),
  })
  const webhook = await webhookOf('redeem.redeemed', ({ nonce }) => nonce === body.nonce)
  expect(webhook.data.gasFee).toBe('0')
  await deliver(webhook, webhook)
  expect(sent).toEqual([id])
})

test('a restart between event and fulfillment loses nothing', async () => {
  const id = await order()
  const webhook = await pay(await wallet(), { purchaseId: id })
  beforeSending = async () => {
    throw new Error('killed')
  }
  await deliver(webhook)
  expect([await stateOf(id), sent]).toEqual(['paid', []])
  beforeSending = async () => {}
  await restart()
  await shop.work()
  await shop.work()
  expect([await stateOf(id), sent]).toEqual(['fulfilled', [id]])
})

describe('a card pays for the same order', () => {
  async function payByCard(id: string): Promise<Webhook> {
    const headers = await login()
    const ask = async (call: string, init: RequestInit) =>
      (await shop.app.request(`/api/redeemkit/${call}`, { headers, ...init })).json()
    const { key } = await ask('getSessionKey', {})
    const body = JSON.stringify({ orderId: id })
    const { checkoutJwtToken } = await ask('createCheckoutJwt', { method: 'POST', body })
    const card = { ...testCards.approved, expMonth: '12', expYear: '40' }
    const { body: tokenized } = await service.post('/api/tokenize', card, { authorization: sandbox.apiKey })
    const checkout = {
      subtotal: { cents: 2500, currency: 'USD' },
      jwtToken: checkoutJwtToken,
      card: { cardToken: tokenized.token },
    }
    const path = `/api/checkout/card/${sandbox.merchantId}`
    const answer = await service.post(path, checkout, { 'x-svc-auth-session-key': key })
    expect(answer).toMatchObject({ status: 200 })
    return webhookOf('payment.settled', ({ paymentId }) => paymentId === answer.body.paymentId)
  }

  test('before a wallet does: the wallet is refunded', async () => {
    const id = await order()
    const alice = await wallet()
    const card = await payByCard(id)
    const redeem = await pay(alice, { purchaseId: id })
    const before = await creditsOf(alice)
    webhooks.length = 0
    await deliver(card, redeem, card)
    expect(sent).toEqual([id])
    await expectRefunded(alice, before, 25_000_000n)
  })

  test('after a wallet did: the card is refunded, once', async () => {
    const id = await order()
    const alice = await wallet()
    // The JWT was created while the order was unpaid.
    const card = await payByCard(id)
    const redeem = await pay(alice, { purchaseId: id })
    const before = await creditsOf(alice)
    await deliver(redeem, card, card)
    await restart()
    await deliver(card)
    expect(sent).toEqual([id])
    const { body: payment } = await service.get(`/api/merchant/payments/${card.data.paymentId}`, {
      authorization: sandbox.apiKey,
    })
    expect(payment.refunded).toEqual({ cents: payment.totals.total.cents, currency: 'USD' })
    expect(await creditsOf(alice)).toBe(before)
  })

  test('but a paid order has no checkout for another customer', async () => {
    const id = await order()
    await deliver(await pay(await wallet(), { purchaseId: id }))
    const body = JSON.stringify({ orderId: id })
    const answer = await shop.app.request('/api/redeemkit/createCheckoutJwt', {
      method: 'POST',
      headers: await login(),
      body,
    })
    expect(answer.status).toBe(403)
  })
})
