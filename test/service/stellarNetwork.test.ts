import {
  Asset,
  BASE_FEE,
  type FeeBumpTransaction,
  Keypair,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleStellarPayment } from '../../src/sandbox/chains/stellar/settleStellarPayment.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'
import { networkOf, signTransaction, usdcTransfer } from '../../src/stellar/index.ts'

/**
 * The same tests on our ledger and, with `STELLAR_RPC_URL`, on a real test network: only what an RPC server can do.
 * Real USDC cannot be made: `STELLAR_USDC_SECRET` is the key of an account that holds some, or those tests are skipped.
 */
const { STELLAR_RPC_URL: realUrl, STELLAR_USDC_SECRET: usdcSecret } = process.env
const canUsdc = realUrl === undefined || usdcSecret !== undefined
const usdcTest = canUsdc ? test : test.skip
const usdcName = (name: string) =>
  canUsdc ? name : `${name} (SKIP: STELLAR_USDC_SECRET is not set, and real USDC cannot be minted)`

const network = networkOf('sandbox')
const usdc = new Asset('USDC', network.usdc.issuer)
const environment = 'sandbox'
let local: Awaited<ReturnType<typeof startStellar>> | undefined
let server: rpc.Server

beforeAll(async () => {
  if (realUrl === undefined) local = await startStellar()
  server = new rpc.Server(realUrl ?? local?.rpcUrl ?? '', { allowHttp: true })
})
afterAll(() => local?.stop())

async function funded(): Promise<Keypair> {
  const key = Keypair.random()
  await server.requestAirdrop(key.publicKey())
  return key
}
async function draft(
  source: string,
  operations: xdr.Operation[],
  maxTime = Math.floor(Date.now() / 1000) + 120,
) {
  const builder = new TransactionBuilder(await server.getAccount(source), {
    fee: BASE_FEE,
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: 0, maxTime },
  })
  for (const operation of operations) builder.addOperation(operation)
  return builder.build()
}
/** Submits and waits: the code of a refusal, or the status. */
async function submit(transaction: Transaction | FeeBumpTransaction): Promise<string | undefined> {
  const sent = await server.sendTransaction(transaction)
  if (sent.status === 'ERROR') return sent.errorResult?.result().switch().name
  return (await server.pollTransaction(sent.hash)).status
}
async function withUsdc(amount: string): Promise<Keypair> {
  const key = await funded()
  const trust = await draft(key.publicKey(), [Operation.changeTrust({ asset: usdc })])
  trust.sign(key)
  expect(await submit(trust)).toBe('SUCCESS')
  if (Number(amount) === 0) return key
  if (local !== undefined) local.fund({ address: key.publicKey(), usdc: BigInt(amount) * 10_000_000n })
  else {
    const holder = Keypair.fromSecret(usdcSecret ?? '')
    const gift = await draft(holder.publicKey(), [
      Operation.payment({ destination: key.publicKey(), asset: usdc, amount }),
    ])
    gift.sign(holder)
    expect(await submit(gift)).toBe('SUCCESS')
  }
  return key
}
const balanceOf = async (address: string) => (await server.getTrustline(address, usdc)).balance().toString()

