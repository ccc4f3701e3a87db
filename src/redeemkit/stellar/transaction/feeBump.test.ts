import { describe, expect, test } from 'vitest'
import { feeBump } from '../index.ts'
import { build, customer, from, look, pay, payment, sponsor, stranger } from '../stellar.fixture.ts'
import { base, forbidden, noExpectations, secondRequests, theft } from './transaction.fixture.ts'

const own = build({ source: from, operations: [pay()] })
const unsigned = own.toXDR()
own.sign(customer)
const signed = own.toXDR()
const asked = { ...base, expected: payment }

describe('a fee bump', () => {
  test('costs the sponsor one stroop more for each operation and the bump', async () => {
    const bumped = await feeBump(sponsor, { ...asked, transaction: signed })
    expect(look({ toXDR: () => bumped })).toMatchObject({
      verdict: 'ok',
      details: { feeSource: sponsor.publicKey(), fee: 202n },
    })
  })
  test("requires the customer's signature on this network", async () => {
    await expect(feeBump(sponsor, { ...asked, transaction: unsigned })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
  })
  test('cannot wrap another fee bump', async () => {
    const bumped = await feeBump(sponsor, { ...asked, transaction: signed })
    await expect(feeBump(sponsor, { ...asked, transaction: bumped })).rejects.toMatchObject({
      name: 'RefusedTransactionError',
    })
  })
  test('must have the expected sponsor', async () => {
    await expect(feeBump(stranger, { ...asked, transaction: signed })).rejects.toMatchObject({
      name: 'WrongPartyError',
    })
  })
  test('has a fee within the limit', async () => {
    await expect(
      feeBump(sponsor, { ...asked, transaction: signed, baseFee: 10_000_000n }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError' })
  })
  test.each(secondRequests)('is for the transaction, with any second request (%#)', async (along) => {
    const request = { ...asked, ...along, transaction: theft } as feeBump.Options
    await expect(feeBump(forbidden, request)).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test.each(noExpectations)('is not signed for %j', async (expected) => {
    await expect(
      feeBump(forbidden, { ...base, transaction: theft, expected: expected as never }),
    ).rejects.toMatchObject({ name: 'MissingExpectationError', field: 'expected' })
  })
})
