import { createHmac } from 'node:crypto'
import type { xdr } from '@stellar/stellar-sdk'
import { Account, Address, Asset, nativeToScVal, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf } from '../../src/redeemkit/stellar/index.ts'
import { startSandboxStellar } from '../../src/sandbox/chains/stellar/startSandboxStellar.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import { testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import type { Sandbox } from '../../src/sandbox/start/sandbox.ts'
import { openStore, type Store } from '../../src/sandbox/store/openStore.ts'
import { payments, stellarSettlements } from '../../src/sandbox/store/tables/index.ts'
import { type Caller, caller } from './sandboxClient.ts'

const network = networkOf('sandbox')
const key = { authorization: 'sk_test_shop' }
const jwtSecret = 'the secret of the shop, 32 characters'
const amount = 100_000_000n

let chain: Awaited<ReturnType<typeof startSandboxStellar<'alice' | 'bob'>>>
let store: Store
let sandbox: Sandbox
let service: Caller
let shop: string
let sale: { takes: bigint; greedy: boolean }

const open = async () => {
  const made = createSandbox({
    chains: [],
    stellar: chain.service,
    merchants: [{ merchantId: 'shop', apiKey: 'sk_test_shop', jwtSecret, settings: withoutProtection }],
    store: async () => ({ ...store, close: async () => {} }),
  })
  await made.start()
  return made
}

beforeAll(async () => {
  chain = await startSandboxStellar({ names: ['alice', 'bob'] })
  store = await openStore()
  sandbox = await open()
  service = caller(sandbox.app)
  const { paymentSettlement, usdc, accounts } = chain.stellar
  sale = { takes: amount, greedy: false }
  // A shop as deployed on the network, which takes its price from the caller by allowance.
  shop = chain.stellar.declareContract(
    {
      buy(context: BuyContext, buyer: xdr.ScVal) {
        const from = Address.fromString(sale.greedy ? operatorOf() : paymentSettlement).toScVal()
        const price = nativeToScVal(sale.takes, { type: 'i128' })
        const self = Address.fromString(context.self).toScVal()
        const to = Address.fromString(accounts.bob.address).toScVal()
        if (sale.greedy) context.call(usdc.contract, 'transfer', [from, to, price])
        else context.call(usdc.contract, 'transfer_from', [self, from, to, price])
        return buyer
      },
    },
    'a shop',
  )
  await whitelist()
})
afterAll(async () => {
  await sandbox?.stop()
  await store?.close()
  await chain?.stop()
})

/** Whitelists the shop, which also makes the service continue. */
const whitelist = () =>
  service.post('/sandbox/program', { blockchain: 'stellar', programId: shop, approved: true }, key)

type BuyContext = { self: string; call: (contract: string, name: string, args: xdr.ScVal[]) => xdr.ScVal }
const operatorOf = () => chain.stellar.operator

/** Returns a call as a shop's page builds it: unsigned, with the customer as source and any sequence number. */
function envelope(operation: xdr.Operation) {
  return new TransactionBuilder(new Account(chain.stellar.accounts.alice.address, '0'), {
    fee: '100',
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  })
    .addOperation(operation)
    .build()
    .toXDR()
}
const callOf = (contract: string, functionName = 'buy') =>
  envelope(
    Operation.invokeContractFunction({
      contract,
      function: functionName,
      args: [Address.fromString(chain.stellar.accounts.alice.address).toScVal()],
    }),
  )

const payment = (): xdr.Operation =>
  Operation.payment({
    destination: chain.stellar.accounts.bob.address,
    asset: new Asset(network.usdc.code, network.usdc.issuer),
    amount: '10',
  })

