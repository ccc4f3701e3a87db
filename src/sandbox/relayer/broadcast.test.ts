import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { broadcast, recallForgotten } from './broadcast.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import { journalTransaction } from './journalTransaction.ts'
import {
  credits,
  nonceOf,
  noteRedeem,
  operator,
  redeem,
  redeemStates,
  relayerOf,
  rowsOf,
  testStore,
  whitelist,
} from './relayer.fixture.ts'
import { gasPrice } from './relayerChain.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
const now = () => 1_000_000

beforeEach(() => {
  fake = fakeNode()
})

const request = { to: credits, data: '0x1234' as Hex, gas: 50_000n }

const journal = async () =>
  journalTransaction(store.database, {
    chain: fake.chain,
    accounts: [operator],
    reference: whitelist('one'),
    request,
    price: await gasPrice(fake.chain),
    now,
  })

/** Error messages of Geth, Anvil, Nethermind, Erigon and Besu. */
describe.each([
  [
    'used',
    'journalled',
    [
      'nonce too low: next nonce 5, tx nonce 3',
      'Transaction nonce is too low. Try incrementing the nonce.',
      'nonce 3 is lower than 5',
      'Nonce already used',
      'nonce has already been used',
      'OldNonce, Current nonce: 5, nonce of rejected tx: 3',
    ],
  ],
  [
    'waiting',
    'journalled',
    [
      'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 2',
      'fee cap less than block base fee',
      'max fee less than the base fee',
      'Gas price below current base fee',
      'transaction underpriced',
      'replacement transaction underpriced',
      'FeeTooLow, EffectivePriorityFeePerGas too low',
      'ReplacementNotAllowed',
    ],
  ],
  [
    'sent',
    'broadcast',
    [
      'already known',
      'AlreadyKnown',
      'Transaction already imported',
      'known transaction: ab',
      'already in the pool',
      'already in pool',
    ],
  ],
] as const)('a broadcast is %s', (outcome, status, texts) => {
  test.each(texts)('when the node returns %j', async (text) => {
    const row = await journal()
    fake.node.refusal = text
    expect(await broadcast(store.database, { chain: fake.chain, row, now })).toBe(outcome)
    expect(await rowsOf(store.database)).toMatchObject([{ status }])
  })
})

test.each(['insufficient funds for gas * price + value', 'exceeds block gas limit', 'method not found'])(
  '%j throws an error without the signed bytes, and leaves the row unchanged',
  async (text) => {
    const row = await journal()
    fake.node.refusal = text
    const error = await broadcast(store.database, { chain: fake.chain, row, now }).catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'ChainReadError', message: expect.stringContaining(row.hash) })
    expect(error.message).not.toContain(row.raw.slice(2, 80))
    expect(await rowsOf(store.database)).toMatchObject([{ status: 'journalled' }])
  },
)

const recall = (chains = new Map([[fake.chain.chainId, fake.chain]])) =>
  recallForgotten(store.database, { chains, now })
const states = async () => (await rowsOf(store.database)).map(({ status }) => status)

/** Redeems mined in consecutive blocks, by several senders in turn. The last one reverts on request. */
async function redeemed(count: number, last: 'success' | 'reverted' = 'success', senders = [operator]) {
  const relayer = relayerOf(store.database, { chain: fake.chain, now }, { pollIntervalMs: 1 })
  const rows = []
  for (let at = 1; at <= count; at++) {
    const nonce = nonceOf(at)
    const row = await relayer.send({
      chainId: fake.chain.chainId,
      account: senders[at % senders.length] ?? operator,
      reference: redeem(nonce),
      request,
      also: (work, { hash }) => noteRedeem(work, { nonce, hash }),
    })
    fake.node.mine({ status: at === count ? last : 'success' })
    rows.push(await relayer.wait(row))
  }
  await relayer.stop()
  return rows
}

test('after a reorg, a redeem with the state redeemed is sent again with the same bytes', async () => {
  const [row] = await redeemed(1)
  expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `redeemed ${row?.hash}` })
  fake.node.forgetAfter(0)
  expect(await recall()).toBe(1)
  expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `sending ${row?.hash}` })
  expect(await rowsOf(store.database)).toMatchObject([
    { hash: row?.hash, raw: row?.raw, status: 'broadcast', blockNumber: null, gasUsed: null },
  ])
  expect(fake.node.broadcasts).toEqual([row?.raw, row?.raw])
})

test('a redeem that reverted is also sent again, and may then succeed', async () => {
  const [row] = await redeemed(1, 'reverted')
  expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `reverted ${row?.hash}` })
  fake.node.forgetAfter(0)
  await recall()
  fake.node.mine()
  const relayer = relayerOf(store.database, { chain: fake.chain, now }, { pollIntervalMs: 1 })
  expect(await relayer.wait({ id: row?.id ?? 0 })).toMatchObject({ status: 'mined' })
  await relayer.stop()
  expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `redeemed ${row?.hash}` })
})

test('only transactions that the chain forgot are sent again, in journal order across senders', async () => {
  const rows = await redeemed(4, 'success', [operator, privateKeyToAccount(`0x${'22'.repeat(32)}`)])
  fake.node.forgetAfter(1)
  fake.node.broadcasts.length = 0
  expect(await recall()).toBe(3)
  expect(await states()).toEqual(['mined', 'broadcast', 'broadcast', 'broadcast'])
  expect(fake.node.broadcasts).toEqual(rows.slice(1).map(({ raw }) => raw))
})

test('nothing is sent again if a node only lags and still has the receipts', async () => {
  await redeemed(2)
  fake.node.lags = 1
  expect(await recall()).toBe(0)
  expect(await states()).toEqual(['mined', 'mined'])
})

test('transactions of an unsupported chain are not changed', async () => {
  await redeemed(1)
  fake.node.forgetAfter(0)
  expect(await recall(new Map())).toBe(0)
  expect(await states()).toEqual(['mined'])
})

test('two processes that detect a forgotten transaction send the same bytes', async () => {
  const [row] = await redeemed(1)
  fake.node.forgetAfter(0)
  fake.node.broadcasts.length = 0
  await Promise.all([recall(), recall()])
  expect(new Set(fake.node.broadcasts)).toEqual(new Set([row?.raw]))
  expect(fake.node.pool()).toEqual([row?.hash])
})

test('on start, a relayer resends forgotten transactions before it signs a new one', async () => {
  const [row] = await redeemed(1)
  fake.node.forgetAfter(0)
  const relayer = relayerOf(store.database, { chain: fake.chain, now }, { pollIntervalMs: 1 })
  await relayer.start()
  const next = await relayer.send({
    chainId: fake.chain.chainId,
    account: operator,
    reference: redeem(nonceOf(2)),
    request,
  })
  await relayer.stop()
  expect(next.nonce).toBe(1)
  expect(fake.node.pool()).toEqual([row?.hash, next.hash])
})
