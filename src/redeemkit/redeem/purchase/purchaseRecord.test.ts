import { expect, test } from 'vitest'
import { prepareRedeem } from '../prepareRedeem.ts'
import { account, fakeService, hash, now, pinned, stranger, token, wallet } from '../redeem.fixture.ts'
import { signRedeem } from '../signRedeem.ts'
import { type PurchaseRecord, parsePurchaseRecord, purchaseName, purchaseOf } from './purchaseRecord.ts'
import { readPurchaseTerms } from './readPurchaseTerms.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token }
const salt = `0x${'11'.repeat(32)}` as const
const nonceOf = (orderKey: string, end = '0b'.repeat(20)) => `${orderKey}${end}` as const

/** A purchase whose permit was signed, and its name in a storage. */
async function stored(purchaseId?: string) {
  const { client } = fakeService({ client: { now } })
  const asked = { ...request, wallet, pinned, purchaseId }
  const prepared = await prepareRedeem(client, asked)
  const { orderKey, salt } = prepared
  const purchase = purchaseOf(readPurchaseTerms(client, asked))
  const signed = await signRedeem(account, { prepared, request, now })
  const record: PurchaseRecord = { version: 1, purchase, orderKey, salt, signed }
  return { record, name: purchaseName(purchase) }
}
const read = (record: unknown, name: string) => parsePurchaseRecord(JSON.stringify(record), name)

test.each([undefined, 'order 1'])('a stored purchase is read as it was written: %s', async (purchaseId) => {
  const { record, name } = await stored(purchaseId)
  const finished = { ...record, hash, nonce: record.signed?.prepared.answer.nonce, openUntil: '1800000000' }
  for (const one of [record, finished]) expect(read(one, name)).toEqual(JSON.parse(JSON.stringify(one)))
})

type Change = (record: PurchaseRecord) => object
/** Changes the prepared redeem in the record. */
const inPrepared =
  (change: object): Change =>
  ({ signed }) => ({ signed: { ...signed, prepared: { ...signed?.prepared, ...change } } })
const inAnswer =
  (change: object): Change =>
  (record) =>
    inPrepared({ answer: { ...record.signed?.prepared.answer, ...change } })(record)

test.each<[string, Change]>([
  ['another version', () => ({ version: 2 })],
  ['no purchase', () => ({ purchase: null })],
  ['a purchase that is text', () => ({ purchase: 'x' })],
  ['another order', ({ purchase }) => ({ purchase: { ...purchase, purchaseId: 'order 2' } })],
  ['another merchant', ({ purchase }) => ({ purchase: { ...purchase, merchantId: 'other' } })],
  [
    'another amount',
    ({ purchase }) => ({
      purchase: { ...purchase, request: { ...purchase.request, subtotal: { cents: 1001 } } },
    }),
  ],
  ['another wallet', ({ purchase }) => ({ purchase: { ...purchase, wallet: stranger } })],
  ['another chain', ({ purchase }) => ({ purchase: { ...purchase, chainId: 8453 } })],
  ['another contract', ({ purchase }) => ({ purchase: { ...purchase, creditsContract: stranger } })],
  ['a short order key', ({ orderKey }) => ({ orderKey: orderKey.slice(0, -2) })],
  ['a long order key', ({ orderKey }) => ({ orderKey: `${orderKey}00` })],
  ['another order key', () => ({ orderKey: `0x${'80'.repeat(12)}` })],
  [
    'another order key, signed too',
    (record) => ({
      orderKey: `0x${'80'.repeat(12)}`,
      ...inPrepared({ orderKey: `0x${'80'.repeat(12)}` })(record),
    }),
  ],
  ['a salt that is no hex', () => ({ salt: 'x'.repeat(66) })],
  ['another salt', () => ({ salt })],
  ['another salt, signed too', (record) => ({ salt, ...inPrepared({ salt })(record) })],
  ['no bridge adapter', () => ({ bridgeAdapter: '0x12' })],
  ['a hash that is none', ({ orderKey }) => ({ hash: '0x12', nonce: nonceOf(orderKey) })],
  ['a hash without a nonce', () => ({ hash })],
  ['the nonce of another order', () => ({ hash, nonce: nonceOf(`0x${'80'.repeat(12)}`) })],
  ['an answered hash that is none', () => ({ answered: '0x12' })],
  ['an end that is no time', () => ({ openUntil: 'soon' })],
  ['a permit of another wallet', inPrepared({ wallet: stranger })],
  ['a permit of another chain', inPrepared({ chainId: 8453 })],
  ['a permit of another contract', inPrepared({ pinned: { creditsContract: stranger } })],
  ['a permit of another order', inPrepared({ orderKey: `0x${'80'.repeat(12)}` })],
  ['a permit of another salt', inPrepared({ salt })],
  ['a permit of another nonce', inAnswer({ nonce: nonceOf(`0x${'80'.repeat(12)}`) })],
  ['a permit without a nonce', inAnswer({ nonce: undefined })],
  ['a permit without an end', inAnswer({ validBefore: 'soon' })],
])('a record with %s is refused: it may belong to a payment', async (_, change) => {
  const { record, name } = await stored('order 1')
  expect(() => read({ ...record, ...change(record) }, name)).toThrow(
    expect.objectContaining({ name: 'PurchaseStorageError', field: 'storage' }),
  )
})

test('text that is no record is refused', () => {
  for (const text of ['', '{', 'null', '7', '[]'])
    expect(() => parsePurchaseRecord(text, 'name')).toThrow(
      expect.objectContaining({ name: 'PurchaseStorageError' }),
    )
})

test('without an order id, each of the terms makes another purchase', async () => {
  const { record, name } = await stored()
  const { purchase } = record
  const others = [
    { ...purchase, merchantId: 'other' },
    { ...purchase, wallet: stranger },
    { ...purchase, chainId: 8453 },
    { ...purchase, creditsContract: stranger },
    { ...purchase, creditSeed: 'other' },
    { ...purchase, request: { ...purchase.request, usdcAmount: { cents: 1 } } },
  ].map(purchaseName)
  expect(new Set([name, ...others]).size).toBe(7)
})