describe(realUrl === undefined ? 'our Stellar ledger' : `the network behind STELLAR_RPC_URL`, () => {
  test('is the test network', async () => {
    expect((await server.getNetwork()).passphrase).toBe(network.networkPassphrase)
    expect((await server.getHealth()).status).toBe('healthy')
    expect((await server.getLatestLedger()).sequence).toBeGreaterThan(0)
  })
  test('XLM moves, and the same transaction does not move it twice', async () => {
    const [from, to] = [await funded(), await funded()]
    const payment = await draft(from.publicKey(), [
      Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount: '3' }),
    ])
    payment.sign(from)
    expect(await submit(payment)).toBe('SUCCESS')
    expect(['txBadSeq', 'SUCCESS']).toContain(await submit(payment))
    expect((await server.getAccountEntry(to.publicKey())).balance().toString()).toBe(
      String(100_000_000_000n + 30_000_000n),
    )
  })
  test('refuses: no signature, a foreign one, a spare one, past time bounds, a used sequence', async () => {
    const [from, other] = [await funded(), await funded()]
    const payment = () => [
      Operation.payment({ destination: other.publicKey(), asset: Asset.native(), amount: '1' }),
    ]
    const unsigned = await draft(from.publicKey(), payment())
    expect(await submit(unsigned)).toBe('txBadAuth')
    const foreign = await draft(from.publicKey(), payment())
    foreign.sign(other)
    expect(await submit(foreign)).toBe('txBadAuth')
    const spare = await draft(from.publicKey(), payment())
    spare.sign(from, other)
    expect(await submit(spare)).toBe('txBadAuthExtra')
    const late = await draft(from.publicKey(), payment(), 1000)
    late.sign(from)
    expect(await submit(late)).toBe('txTooLate')
    const first = await draft(from.publicKey(), payment())
    const second = await draft(from.publicKey(), [Operation.bumpSequence({ bumpTo: '0' })])
    first.sign(from)
    second.sign(from)
    expect(await submit(first)).toBe('SUCCESS')
    expect(await submit(second)).toBe('txBadSeq')
  })
  test('a payment without a trustline at the receiver is a typed error before anything is signed', async () => {
    const [from, to] = [await withUsdc('0'), await funded()]
    await expect(
      usdcTransfer(server, { environment, from: from.publicKey(), to: to.publicKey(), amount: 1n }),
    ).rejects.toMatchObject({ name: expect.stringMatching(/TrustlineError|InsufficientUsdcError/) })
  })
  test('a fee bump: the sponsor pays, the customer’s sequence moves', async () => {
    const [customer, sponsor] = [await funded(), await funded()]
    const before = await server.getAccountEntry(customer.publicKey())
    const inner = await draft(customer.publicKey(), [Operation.manageData({ name: 'a', value: 'b' })])
    inner.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '500', inner, network.networkPassphrase)
    bump.sign(sponsor)
    expect(await submit(bump)).toBe('SUCCESS')
    const after = await server.getAccountEntry(customer.publicKey())
    expect(after.balance().toString()).toBe(before.balance().toString())
    expect(BigInt(after.seqNum().toString())).toBe(BigInt(before.seqNum().toString()) + 1n)
  })
  usdcTest(usdcName('a sponsored USDC payment, classic'), async () => {
    const [customer, merchant, sponsor] = [await withUsdc('2'), await withUsdc('0'), await funded()]
    const built = await usdcTransfer(server, {
      environment,
      from: customer.publicKey(),
      to: merchant.publicKey(),
      amount: 15_000_000n,
      sponsor: sponsor.publicKey(),
      memo: 'pay_1',
    })
    const transaction = await signTransaction(customer, { ...built, environment })
    await settleStellarPayment(server, { ...built, environment, sponsor, transaction })
    expect(await balanceOf(merchant.publicKey())).toBe('15000000')
    expect(await balanceOf(customer.publicKey())).toBe('5000000')
  })
  usdcTest(usdcName('a sponsored USDC payment to a contract’s address, by authorization entry'), async () => {
    const [customer, sponsor] = [await withUsdc('2'), await funded()]
    const built = await usdcTransfer(server, {
      environment,
      from: customer.publicKey(),
      // Any contract may hold USDC; here it is USDC's own.
      to: network.usdc.contract,
      amount: 15_000_000n,
      sponsor: sponsor.publicKey(),
    })
    const transaction = await signTransaction(customer, { ...built, environment })
    await settleStellarPayment(server, { ...built, environment, sponsor, transaction })
    expect(await balanceOf(customer.publicKey())).toBe('5000000')
  })
})
