import { asc } from 'drizzle-orm'
import { encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Reference } from '../store/columns.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { bridgeMessages, nonceQueues, redeems, transactions } from '../store/tables/index.ts'
import { createRelayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'

export const operator = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const wallet: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const credits: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const nonceOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const whitelist = (id: string): Reference => ({ kind: 'whitelist', id })
export const redeem = (nonce: Hex, attempt = 1): Reference => ({
  kind: 'redeem',
  blockchain: 'base',
  wallet,
  nonce,
  attempt,
})

/** A store for the tests of one file, with an empty journal before each test. */
export function testStore(): Store {
  const store = {} as Store // assigned before the first test
  beforeAll(async () => {
    Object.assign(store, await openStore())
  })
  beforeEach(async () => {
    for (const table of [transactions, nonceQueues, redeems, bridgeMessages])
      await store.database.delete(table)
  })
  afterAll(() => store.close?.())
  return store
}

/** A relayer whose loop does not run, so that a test runs each pass itself. */
export function relayerOf(
  database: Database,
  { chain, now }: { chain: RelayerChain; now: () => number },
  more: Partial<createRelayer.Options> = {},
) {
  const relayer = createRelayer({
    database: async () => database,
    chains: new Map([[chain.chainId, chain]]),
    now,
    accountOf: (address) => (address.toLowerCase() === operator.address.toLowerCase() ? operator : undefined),
    onFinal: (work, final) => finishTransaction(work, { ...final, now }),
    onTick: async () => false,
    ...more,
  })
  onTestFinished(relayer.stop)
  return relayer
}

/** A relayer whose loop is stopped, so that no background pass changes the rows that a test writes. */
export async function senderOf(...options: Parameters<typeof relayerOf>) {
  const relayer = relayerOf(...options)
  await relayer.stop()
  return relayer
}

export const rowsOf = (database: Database): Promise<JournalRow[]> =>
  database.select().from(transactions).orderBy(asc(transactions.id))

export async function noteRedeem(
  work: Pick<Database, 'insert'>,
  { nonce, hash, ...more }: { nonce: Hex; hash: Hex } & Partial<typeof redeems.$inferInsert>,
): Promise<void> {
  const at = new Date(0)
  await work.insert(redeems).values({
    blockchain: 'base',
    wallet,
    nonce,
    hash,
    merchantId: 'shop',
    shape: 'token',
    amount: 1n,
    usdcAmount: 0n,
    gasFee: 0n,
    status: 'sending',
    attempt: 1,
    createdAt: at,
    updatedAt: at,
    ...more,
  })
}

export async function redeemStates(database: Database): Promise<Record<string, string>> {
  const rows = await database.select().from(redeems)
  return Object.fromEntries(rows.map(({ nonce, status, hash }) => [nonce, `${status} ${hash}`]))
}

export const adapter: Hex = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'

export function evmChainOf(chain: RelayerChain, more: Partial<EvmChain> = {}): EvmChain {
  const own = {
    blockchain: 'base',
    creditsContract: credits,
    operator,
    relayers: [operator],
    confirmations: 0,
  }
  // These are all fields that the relayer reads.
  return { ...own, whitelister: undefined, destinations: new Map(), ...chain, ...more } as EvmChain
}

/** The `BridgeRequested` event of a redeem, by which the adapter requests a purchase on another chain. */
export function bridgeRequested({
  nonce,
  id = nonce,
  to = 10,
}: {
  nonce: Hex
  id?: Hex
  to?: number
}): object {
  const [abi, eventName] = [bridgeAdapterAbi, 'BridgeRequested'] as const
  return {
    address: adapter,
    topics: encodeEventTopics({ abi, eventName, args: { id, customer: wallet, nonce } }),
    data: encodeAbiParameters(
      getAbiItem({ abi, name: eventName }).inputs.filter(({ indexed }) => !indexed),
      [1n, 5n, BigInt(to), credits, false, 5n, credits, '0x', 0n],
    ),
  }
}
