import { TransactionReceiptNotFoundError } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import { openStore, type Store } from '../../store/openStore.ts'
import { merchants, redeems } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { checkUnderway } from './checkUnderway.ts'

const wallet = '0x1111111111111111111111111111111111111111'
const hash = `0x${'22'.repeat(32)}` as const // hex
let store: Store

beforeAll(async () => {
  store = await openStore()
  const at = new Date()
  await store.database.insert(merchants).values({ merchantId: 'shop', creditSeed: 'shop' })
  await store.database.insert(redeems).values({
    blockchain: 'base',
    wallet,
    nonce: `0x${'33'.repeat(32)}`,
    merchantId: 'shop',
    shape: 'token',
    amount: 600n,
    usdcAmount: 0n,
    gasFee: 0n,
    status: 'sending',
    attempt: 1,
    hash,
    createdAt: at,
    updatedAt: at,
  })
})
afterAll(() => store?.close())

/** A wallet with 1,000 at block 100, whose redeem of 600 was mined in this block. */
const check = (minedIn: bigint | undefined) =>
  checkUnderway(
    { kind: 'randomNonce', database: async () => store.database } as Partial<Service> as Service, // what it uses
    {
      chain: {
        blockchain: 'base',
        creditsContract: wallet,
        client: {
          getBlockNumber: async () => 100n,
          readContract: async ({ functionName }: { functionName: string }) => {
            if (functionName === 'creditsOf') return 1000n
            throw new Error(`A random-nonce contract has no ${functionName}.`)
          },
          getTransactionReceipt: async () => {
            if (minedIn === undefined) throw new TransactionReceiptNotFoundError({ hash })
            return { blockNumber: minedIn }
          },
        },
      } as unknown as EvmChain, // what it uses
      wallet,
      creditSeed: 'shop',
      charged: 500n,
      usdcAmount: 0n,
    },
  )

test('a redeem without a receipt is pending', async () => {
  await expect(check(undefined)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
})

test('a redeem mined after the balance was read is pending', async () => {
  await expect(check(101n)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
})

test('a redeem in the balance’s block is included in the balance', async () => {
  await expect(check(100n)).resolves.toBeUndefined()
})
