import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signTransaction, usdcTransfer } from '../../../src/redeemkit/stellar/index.ts'
import { networkName, openNetwork, usdcTest } from './openNetwork.ts'

const environment = 'sandbox'
let on: Awaited<ReturnType<typeof openNetwork>>

beforeAll(async () => {
  on = await openNetwork()
})
afterAll(() => on.stop())

async function submitSponsored(options: {
  built: usdcTransfer.ReturnType
  customer: Keypair
  sponsor: Keypair
}): Promise<string> {
  const { built, customer, sponsor } = options
  const transaction = await signTransaction(customer, { ...built, environment })
  const signed = await signTransaction(sponsor, { ...built, environment, transaction, client: on.server })
  return on.submit(TransactionBuilder.fromXDR(signed, on.network.networkPassphrase))
}

describe(networkName, () => {
  test('is the test network', async () => {
    expect((await on.server.getNetwork()).passphrase).toBe(on.network.networkPassphrase)
    expect((await on.server.getHealth()).status).toBe('healthy')
    expect((await on.server.getLatestLedger()).sequence).toBeGreaterThan(0)
  })
  test('friendbot funds an account once, with a transaction that can be looked up', async () => {
    const address = Keypair.random().publicKey()
    expect((await on.server.fundAddress(address)).status).toBe('SUCCESS')
    await expect(on.server.fundAddress(address)).rejects.toThrow()
  })
  test('a payment of XLM to oneself needs no balance', async () => {
    const from = await on.funded()
    const payment = await on.draft(from.publicKey(), [
      Operation.payment({ destination: from.publicKey(), asset: Asset.native(), amount: '99999999' }),
    ])
    payment.sign(from)
    expect(await on.submit(payment)).toBe('SUCCESS')
  })
  test('a transaction moves XLM once', async () => {
    const [from, to] = [await on.funded(), await on.funded()]
    const payment = await on.draft(from.publicKey(), [
      Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount: '3' }),
    ])
    payment.sign(from)
    expect(await on.submit(payment)).toBe('SUCCESS')
    expect(['txBadSeq', 'SUCCESS']).toContain(await on.submit(payment))
    expect((await on.server.getAccountEntry(to.publicKey())).balance().toString()).toBe(
      String(100_000_000_000n + 30_000_000n),
    )
  })
  test('rejects missing, foreign and extra signatures, past time bounds and a used sequence number', async () => {
    const [from, other] = [await on.funded(), await on.funded()]
    const payment = () => [
      Operation.payment({ destination: other.publicKey(), asset: Asset.native(), amount: '1' }),
    ]
    const unsigned = await on.draft(from.publicKey(), payment())
    expect(await on.submit(unsigned)).toBe('txBadAuth')
    const foreign = await on.draft(from.publicKey(), payment())
    foreign.sign(other)
    expect(await on.submit(foreign)).toBe('txBadAuth')
    const spare = await on.draft(from.publicKey(), payment())
    spare.sign(from, other)
    expect(await on.submit(spare)).toBe('txBadAuthExtra')
    const late = await on.draft(from.publicKey(), payment(), { timebounds: { minTime: 0, maxTime: 1000 } })
    late.sign(from)
    expect(await on.submit(late)).toBe('txTooLate')
    const first = await on.draft(from.publicKey(), payment())
    const second = await on.draft(from.publicKey(), payment(), { fee: '200' })
    first.sign(from)
    second.sign(from)
    expect(await on.submit(first)).toBe('SUCCESS')
    expect(await on.submit(second)).toBe('txBadSeq')
  })
  test('a receiver without a trustline is a typed error before signing', async () => {
    const [from, to] = [await on.withUsdc('0'), await on.funded()]
    await expect(
      usdcTransfer(on.server, { environment, from: from.publicKey(), to: to.publicKey(), amount: 1n }),
    ).rejects.toMatchObject({ name: expect.stringMatching(/TrustlineError|InsufficientUsdcError/) })
  })
  test('with a fee bump, the sponsor pays and the customer’s sequence number is used', async () => {
    const [customer, sponsor] = [await on.funded(), await on.funded()]
    const before = await on.server.getAccountEntry(customer.publicKey())
    const inner = await on.draft(customer.publicKey(), [
      Operation.payment({ destination: sponsor.publicKey(), asset: Asset.native(), amount: '1' }),
    ])
    inner.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(
      sponsor,
      '500',
      inner,
      on.network.networkPassphrase,
    )
    bump.sign(sponsor)
    expect(await on.submit(bump)).toBe('SUCCESS')
    const after = await on.server.getAccountEntry(customer.publicKey())
    expect(after.balance().toBigInt()).toBe(before.balance().toBigInt() - 10_000_000n)
    expect(BigInt(after.seqNum().toString())).toBe(BigInt(before.seqNum().toString()) + 1n)
  })
  usdcTest('a sponsored USDC payment, classic', async () => {
    const [customer, merchant, sponsor] = [await on.withUsdc('2'), await on.withUsdc('0'), await on.funded()]
    const built = await usdcTransfer(on.server, {
      environment,
      from: customer.publicKey(),
      to: merchant.publicKey(),
      amount: 15_000_000n,
      sponsor: sponsor.publicKey(),
      memo: 'pay_1',
    })
    expect(await submitSponsored({ built, customer, sponsor })).toBe('SUCCESS')
    expect(await on.usdcOf(merchant.publicKey())).toBe(15_000_000n)
    expect(await on.usdcOf(customer.publicKey())).toBe(5_000_000n)
  })
  usdcTest('a sponsored USDC payment to a contract’s address, by authorization entry', async () => {
    const [customer, sponsor] = [await on.withUsdc('2'), await on.funded()]
    const built = await usdcTransfer(on.server, {
      environment,
      from: customer.publicKey(),
      // Any contract may hold USDC; this one is the USDC contract.
      to: on.network.usdc.contract,
      amount: 15_000_000n,
      sponsor: sponsor.publicKey(),
    })
    expect(await submitSponsored({ built, customer, sponsor })).toBe('SUCCESS')
    expect(await on.usdcOf(customer.publicKey())).toBe(5_000_000n)
  })
})
