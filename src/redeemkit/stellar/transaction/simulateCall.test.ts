import type { Transaction } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { feeBump, signTransaction } from '../index.ts'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { SorobanDataBuilder, TransactionBuilder } from '../sdk.ts'
import {
  base,
  build,
  buildCall,
  bySource,
  call,
  customer,
  forbidden,
  from,
  networkPassphrase,
  options,
  payment,
  sponsor,
} from '../stellar.fixture.ts'

/** Returns the call that the customer passes to the sponsor, with these resources and this total fee. */
const declaring = (
  fee: number,
  resources: readonly [number, number, number] = [1_000_000, 5_000, 5_000],
  more: object = {},
) =>
  buildCall({
    fee: '200',
    prepare: (builder) =>
      builder.setSorobanData(
        new SorobanDataBuilder()
          .setResourceFee(fee)
          .setResources(...resources)
          .build(),
      ),
    ...more,
  })
const success = {
  _parsed: true,
  id: '1',
  latestLedger: 1000,
  events: [],
  minResourceFee: '50000',
  transactionData: new SorobanDataBuilder().setResourceFee(50_000).setResources(1_000_000, 5_000, 5_000),
} as const
const answering = (answer: object) => ({ simulateTransaction: async () => answer as never })
const client = answering(success)
const sign = (transaction: Transaction, more: object = {}) =>
  signTransaction(sponsor, { ...base, transaction: transaction.toXDR(), expected: call, client, ...more })

describe('a sponsor of a call', () => {
  test('signs resources up to a margin above its own simulation', async () => {
    for (const transaction of [declaring(50_000), declaring(175_000, [2_500_000, 12_500, 12_500])])
      expect(await sign(transaction)).toBeTypeOf('string')
  })
  test('simulates the transaction that was passed', async () => {
    const seen: string[] = []
    const simulateTransaction = async (transaction: { toXDR: () => string }) => {
      seen.push(transaction.toXDR())
      return success as never
    }
    const transaction = declaring(50_000)
    await sign(transaction, { client: { simulateTransaction } })
    expect(seen).toEqual([transaction.toXDR()])
  })
  test.each<[string, Transaction, string]>([
    ['a resource fee far above the simulated one', declaring(175_001), 'resources.fee'],
    ['a resource fee of almost 1 XLM', declaring(9_900_000), 'resources.fee'],
    ['too many instructions', declaring(50_000, [2_500_001, 5_000, 5_000]), 'resources.instructions'],
    ['too many bytes to read', declaring(50_000, [1_000_000, 12_501, 5_000]), 'resources.diskReadBytes'],
    ['too many bytes to write', declaring(50_000, [1_000_000, 5_000, 12_501]), 'resources.writeBytes'],
    ['an inclusion fee above 0.1 XLM', declaring(50_000, undefined, { fee: '1125001' }), 'fee'],
    ['no resources', buildCall({ prepare: () => undefined }), 'ext'],
  ])('does not sign %s', async (_, transaction, field) => {
    await expect(sign(transaction)).rejects.toMatchObject({ name: 'RefusedTransactionError', field })
  })
  test('signs a fee above 1 XLM if the call needs it', async () => {
    const dear = { ...success, minResourceFee: '20000000' }
    expect(await sign(declaring(20_000_000), { client: answering(dear) })).toBeTypeOf('string')
  })
  test('never signs a fee above maxFee', async () => {
    await expect(sign(declaring(50_000), { maxFee: 50_000n })).rejects.toMatchObject({ field: 'fee' })
  })
  test('does not sign a call that would fail', async () => {
    const failing = answering({
      _parsed: true,
      id: '1',
      latestLedger: 1000,
      events: [],
      error: 'auth: nonce used',
    })
    await expect(sign(declaring(50_000), { client: failing })).rejects.toMatchObject({
      name: 'ContractCallFailedError',
      message: expect.stringContaining('nonce used'),
    })
  })
  test.each<[string, () => Promise<unknown>]>([
    ['is unreachable', () => Promise.reject(new TypeError('fetch failed'))],
    ['returns nothing', async () => undefined],
    ['returns no fee', async () => ({ ...success, minResourceFee: undefined })],
    ['returns an invalid fee', async () => ({ ...success, minResourceFee: '-1' })],
    ['returns no resources', async () => ({ ...success, transactionData: { build: () => undefined } })],
  ])('throws a typed error if its server %s', async (_, simulateTransaction) => {
    const broken = { simulateTransaction: simulateTransaction as never }
    await expect(sign(declaring(50_000), { client: broken })).rejects.toMatchObject({
      name: 'SimulationUnavailableError',
      field: 'client',
    })
  })
  test('requires a complete simulation', async () => {
    for (const simulation of [{}, null, { ...success, minResourceFee: 50_000 }])
      await expect(sign(declaring(50_000), { client: undefined, simulation })).rejects.toMatchObject({
        name: 'InvalidOptionError',
        field: 'simulation',
      })
  })
  test('requires a client, a simulation or a maxFee', async () => {
    await expect(sign(declaring(50_000), { client: undefined })).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'client',
    })
    for (const more of [{ maxFee: 60_000n }, { simulation: success }])
      expect(await sign(declaring(50_000), { client: undefined, ...more })).toBeTypeOf('string')
  })
  test('compares the resources in a fee bump too', async () => {
    const own = (fee: number) => {
      const transaction = declaring(fee, undefined, { source: from, auth: [bySource()] })
      transaction.sign(customer)
      return transaction.toXDR()
    }
    const asked = { ...base, expected: call, client }
    expect(await feeBump(sponsor, { ...asked, transaction: own(50_000) })).toBeTypeOf('string')
    await expect(feeBump(sponsor, { ...asked, transaction: own(180_000) })).rejects.toMatchObject({
      name: 'RefusedTransactionError',
      field: 'resources.fee',
    })
    await expect(
      feeBump(sponsor, { ...asked, client: undefined, transaction: own(50_000) }),
    ).rejects.toMatchObject({ field: 'client' })
  })
})

test("a payment or a customer's signature needs no simulation", async () => {
  const asking = { simulateTransaction: forbidden.signTransaction as never }
  expect(
    await signTransaction(sponsor, {
      ...base,
      transaction: build().toXDR(),
      expected: payment,
      client: asking,
    }),
  ).toBeTypeOf('string')
  expect(
    await signTransaction(customer, {
      ...base,
      transaction: declaring(50_000).toXDR(),
      expected: call,
      client: asking,
    }),
  ).toBeTypeOf('string')
})

test('an inspection compares the resources with the given simulation', () => {
  const look = (fee: number) =>
    inspectRequest(
      { transaction: declaring(fee).toXDR() },
      { ...options, expected: call, simulation: success },
    ).findings
  expect(look(50_000)).toEqual([])
  expect(look(500_000)).toMatchObject([{ code: 'UNEXPECTED_RESOURCES', field: 'resources.fee' }])
})

test('the resources in a fee bump that the SDK built around a call are compared too', async () => {
  const inner = declaring(50_000, undefined, { source: from, auth: [bySource()] })
  inner.sign(customer)
  const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '2000000', inner, networkPassphrase)
  await expect(
    signTransaction(sponsor, { ...base, transaction: bump.toXDR(), expected: call, client }),
  ).rejects.toMatchObject({ field: 'fee' })
})
