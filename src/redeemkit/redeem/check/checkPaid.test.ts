import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { RedeemOutcome } from '../chain/readLogs.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import {
  creditSeedHash,
  creditsContract,
  fakeService,
  hash,
  pinned,
  stranger,
  token,
  wallet,
} from '../redeem.fixture.ts'
import { checkPaid } from './checkPaid.ts'
import { intentOf } from './intentOf.ts'
import { readPurchaseTerms } from './prepareTerms.ts'

/** An order that pays 10 USD to a stranger. */
const terms: RedeemTerms = readPurchaseTerms(fakeService().client, {
  subtotal: { cents: 1000 },
  transactionData: token,
  wallet,
  pinned,
  purchaseId: 'order 1',
})
const own = intentOf(terms).nonce
const other: Hex = `${own.slice(0, 26)}${'0b'.repeat(20)}` as Hex // begins with 0x
/** Another attempt of the order, which paid all of it. */
const paid = {
  creditsContract,
  creditSeedHash,
  nonce: other,
  kind: 'token',
  target: stranger,
  amount: 10_000_005n,
  refunded: 5n,
  hash,
} as RedeemOutcome // checkPaid compares only these fields
const check = (change: Partial<RedeemOutcome>, options: Partial<checkPaid.Options> = {}) =>
  checkPaid({ ...paid, ...change }, terms, { contracts: [creditsContract], ...options })

test.each<[string, Partial<RedeemOutcome>, Partial<checkPaid.Options>?]>([
  ['another attempt with its amount and receiver', {}],
  ['a former contract', { creditsContract: stranger }, { contracts: [creditsContract, stranger] }],
  ['a contract in lower case', {}, { contracts: [creditsContract.toLowerCase() as Hex] }],
  ['this attempt, with any amount', { nonce: own, amount: 1n, refunded: 0n }],
  ['this attempt in upper case', { nonce: own.toUpperCase().replace('0X', '0x') as Hex, amount: 1n }],
  ['another attempt that was signed for these terms', { amount: 1n }, { nonces: [undefined, other] }],
])('an order is paid by %s', (_, change, options) => {
  expect(() => check(change, options)).not.toThrow()
})

test.each<[string, Partial<RedeemOutcome>, Partial<checkPaid.Options>?]>([
  ['less', { amount: 10_000_004n }],
  ['more', { amount: 10_000_006n }],
  ['its full amount, part of which was refunded', { amount: 10_000_000n, refunded: 1n }],
  ['its amount to another receiver', { target: wallet }],
  ['its amount for something else', { kind: 'normal' }],
  ['another merchant’s credits', { creditSeedHash: `0x${'11'.repeat(32)}` }],
  ['another merchant’s credits with its own nonce', { nonce: own, creditSeedHash: `0x${'11'.repeat(32)}` }],
  ['its amount if another credit seed is expected', {}, { creditSeed: 'other' }],
  ['its amount at a contract that is not accepted', { creditsContract: stranger }],
  ['its own nonce at a contract that is not accepted', { creditsContract: stranger, nonce: own }],
])('an order is not paid with %s', (_, change, options) => {
  expect(() => check(change, options)).toThrow(
    expect.objectContaining({ name: 'OrderUsedError', field: 'purchaseId', expected: 10_000_000n, hash }),
  )
})
