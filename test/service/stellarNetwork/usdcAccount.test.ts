import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
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
/** The number of reserves an account sponsors. */
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
    ] // as many as went in
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
    // 1 XLM for itself, 1.5 XLM for the customer, and the fee of four operations, less one stroop.
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
