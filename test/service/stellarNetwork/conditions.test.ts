import { Asset, type Keypair, Operation, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkName, openNetwork } from './openNetwork.ts'

let on: Awaited<ReturnType<typeof openNetwork>>
let someone: Keypair

beforeAll(async () => {
  on = await openNetwork({ applyAfterMs: 400 })
  someone = await on.funded()
})
afterAll(() => on.stop())

const payment = (amount = '1') =>
  Operation.payment({ destination: someone.publicKey(), asset: Asset.native(), amount })

/** Returns a payment with additional preconditions, signed by its source. */
async function conditioned(
  from: Keypair,
  options: Partial<TransactionBuilder.TransactionBuilderOptions>,
): Promise<Transaction> {
  const transaction = await on.draft(from.publicKey(), [payment()], options)
  transaction.sign(from)
  return transaction
}
/** Returns the same payment with a sequence number that is `by` later than the next. */
async function later(from: Keypair, by: number) {
  const account = await on.server.getAccount(from.publicKey())
  for (let step = 0; step < by; step++) account.incrementSequenceNumber()
  const transaction = new TransactionBuilder(account, {
    fee: '100',
    networkPassphrase: on.network.networkPassphrase,
  })
    .addOperation(payment())
    .setTimeout(120)
    .build()
  transaction.sign(from)
  return transaction
}

describe(`the queue of ${networkName}`, () => {
  test('does not apply a transaction immediately', async () => {
    const { hash: id } = await on.server.sendTransaction(await conditioned(await on.funded(), {}))
    expect((await on.server.getTransaction(id)).status).toBe('NOT_FOUND')
    expect(await on.statusOf(id)).toBe('SUCCESS')
  })
  test('delays a second transaction of the same source', async () => {
    const from = await on.funded()
    const [first, second] = [await later(from, 0), await later(from, 1)]
    const { hash: id } = await on.server.sendTransaction(first)
    expect((await on.server.sendTransaction(second)).status).toBe('TRY_AGAIN_LATER')
    expect(await on.statusOf(id)).toBe('SUCCESS')
    expect(await on.submit(second)).toBe('SUCCESS')
  })
  test('applies a duplicate once', async () => {
    const from = await on.funded()
    const before = await on.server.getAccountEntry(from.publicKey())
    const transaction = await conditioned(from, {})
    const { hash: id } = await on.server.sendTransaction(transaction)
    expect((await on.server.sendTransaction(transaction)).status).toBe('DUPLICATE')
    expect(await on.statusOf(id)).toBe('SUCCESS')
    const after = await on.server.getAccountEntry(from.publicKey())
    const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
    expect(spent).toBe(10_000_100n)
  })
  test('rejects a sequence number below the pending one', async () => {
    const from = await on.funded()
    const stale = await later(from, 0)
    expect(await on.submit(await conditioned(from, { fee: '200' }))).toBe('SUCCESS')
    const { hash: id } = await on.server.sendTransaction(await later(from, 0))
    const refused = await on.server.sendTransaction(stale)
    expect(refused.errorResult?.result().switch().name).toBe('txBadSeq')
    expect(await on.statusOf(id)).toBe('SUCCESS')
  })
  test('requires the payer to cover all of its pending fees', async () => {
    const [sponsor, ...customers] = [await on.funded(), await on.funded(), await on.funded()]
    const bumps = customers.map(async (customer) => {
      const inner = await later(customer, 0)
      const built = TransactionBuilder.buildFeeBumpTransaction(
        sponsor,
        '30000000000',
        inner,
        on.network.networkPassphrase,
      )
      built.sign(sponsor)
      return built
    })
    const [first, second] = await Promise.all(bumps)
    if (first === undefined || second === undefined) throw new Error('Two customers are required.')
    const { hash: id } = await on.server.sendTransaction(first)
    const refused = await on.server.sendTransaction(second)
    expect(refused.errorResult?.result().switch().name).toBe('txInsufficientBalance')
    expect(await on.statusOf(id)).toBe('SUCCESS')
  })
})
