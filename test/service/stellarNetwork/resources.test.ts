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
import { addressArg, amountArg } from './contractArgs.ts'
import { networkName, openNetwork } from './openNetwork.ts'

let on: Awaited<ReturnType<typeof openNetwork>>
let xlm: string
let receiver: Keypair

beforeAll(async () => {
  on = await openNetwork()
  xlm = Asset.native().contractId(on.network.networkPassphrase)
  receiver = await on.funded()
})
afterAll(() => on.stop())

/** A transfer by XLM's own contract, as simulated; then the declared resources are changed. */
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
  test('those of the simulation are enough, and what is not used comes back', async () => {
    const { from, built } = await transfer()
    const before = await on.server.getAccountEntry(from.publicKey())
    const sent = await on.server.sendTransaction(built)
    expect(await on.landed(sent.hash)).toBe('SUCCESS')
    const landed = await on.server.getTransaction(sent.hash)
    if (landed.status !== 'SUCCESS') throw new Error('not landed')
    const charged = landed.resultXdr.feeCharged().toBigInt()
    const after = await on.server.getAccountEntry(from.publicKey())
    const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
    expect(spent).toBe(charged + 5n)
    expect(charged).toBeLessThan(2_000_000n)
  })
  test('too few bytes to read', async () => {
    expect(
      await submitted((data, now) =>
        data.setResources(now.instructions(), now.diskReadBytes() >> 1, now.writeBytes()),
      ),
    ).toBe('invokeHostFunctionResourceLimitExceeded')
  })
  test('too few bytes to write', async () => {
    expect(
      await submitted((data, now) =>
        data.setResources(now.instructions(), now.diskReadBytes(), now.writeBytes() >> 1),
      ),
    ).toBe('invokeHostFunctionResourceLimitExceeded')
  })
  test('an entry that is missing in the footprint', async () => {
    expect(await submitted((data, now) => data.setReadWrite(now.footprint().readWrite().slice(1)))).toBe(
      'invokeHostFunctionTrapped',
    )
  })
  test('an entry that is written and declared as read only', async () => {
    const moved = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
      const [first, ...others] = now.footprint().readWrite()
      if (first === undefined) throw new Error('nothing written')
      data.setFootprint([...now.footprint().readOnly(), first], others)
    }
    expect(await submitted(moved)).toBe('invokeHostFunctionTrapped')
  })
  test('an entry twice in the footprint', async () => {
    const doubled = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
      const { readOnly, readWrite } = {
        readOnly: now.footprint().readOnly(),
        readWrite: now.footprint().readWrite(),
      }
      data.setFootprint([...readOnly, ...readOnly], readWrite)
    }
    expect(await submitted(doubled)).toBe('txSorobanInvalid')
  })
  test('more instructions than the network allows', async () => {
    expect(
      await submitted((data, now) => data.setResources(4_000_000_000, now.diskReadBytes(), now.writeBytes())),
    ).toBe('txSorobanInvalid')
  })
  test('a resource fee below what is declared', async () => {
    expect(await submitted((data) => data.setResourceFee(1000))).toBe('txSorobanInvalid')
  })
  test('a resource fee above the whole fee', async () => {
    const { from, built } = await transfer()
    const envelope = built.toEnvelope()
    const tx = envelope.v1().tx()
    tx.fee(Number(tx.ext().sorobanData().resourceFee().toBigInt()) - 1)
    envelope.v1().signatures([])
    const changed = new Transaction(envelope, on.network.networkPassphrase)
    changed.sign(from)
    expect(await on.submit(changed)).toBe('txSorobanInvalid')
  })
  test('without any', async () => {
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
    await on.landed(sent.hash)
    const failed = await on.server.getTransaction(sent.hash)
    if (failed.status !== 'FAILED') throw new Error('it did not fail')
    const after = await on.server.getAccountEntry(from.publicKey())
    const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
    expect(spent).toBe(failed.resultXdr.feeCharged().toBigInt())
    expect(spent).toBeGreaterThan(100n)
  })
})

describe(`a simulation on ${networkName}`, () => {
  test('says what would change', async () => {
    const from = await on.funded()
    const args = [addressArg(from.publicKey()), addressArg(receiver.publicKey()), amountArg(5n)]
    const operation = Operation.invokeContractFunction({ contract: xlm, function: 'transfer', args })
    const simulated = await on.server.simulateTransaction(await on.draft(from.publicKey(), [operation]))
    if (!('stateChanges' in simulated)) throw new Error('no changes')
    const balances = simulated.stateChanges?.map(({ before, after }) =>
      [before, after].map((entry) => entry?.data().account().balance().toBigInt() ?? 0n),
    )
    expect(balances?.map(([before = 0n, after = 0n]) => after - before).sort()).toEqual([-5n, 5n])
    expect('restorePreamble' in simulated).toBe(false)
  })
})
