import {
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf, signTransaction, usdcTransfer } from '../../src/redeemkit/stellar/index.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'

const network = networkOf('sandbox')
const { networkPassphrase } = network
const one = 10_000_000n
const begin = 1_800_000_000

let seconds = begin
let stellar: startStellar.ReturnType
let server: rpc.Server

beforeAll(async () => {
  stellar = await startStellar({ now: () => seconds * 1000, applyAfterMs: 60_000 })
  server = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
})
afterAll(() => stellar.stop())

function funded(options: { usdc?: bigint } = {}): Keypair {
  const key = Keypair.random()
  stellar.fund({ address: key.publicKey(), ...options })
  return key
}
async function draft(
  from: Keypair,
  operation: xdr.Operation,
  options: Partial<TransactionBuilder.TransactionBuilderOptions> = {},
): Promise<Transaction> {
  const account = await server.getAccount(from.publicKey())
  const timebounds = { minTime: 0, maxTime: 0 }
  return new TransactionBuilder(account, { fee: '100', networkPassphrase, timebounds, ...options })
    .addOperation(operation)
    .build()
}
const payment = (to: Keypair) =>
  Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount: '1' })
async function paid(from: Keypair, options = {}): Promise<Transaction> {
  const transaction = await draft(from, payment(from), options)
  transaction.sign(from)
  return transaction
}
const statusOf = async (transaction: Transaction) =>
  (await server.getTransaction(transaction.hash().toString('hex'))).status

describe('ledgers follow the clock', () => {
  test('one closes every five seconds, each with its time', async () => {
    const before = await server.getLatestLedger()
    seconds += 4
    expect((await server.getLatestLedger()).sequence).toBe(before.sequence)
    seconds += 1
    const after = await server.getLatestLedger()
    expect(after.sequence).toBe(before.sequence + 1)
    expect(Number(after.closeTime)).toBe(Number(before.closeTime) + 5)
  })
  test('a year passes immediately', async () => {
    const { sequence } = await server.getLatestLedger()
    seconds += 365 * 86_400
    expect((await server.getLatestLedger()).sequence).toBe(sequence + (365 * 86_400) / 5)
  })
  test('moving the clock back closes no ledger, and ledger time never decreases', async () => {
    const before = await server.getLatestLedger()
    seconds -= 100
    const after = await server.getLatestLedger()
    expect([after.sequence, after.closeTime]).toEqual([before.sequence, before.closeTime])
    seconds += 100
  })
  test('a submitted transaction is in the next ledger', async () => {
    const transaction = await paid(funded())
    expect((await server.sendTransaction(transaction)).status).toBe('PENDING')
    expect(await statusOf(transaction)).toBe('NOT_FOUND')
    seconds += 5
    expect(await statusOf(transaction)).toBe('SUCCESS')
  })
  test('transactions of several accounts share a ledger, in order', async () => {
    const both = [await paid(funded()), await paid(funded())]
    for (const transaction of both) await server.sendTransaction(transaction)
    stellar.closeLedgers(1)
    const included = await Promise.all(
      both.map((transaction) => server.getTransaction(transaction.hash().toString('hex'))),
    )
    const places = included.map((found) => ('ledger' in found ? [found.ledger, found.applicationOrder] : []))
    expect(places[1]).toEqual([places[0]?.[0], 2])
  })
  test('a transaction that is invalid when its ledger closes is never included', async () => {
    const transaction = await paid(funded(), { timebounds: { minTime: 0, maxTime: seconds + 2 } })
    expect((await server.sendTransaction(transaction)).status).toBe('PENDING')
    seconds += 10
    expect(await statusOf(transaction)).toBe('NOT_FOUND')
  })
})

describe('expiry by ledger', () => {
  test('the authorization of a call expires', async () => {
    const [customer, sponsor] = [funded({ usdc: 10n * one }), funded()]
    const built = await usdcTransfer(server, {
      environment: 'sandbox',
      from: customer.publicKey(),
      to: network.usdc.contract,
      amount: one,
      sponsor: sponsor.publicKey(),
      now: () => seconds * 1000,
    })
    const signed = await signTransaction(customer, {
      ...built,
      environment: 'sandbox',
      now: () => seconds * 1000,
    })
    const transaction = TransactionBuilder.fromXDR(signed, networkPassphrase)
    const simulate = () => server.simulateTransaction(transaction)
    expect(rpc.Api.isSimulationSuccess(await simulate())).toBe(true)
    const { sequence } = await server.getLatestLedger()
    stellar.closeLedgers((built.validUntilLedger ?? 0) - sequence - 1)
    expect(rpc.Api.isSimulationSuccess(await simulate())).toBe(true)
    stellar.closeLedgers(1)
    const over = await simulate()
    expect(rpc.Api.isSimulationError(over) && over.error).toMatch(/signature expired/)
  })
  test('an allowance expires', async () => {
    const [holder, spender] = [funded({ usdc: 10n * one }), funded()]
    const until = (await server.getLatestLedger()).sequence + 10
    const address = (key: Keypair) => nativeToScVal(key.publicKey(), { type: 'address' })
    const call = (functionName: string, args: xdr.ScVal[]) =>
      Operation.invokeContractFunction({ contract: network.usdc.contract, function: functionName, args })
    const amount = nativeToScVal(one, { type: 'i128' })
    const last = nativeToScVal(until, { type: 'u32' })
    const approve = call('approve', [address(holder), address(spender), amount, last])
    const prepared = await server.prepareTransaction(await draft(holder, approve))
    prepared.sign(holder)
    await server.sendTransaction(prepared)
    stellar.closeLedgers(1)
    const allowed = async () => {
      const asked = await server.simulateTransaction(
        await draft(spender, call('allowance', [address(holder), address(spender)])),
      )
      if (!rpc.Api.isSimulationSuccess(asked) || asked.result === undefined) throw new Error('no answer')
      return scValToNative(asked.result.retval)
    }
    // A simulation runs in the ledger after the latest one.
    stellar.closeLedgers(until - 1 - (await server.getLatestLedger()).sequence)
    expect(await allowed()).toBe(one)
    stellar.closeLedgers(1)
    expect(await allowed()).toBe(0n)
  })
})
