import {
  Asset,
  type Keypair,
  Operation,
  SorobanDataBuilder,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressArg, amountArg, networkName, openNetwork } from './openNetwork.ts'

let on: Awaited<ReturnType<typeof openNetwork>>
let xlm: string
let receiver: Keypair

beforeAll(async () => {
  on = await openNetwork()
  xlm = Asset.native().contractId(on.network.networkPassphrase)
  receiver = await on.funded()
})
afterAll(() => on.stop())

/** A simulated transfer by the XLM contract, with changed resources. */
async function transfer(
  change: (data: SorobanDataBuilder, resources: xdr.SorobanResources) => void = () => {},
) {
  const from = await on.funded()
  const { networkPassphrase } = on.network
  const args = [addressArg(from.publicKey()), addressArg(receiver.publicKey()), amountArg(5n)]
  const operation = Operation.invokeContractFunction({ contract: xlm, function: 'transfer', args })
  const prepared = await on.server.prepareTransaction(await on.draft(from.publicKey(), [operation]))
  const declared = prepared.toEnvelope().v1().tx().ext().sorobanData()
  const data = new SorobanDataBuilder(declared)
  change(data, declared.resources())
  const built = TransactionBuilder.cloneFrom(prepared, {
    fee: '2000000',
    sorobanData: data.build(),
    networkPassphrase,
  }).build()
  built.sign(from)
  return { from, built }
}
const submitted = async (change: Parameters<typeof transfer>[0]) => on.submit((await transfer(change)).built)

describe(`declared resources on ${networkName}`, () => {
  test('the simulated resources suffice, and the excess fee is not charged', async () => {
    const { from, built } = await transfer()
    const before = await on.server.getAccountEntry(from.publicKey())
    const sent = await on.server.sendTransaction(built)
    expect(await on.statusOf(sent.hash)).toBe('SUCCESS')
    const included = await on.server.getTransaction(sent.hash)
    if (included.status !== 'SUCCESS') throw new Error('The transaction was not applied.')
    const charged = included.resultXdr.feeCharged().toBigInt()
    const after = await on.server.getAccountEntry(from.publicKey())
    const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
    expect(spent).toBe(charged + 5n)
    expect(charged).toBeLessThan(2_000_000n)
  })
  test('rejects too few read bytes', async () => {
    expect(
      await submitted((data, now) =>
        data.setResources(now.instructions(), now.diskReadBytes() >> 1, now.writeBytes()),
      ),
    ).toBe('invokeHostFunctionResourceLimitExceeded')
  })
  test('rejects too few write bytes', async () => {
    expect(
      await submitted((data, now) =>
        data.setResources(now.instructions(), now.diskReadBytes(), now.writeBytes() >> 1),
      ),
    ).toBe('invokeHostFunctionResourceLimitExceeded')
  })
  test('rejects an entry missing from the footprint', async () => {
    expect(await submitted((data, now) => data.setReadWrite(now.footprint().readWrite().slice(1)))).toBe(
      'invokeHostFunctionTrapped',
    )
  })
  test('rejects a write to a read-only entry', async () => {
    const moved = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
      const [first, ...others] = now.footprint().readWrite()
      if (first === undefined) throw new Error('The call writes no entry.')
      data.setFootprint([...now.footprint().readOnly(), first], others)
    }
    expect(await submitted(moved)).toBe('invokeHostFunctionTrapped')
  })
  test('rejects a duplicate footprint entry', async () => {
    const doubled = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
      const { readOnly, readWrite } = {
        readOnly: now.footprint().readOnly(),
        readWrite: now.footprint().readWrite(),
      }
      data.setFootprint([...readOnly, ...readOnly], readWrite)
    }
    expect(await submitted(doubled)).toBe('txSorobanInvalid')
  })
  test('rejects more instructions than the network limit', async () => {
    expect(
      await submitted((data, now) => data.setResources(4_000_000_000, now.diskReadBytes(), now.writeBytes())),
    ).toBe('txSorobanInvalid')
  })
  test('rejects a resource fee below the declared resources', async () => {
    expect(await submitted((data) => data.setResourceFee(1000))).toBe('txSorobanInvalid')
  })
  test('rejects a resource fee above the total fee', async () => {
    const { from, built } = await transfer()
    const envelope = built.toEnvelope()
    const tx = envelope.v1().tx()
    tx.fee(Number(tx.ext().sorobanData().resourceFee().toBigInt()) - 1)
    envelope.v1().signatures([])
    const changed = new Transaction(envelope, on.network.networkPassphrase)
    changed.sign(from)
    expect(await on.submit(changed)).toBe('txSorobanInvalid')
  })
  test('rejects a call without resources', async () => {
    const from = await on.funded()
    const args = [addressArg(from.publicKey()), addressArg(receiver.publicKey()), amountArg(5n)]
    const operation = Operation.invokeContractFunction({ contract: xlm, function: 'transfer', args })
    const bare = await on.draft(from.publicKey(), [operation])
    bare.sign(from)
    expect(await on.submit(bare)).toBe('txSorobanInvalid')
  })
  test('a call that fails costs its declared resources', async () => {
    const { from, built } = await transfer((data, now) =>
      data.setResources(now.instructions(), now.diskReadBytes(), now.writeBytes() >> 1),
    )
    const before = await on.server.getAccountEntry(from.publicKey())
    const sent = await on.server.sendTransaction(built)
    await on.statusOf(sent.hash)
    const failed = await on.server.getTransaction(sent.hash)
    if (failed.status !== 'FAILED') throw new Error('The transaction did not fail.')
    const after = await on.server.getAccountEntry(from.publicKey())
    const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
    expect(spent).toBe(failed.resultXdr.feeCharged().toBigInt())
    expect(spent).toBeGreaterThan(100n)
  })
})
