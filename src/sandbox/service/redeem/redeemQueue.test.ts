import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { requestsOfBatch } from '../../contracts/creditsCalls.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import type { DatabaseWork, JournalRow } from '../../store/database.ts'
import { openStore, toStore } from '../../store/openStore.ts'
import type { Reference } from '../../store/reference.ts'
import type { ReadyRedeem } from '../service.ts'
import { ChecksOutdated, createRedeemQueue } from './redeemQueue.ts'

const wallet = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const target = wallet(99)

/** A token redeem of an order, ready to send. */
function ready(options: { wallet: number; order: number; attempt: number }): ReadyRedeem {
  const customerWallet = wallet(options.wallet)
  const hex = (byte: number, bytes: number) => byte.toString(16).padStart(2, '0').repeat(bytes)
  const nonce = `0x${hex(0x80 + options.order, 12)}${hex(options.attempt, 20)}` as const
  const settlement = {
    kind: 0,
    target,
    data: '0x',
    nftContract: wallet(0),
    nftId: 0n,
    bridge: { dstChainId: 0n, dstToken: wallet(0), isNative: false, cost: 0n },
  } as const
  const permit = {
    customerWallet,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1_000n,
    nonce,
    signature: `0x${hex(1, 65)}` as const,
  }
  return {
    redeem: {
      chain: { blockchain: 'base', chainId: 8453, creditsContract: target, relayers: [{}] },
      wallet: customerWallet,
      nonce,
      intent: { shape: 'token', settlement, settlementHash: nonce, amount: 1n, usdcAmount: 0n },
    },
    merchantId: 'shop',
    ended: undefined,
    request: {
      permit,
      intent: { amount: 1n, usdcAmount: 0n, salt: `0x${hex(2, 32)}` },
      settlement,
      usdcAuthorization: { method: 0, signature: '0x' },
      gasFee: 0n,
    },
    gas: 100_000n,
    gasFee: 0n,
    turn: 0,
    attempt: 1,
    price: { maximum: 1n, expected: 1n, priority: 1n, timestamp: 0n },
  } as unknown as ReadyRedeem // what the queue looks at
}

test('a batch never holds two attempts of one order: the second is not sent', async () => {
  const store = await openStore()
  const { database } = toStore(store)
  const sent: { reference: Reference; data: Hex }[] = []
  /** Writes no journal, only the accompanying rows. */
  const send: Relayer['send'] = async ({ reference, request, also }) => {
    const hash = `0x${(sent.length + 1).toString(16).padStart(64, '0')}` as const
    const row = { hash } as JournalRow // all that is looked at
    await database.transaction((work: DatabaseWork) => also?.(work, row) ?? Promise.resolve())
    sent.push({ reference, data: request.data })
    return row
  }
  const queue = createRedeemQueue({
    database: async () => database,
    relayer: { send },
    now: () => 0,
    kind: 'intentBound',
    isShared: async () => false,
  })
  try {
    // They arrive concurrently and are sent together.
    const outcomes = await Promise.allSettled(
      [
        ready({ wallet: 1, order: 1, attempt: 1 }),
        ready({ wallet: 2, order: 2, attempt: 1 }),
        ready({ wallet: 2, order: 2, attempt: 2 }),
        ready({ wallet: 3, order: 2, attempt: 1 }),
        ready({ wallet: 1, order: 1, attempt: 2 }),
      ].map((one) => queue.send(one)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    for (const at of [2, 4]) expect(outcomes[at]).toMatchObject({ reason: expect.any(ChecksOutdated) })
    expect(sent.map(({ reference }) => reference.kind)).toEqual(['batch'])
    const items = requestsOfBatch(sent[0]?.data ?? '0x').map(({ permit }) => permit.customerWallet)
    expect(items).toEqual([wallet(1), wallet(2), wallet(3)])
  } finally {
    await store.close()
  }
})
