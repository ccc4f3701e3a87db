import { Asset, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signTransaction, usdcAccount, usdcTransfer } from '../../../src/redeemkit/stellar/index.ts'
import { networkName, openNetwork, usdcTest } from './openNetwork.ts'

const environment = 'sandbox'
const one = 10_000_000n
let on: Awaited<ReturnType<typeof openNetwork>>

beforeAll(async () => {
  on = await openNetwork()
})
afterAll(() => on.stop())

type Built = { transaction: string; expected: Parameters<typeof signTransaction>[1]['expected'] }

/** Signs with all keys in this order, and submits. */
async function land({ transaction, expected }: Built, keys: readonly Keypair[]): Promise<string> {
  let signed = transaction
  for (const key of keys) signed = await signTransaction(key, { transaction: signed, expected, environment })
  return on.submit(TransactionBuilder.fromXDR(signed, on.network.networkPassphrase))
}
async function welcome(customer: Keypair, sponsor: Keypair, validForSeconds?: number): Promise<Built> {
  const [from, pays] = [customer.publicKey(), sponsor.publicKey()]
  const built = await usdcAccount(on.server, { environment, from, sponsor: pays, validForSeconds })
  if (built === undefined) throw new Error('No transaction was built.')
  return built
}
/** Returns the number of reserves that an account sponsors. */
const keptBy = async (key: Keypair) => {
  const ext = (await on.server.getAccountEntry(key.publicKey())).ext()
  return ext.switch() === 0 || ext.v1().ext().switch() === 0 ? 0 : ext.v1().ext().v2().numSponsoring()
}

