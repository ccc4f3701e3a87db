import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { broadcast } from './broadcast.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import { journalTransaction } from './journalTransaction.ts'
import { credits, operator, rowsOf, testStore, whitelist } from './relayer.fixture.ts'
import { gasPrice } from './relayerChain.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
const now = () => 1_000_000

beforeEach(() => {
  fake = fakeNode()
})

const journal = async () =>
  journalTransaction(store.database, {
    chain: fake.chain,
    accounts: [operator],
    reference: whitelist('one'),
    request: { to: credits, data: '0x1234' as Hex, gas: 50_000n },
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