async function checkout(carried: object, blockchain = 'stellar') {
  const user = {
    'x-svc-auth-user-id': 'alice',
    'x-svc-auth-wallet': chain.stellar.accounts.alice.address,
    'x-svc-auth-blockchain': blockchain,
  }
  const session = await service.get('/api/auth/session-key', { ...key, ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const cardToken = (await service.post('/api/tokenize', card, key)).body.token
  return service.post(
    '/api/checkout/card/shop',
    { subtotal: { cents: 1000 }, card: { cardToken }, ...carried },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
}
const paymentOf = async (paymentId: string) =>
  (await service.get(`/api/merchant/payments/${paymentId}`, key)).body
async function buy(carried: object) {
  const bought = await checkout(carried)
  expect(bought).toMatchObject({ status: 200 })
  await expect
    .poll(async () => (await paymentOf(bought.body.paymentId)).status, { timeout: 15_000 })
    .not.toBe('authorized')
  return paymentOf(bought.body.paymentId)
}
const usdcOf = (address: string) => chain.stellar.balanceOf(address).usdc ?? 0n
const settled = { status: 'settled', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }

describe('a settled payment on Stellar', () => {
  test('executes the call of stellarTransaction with the service’s USDC', async () => {
    const { alice, bob } = chain.stellar.accounts
    const [before, operator, hers] = [bob.address, operatorOf(), alice.address].map(usdcOf)
    expect(await buy({ stellarTransaction: callOf(shop) })).toMatchObject(settled)
    expect(usdcOf(bob.address) - (before ?? 0n)).toBe(amount)
    expect((operator ?? 0n) - usdcOf(operatorOf())).toBe(amount)
    expect(usdcOf(alice.address)).toBe(hers)
  })

  test('pays a receiver that the merchant signed', async () => {
    const { address } = chain.stellar.accounts.bob
    const before = usdcOf(address)
    expect(await buy({ destinationAuthKey: jwt({ address }) })).toMatchObject(settled)
    expect(usdcOf(address) - before).toBe(amount)
  })

  test('several payments at the same time settle one after another', async () => {
    const before = usdcOf(chain.stellar.accounts.bob.address)
    const all = await Promise.all([1, 2].map(() => buy({ stellarTransaction: callOf(shop) })))
    for (const one of all) expect(one).toMatchObject(settled)
    expect(usdcOf(chain.stellar.accounts.bob.address) - before).toBe(2n * amount)
  })
})

describe('a call that can no longer succeed fails the payment, and nothing moves', () => {
  test.each([
    ['a contract that takes less', { takes: amount - 1n, greedy: false }],
    ['a contract that takes more', { takes: amount + 1n, greedy: false }],
    ['a contract that tries to take the operator’s own USDC', { takes: 5n, greedy: true }],
  ])('%s', async (_, change) => {
    const [operator, bob] = [usdcOf(operatorOf()), usdcOf(chain.stellar.accounts.bob.address)]
    const answer = await checkout({ stellarTransaction: callOf(shop), authOnly: true })
    sale = change
    const { paymentId } = answer.body
    await store.database.update(payments).set({ authOnly: false }).where(eq(payments.paymentId, paymentId))
    await whitelist()
    await expect.poll(async () => (await paymentOf(paymentId)).status, { timeout: 15_000 }).toBe('failed')
    expect((await paymentOf(paymentId)).error).toMatch(/cannot be settled/)
    sale = { takes: amount, greedy: false }
    expect([usdcOf(operatorOf()), usdcOf(chain.stellar.accounts.bob.address)]).toEqual([operator, bob])
  })
})

test.each(['before', 'after'] as const)(
  'a service stopped %s it sent a journalled settlement settles it once',
  async (when) => {
    const before = usdcOf(chain.stellar.accounts.bob.address)
    const held = await checkout({ stellarTransaction: callOf(shop), authOnly: true })
    const { paymentId } = held.body
    await sandbox.stop()
    await store.database.update(payments).set({ authOnly: false }).where(eq(payments.paymentId, paymentId))
    const { createStellarSettlement } = await import(
      '../../src/sandbox/service/settlement/createStellarSettlement.ts'
    )
    const settlement = createStellarSettlement({
      ...chain.service.settlement,
      rpcUrl: chain.service.rpcUrl,
      environment: 'sandbox',
      now: Date.now,
    })
    const signed = await settlement.prepare({ paymentId, amount, call: settlement.readCall(callOf(shop)) })
    if (signed === undefined) throw new Error('It is settled already.')
    await store.database.insert(stellarSettlements).values({
      ...signed,
      paymentId,
      attempt: 1,
      operator: settlement.operator,
      status: 'journalled',
      createdAt: new Date(),
    })
    if (when === 'after') expect(await settlement.send(signed)).toBe('settled')
    sandbox = await open()
    service = caller(sandbox.app)
    await expect.poll(async () => (await paymentOf(paymentId)).status, { timeout: 15_000 }).toBe('settled')
    expect((await paymentOf(paymentId)).hash).toBe(signed.hash)
    expect(usdcOf(chain.stellar.accounts.bob.address) - before).toBe(amount)
  },
)

describe('refuses before the customer pays:', () => {
  const transactions: Record<string, () => string> = {
    'an invalid transaction': () => 'AAAA',
    'a payment': () => envelope(payment()),
    'a call of USDC itself': () => callOf(network.usdc.contract, 'transfer'),
    'a call of the settlement contract': () => callOf(chain.stellar.paymentSettlement),
  }
  test.each(Object.entries(transactions))('%s', async (_, transaction) => {
    const answer = await checkout({ stellarTransaction: transaction() })
    expect(answer).toMatchObject({ status: 400, body: { issues: ['stellarTransaction'] } })
  })

  test('a contract that is not on the whitelist', async () => {
    const stranger = chain.stellar.declareContract({ buy: () => undefined }, 'a stranger')
    expect(await checkout({ stellarTransaction: callOf(stranger) })).toMatchObject({
      status: 403,
      body: { code: 'NOT_WHITELISTED' },
    })
  })

  test('a call that would fail', async () => {
    const answer = await checkout({ stellarTransaction: callOf(shop, 'sell') })
    expect(answer).toMatchObject({ status: 412, body: { code: 'SIMULATION_FAILED' } })
  })

  test('credits, another chain, and two settlements at the same time', async () => {
    const stellarTransaction = callOf(shop)
    const both = {
      stellarTransaction,
      transactionData: { type: 'token', destination: `0x${'11'.repeat(20)}` },
    }
    expect((await checkout({ stellarTransaction, settlementType: 'Credits' })).status).toBe(400)
    expect((await checkout(both)).status).toBe(400)
    expect((await checkout({ stellarTransaction }, 'base')).status).toBe(400)
  })

  test('a receiver on a chain without settlement', async () => {
    const answer = await checkout({ destinationAuthKey: jwt({ address: `0x${'11'.repeat(20)}` }) })
    expect(answer).toMatchObject({ status: 400, body: { issues: ['destinationAuthKey'] } })
  })
})

test('the service returns the address of the settlement contract', async () => {
  const answer = await service.get('/api/utils/contract-address?blockchain=stellar', {})
  expect(answer.body.address).toBe(chain.stellar.paymentSettlement)
})

/** Creates an HS256 JWT without a library. */
function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', jwtSecret).update(text).digest('base64url')}`
}