describe(`usdcAccount on ${networkName}`, () => {
  usdcTest('a customer without XLM gets an account, receives USDC and pays with it', async () => {
    const [sponsor, payer, merchant] = [await on.funded(), await on.withUsdc('10'), await on.withUsdc('0')]
    const customer = Keypair.random()
    expect(await land(await welcome(customer, sponsor), [customer, sponsor])).toBe('SUCCESS')
    const account = await on.server.getAccountEntry(customer.publicKey())
    expect(account.balance().toString()).toBe('0')
    expect(await keptBy(sponsor)).toBe(3)

    const [from, to, pays] = [customer, merchant, sponsor].map((key) => key.publicKey()) as [
      string,
      string,
      string,
    ] // The result has as many elements as the argument.
    const topUp = await usdcTransfer(on.server, {
      environment,
      from: payer.publicKey(),
      to: from,
      amount: 7n * one,
    })
    expect(await land(topUp, [payer])).toBe('SUCCESS')
    const payment = await usdcTransfer(on.server, { environment, from, to, amount: 4n * one, sponsor: pays })
    expect(await land(payment, [customer, sponsor])).toBe('SUCCESS')
    expect([await on.usdcOf(from), await on.usdcOf(to)]).toEqual([3n * one, 4n * one])
    expect((await on.server.getAccountEntry(from)).balance().toString()).toBe('0')
  })
  test('an existing account gets only the trustline; the sponsor signs first', async () => {
    const [sponsor, customer] = [await on.funded(), await on.funded()]
    const built = await welcome(customer, sponsor)
    expect(built.expected).toMatchObject({ creates: false })
    expect(await land(built, [sponsor, customer])).toBe('SUCCESS')
    expect(await keptBy(sponsor)).toBe(1)
  })
  test('builds nothing for an account with a trustline, and applies a transaction once', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    const [built, again] = [await welcome(customer, sponsor), await welcome(customer, sponsor, 200)]
    expect(await land(built, [customer, sponsor])).toBe('SUCCESS')
    const asked = { environment, from: customer.publicKey(), sponsor: sponsor.publicKey() } as const
    expect(await usdcAccount(on.server, asked)).toBeUndefined()
    expect(await land(again, [customer, sponsor])).toBe('txBadSeq')
    expect(await keptBy(sponsor)).toBe(3)
  })
  test('a sponsor without enough XLM is an error before signing', async () => {
    const [rich, poor, customer] = [await on.funded(), Keypair.random(), Keypair.random()]
    // 1 XLM for the sponsor, 1.5 XLM for the customer, and the fee of four operations, minus one stroop.
    const start = Operation.createAccount({ destination: poor.publicKey(), startingBalance: '2.5000399' })
    const created = await on.draft(rich.publicKey(), [start])
    created.sign(rich)
    expect(await on.submit(created)).toBe('SUCCESS')
    await expect(welcome(customer, poor)).rejects.toMatchObject({
      name: 'MissingReserveError',
      field: 'sponsor',
    })
    const more = await on.draft(rich.publicKey(), [
      Operation.payment({ destination: poor.publicKey(), asset: Asset.native(), amount: '0.0000001' }),
    ])
    more.sign(rich)
    expect(await on.submit(more)).toBe('SUCCESS')
    expect(await land(await welcome(customer, poor), [customer, poor])).toBe('SUCCESS')
    await expect(welcome(Keypair.random(), poor)).rejects.toMatchObject({ name: 'MissingReserveError' })
  })
  test('an account cannot sponsor itself', async () => {
    const customer = await on.funded()
    await expect(welcome(customer, customer)).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
})

describe('a customer without XLM', () => {
  let usdc: Asset

  beforeAll(() => {
    usdc = new Asset(on.network.usdc.code, on.network.usdc.issuer)
  })

  /** Creates a customer's account and trustline without XLM; the sponsor provides the reserves (CAP-33). */
  function onboarding(customer: Keypair): xdr.Operation[] {
    const source = customer.publicKey()
    return [
      Operation.beginSponsoringFutureReserves({ sponsoredId: source }),
      Operation.createAccount({ destination: source, startingBalance: '0' }),
      Operation.changeTrust({ asset: usdc, source }),
      Operation.endSponsoringFutureReserves({ source }),
    ]
  }
  async function submit(
    keys: readonly [Keypair, ...Keypair[]],
    operations: xdr.Operation[],
  ): Promise<string> {
    const transaction = await on.draft(keys[0].publicKey(), operations, { fee: '1000' })
    transaction.sign(...keys)
    return on.submit(transaction)
  }
  /** Returns the code of the first failed operation. */
  async function failure(keys: readonly [Keypair, ...Keypair[]], operations: xdr.Operation[]) {
    const transaction = await on.draft(keys[0].publicKey(), operations, { fee: '1000' })
    transaction.sign(...keys)
    const sent = await on.server.sendTransaction(transaction)
    await on.statusOf(sent.hash)
    const included = await on.server.getTransaction(sent.hash)
    if (included.status !== 'FAILED') throw new Error(included.status)
    const names = included.resultXdr
      .result()
      .results()
      .flatMap((result) => (result.switch().name === 'opInner' ? [result.tr().value().switch().name] : []))
    return names.find((name) => !name.endsWith('Success'))
  }

  describe(`a customer without XLM on ${networkName}`, () => {
    test('is created with a trustline and sponsored reserves', async () => {
      const [sponsor, customer] = [await on.funded(), Keypair.random()]
      expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
      const account = await on.server.getAccountEntry(customer.publicKey())
      expect(account.balance().toString()).toBe('0')
      expect(account.ext().v1().ext().v2().numSponsored()).toBe(3)
      expect((await on.server.getTrustline(customer.publicKey(), usdc)).balance().toString()).toBe('0')
      const keeper = await on.server.getAccountEntry(sponsor.publicKey())
      expect(keeper.ext().v1().ext().v2().numSponsoring()).toBe(3)
    })
    test("is not created without the customer's signature", async () => {
      const [sponsor, customer] = [await on.funded(), Keypair.random()]
      expect(await submit([sponsor], onboarding(customer))).toBe('txFailed')
      await expect(on.server.getAccount(customer.publicKey())).rejects.toThrow()
    })
    test('needs XLM for the reserve without a sponsor', async () => {
      const [sponsor, customer] = [await on.funded(), Keypair.random()]
      const create = Operation.createAccount({ destination: customer.publicKey(), startingBalance: '0' })
      expect(await submit([sponsor], [create])).toBe('createAccountLowReserve')
    })
    test('is not created if the sponsorship is not ended', async () => {
      const [sponsor, customer] = [await on.funded(), Keypair.random()]
      const [begin, create, trust] = onboarding(customer)
      if (begin === undefined || create === undefined || trust === undefined)
        throw new Error('An operation is missing.')
      expect(await submit([sponsor, customer], [begin, create, trust])).toBe('txBadSponsorship')
      await expect(on.server.getAccount(customer.publicKey())).rejects.toThrow()
    })
    test('is not created if the sponsor lacks the reserves', async () => {
      const [rich, poor, customer] = [await on.funded(), Keypair.random(), Keypair.random()]
      const start = Operation.createAccount({ destination: poor.publicKey(), startingBalance: '1.9' })
      expect(await submit([rich], [start])).toBe('SUCCESS')
      expect(await failure([poor, customer], onboarding(customer))).toBe('createAccountLowReserve')
    })
    test('a sponsor cannot spend the XLM that backs sponsored reserves', async () => {
      const [rich, sponsor, customer] = [await on.funded(), Keypair.random(), Keypair.random()]
      const start = Operation.createAccount({ destination: sponsor.publicKey(), startingBalance: '3' })
      expect(await submit([rich], [start])).toBe('SUCCESS')
      expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
      const away = Operation.payment({ destination: rich.publicKey(), asset: Asset.native(), amount: '1' })
      expect(await submit([sponsor], [away])).toBe('paymentUnderfunded')
    })
    test('removing a trustline returns its reserve to the sponsor', async () => {
      const [sponsor, customer] = [await on.funded(), Keypair.random()]
      expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
      const remove = Operation.changeTrust({ asset: usdc, limit: '0', source: customer.publicKey() })
      expect(await submit([sponsor, customer], [remove])).toBe('SUCCESS')
      const keeper = await on.server.getAccountEntry(sponsor.publicKey())
      expect(keeper.ext().v1().ext().v2().numSponsoring()).toBe(2)
    })
    test('a sponsored account cannot sponsor', async () => {
      const [sponsor, other, third] = [await on.funded(), await on.funded(), await on.funded()]
      const operations = [
        Operation.beginSponsoringFutureReserves({ sponsoredId: other.publicKey() }),
        Operation.beginSponsoringFutureReserves({
          sponsoredId: third.publicKey(),
          source: other.publicKey(),
        }),
      ]
      expect(await failure([sponsor, other], operations)).toBe('beginSponsoringFutureReservesRecursive')
    })
    test('a sponsor cannot be sponsored', async () => {
      const [sponsor, other, third] = [await on.funded(), await on.funded(), await on.funded()]
      const operations = [
        Operation.beginSponsoringFutureReserves({
          sponsoredId: third.publicKey(),
          source: other.publicKey(),
        }),
        Operation.beginSponsoringFutureReserves({ sponsoredId: other.publicKey() }),
      ]
      expect(await failure([sponsor, other], operations)).toBe('beginSponsoringFutureReservesRecursive')
    })
    test('an account without a sponsor cannot end a sponsorship', async () => {
      const sponsor = await on.funded()
      expect(await submit([sponsor], [Operation.endSponsoringFutureReserves({})])).toBe(
        'endSponsoringFutureReservesNotSponsored',
      )
    })
  })
})
