import { and, eq, sql } from 'drizzle-orm'
import { type Hex, keccak256, stringToHex } from 'viem'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { grouped } from '../../concurrency.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { noteBridgeMessages } from '../../relayer/watchBridges.ts'
import type { Database } from '../../store/database.ts'
import { statement, toRows } from '../../store/statement.ts'
import { intents, merchants, orderClaims, redeems, walletTurns } from '../../store/tables/index.ts'
import type { EvmCustomer } from '../http/customer.ts'
import { type OrderClaim, writeRedeems } from '../orders/claimOrders.ts'
import { alreadyPaid } from '../orders/orderProblems.ts'
import { findRedeemedEvent } from '../orders/readRedeemed.ts'
import type { Service } from '../service.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

const intentColumns = {
  merchantId: intents.merchantId,
  salt: intents.salt,
  settlementHash: intents.settlementHash,
  amount: intents.amount,
  usdcAmount: intents.usdcAmount,
}
/** Stored when the customer prepared the redeem. */
export type StoredIntent = Pick<typeof intents.$inferSelect, keyof typeof intentColumns>
export type StoredRedeem = typeof redeems.$inferSelect

export type CustomerNonce = EvmCustomer & { nonce: Hex }

/** The next preparation of the same intent uses this gas. */
export async function rememberGas(
  service: Pick<Service, 'database'>,
  key: CustomerNonce,
  gasNeeded: bigint,
): Promise<void> {
  const database = await service.database()
  await database.update(intents).set({ gasNeeded }).where(intentIs(key))
}

export function intentIs({ chain, wallet, nonce }: CustomerNonce) {
  return and(eq(intents.blockchain, chain.blockchain), eq(intents.wallet, wallet), eq(intents.nonce, nonce))
}

/**
 * Finds and stores the hash of a redeem that a third party relayed. Throws `ORDER_ALREADY_PAID` if credits of another merchant's seed
 * were charged: the nonce does not commit to the seed.
 */
export async function redeemedByOthers(
  service: Service,
  options: {
    redeem: CustomerNonce & { intent: ResolvedIntent }
    stored: StoredIntent
    creditSeed: string
  },
): Promise<Hex> {
  const { redeem, stored, creditSeed } = options
  const { chain, wallet, intent, nonce } = redeem
  const { client, creditsContract } = chain
  const order = { wallet, orderKey: orderKeyOf(nonce) }
  const state = await orderState(client, { creditsContract, ...order })
  const event = await findRedeemedEvent(chain, { ...order, timestamp: state.timestamp })
  if (event === undefined) throw new Error('The order is redeemed, but its Redeemed event was not found.')
  if (event.creditSeedHash !== keccak256(stringToHex(creditSeed)))
    throw await alreadyPaid(service, chain, { ...order, order: state, terms: { creditSeed, intent } })
  const { hash, gasFee } = event
  const at = new Date(service.now())
  const row = {
    blockchain: chain.blockchain,
    wallet,
    nonce,
    merchantId: stored.merchantId,
    shape: intent.shape,
    amount: intent.amount,
    usdcAmount: intent.usdcAmount,
    gasFee,
    status: 'redeemed' as const, // keeps the literal type
    attempt: 0,
    hash,
    createdAt: at,
    updatedAt: at,
  }
  await writeFound(await service.database(), { rows: toRows(redeems, [row]) })
  if (settlementShapes[intent.shape].does === 'bridge') await carryForOthers(service, redeem, hash)
  return hash
}

/** The chain has executed the redeem, so any other state is outdated. */
const writeFound = writeRedeems(sql`true`)

/** Only the service can deliver the bridge message of a `decent` redeem that a third party relayed. */
async function carryForOthers(service: Service, { chain, nonce }: CustomerNonce, hash: Hex): Promise<void> {
  const [receipt, adapter] = await Promise.all([
    chain.client.getTransactionReceipt({ hash }),
    readBridgeAdapter(chain),
  ])
  await noteBridgeMessages(await service.database(), {
    sourceChainId: chain.chainId,
    nonce,
    logs: receipt.logs.filter(({ address }) => address.toLowerCase() === adapter.toLowerCase()),
    at: new Date(service.now()),
  })
  service.relayer.wake()
}

type KnownRedeem = {
  stored: StoredIntent | undefined
  redeem: StoredRedeem | undefined
  /** Seed of the merchant that the body names. */
  creditSeed: string | undefined
  /** The order's claim: its attempt that may execute or has executed, on any chain. */
  claim: OrderClaim | undefined
  isUnderway: boolean
  /** The wallet's counter of submitted redeems, shared by all processes. */
  turn: number
}

type Asked = CustomerNonce & { merchantId: string }

/** Reads a {@link KnownRedeem} in one statement, which concurrent requests share. */
export async function lookUpRedeem(service: Pick<Service, 'database'>, asked: Asked): Promise<KnownRedeem> {
  const database = await service.database()
  const before = questions.get(database)
  const ask = before ?? grouped<Asked, KnownRedeem>((some) => read(database, some), { most: 32 })
  if (before === undefined) questions.set(database, ask)
  return ask(asked)
}

const questions = new WeakMap<Database, (asked: Asked) => Promise<KnownRedeem>>()

async function read(database: Database, some: readonly Asked[]): Promise<KnownRedeem[]> {
  const asked = some.map(({ chain, wallet, nonce, merchantId }, place) => ({
    place,
    blockchain: chain.blockchain,
    wallet,
    nonce,
    merchant_id: merchantId,
    order_key: orderKeyOf(nonce),
  }))
  const found = await selectKnown(database, { asked: JSON.stringify(asked) })
  const byPlace = new Map(found.map((row) => [row.place, row]))
  return some.map(({ merchantId }, index) => {
    const row = byPlace.get(index)
    return {
      stored: row?.stored ?? undefined,
      redeem: row?.redeem && !isForeign(row.redeem, merchantId) ? row.redeem : undefined,
      creditSeed: row?.creditSeed ?? undefined,
      claim: row?.claim ?? undefined,
      isUnderway: row?.isUnderway ?? false,
      turn: row?.turn ?? 0,
    }
  })
}

const selectKnown = statement((database) => {
  const asked = sql`json_to_recordset(${sql.placeholder('asked')}::json) as asked (place integer, blockchain text, wallet text, nonce text, merchant_id text, order_key text)`
  return database
    .select({
      place: sql<number>`asked.place`,
      stored: intentColumns,
      redeem: redeems,
      creditSeed: merchants.creditSeed,
      claim: orderClaims,
      turn: walletTurns.turn,
      isUnderway: sql<boolean>`exists (select 1 from ${redeems} one where one.blockchain = asked.blockchain and one.wallet = asked.wallet and one.status in ('sending', 'alone'))`,
    })
    .from(asked)
    .leftJoin(intents, ofNonce(intents))
    .leftJoin(redeems, ofNonce(redeems))
    .leftJoin(
      walletTurns,
      and(eq(walletTurns.blockchain, sql`asked.blockchain`), eq(walletTurns.wallet, sql`asked.wallet`)),
    )
    .leftJoin(merchants, eq(merchants.merchantId, sql`asked.merchant_id`))
    .leftJoin(
      orderClaims,
      and(
        eq(orderClaims.merchantId, sql`asked.merchant_id`),
        eq(orderClaims.wallet, sql`asked.wallet`),
        eq(orderClaims.orderKey, sql`asked.order_key`),
      ),
    )
})

/** Whether a third party relayed this nonce with a permit for a different merchant's seed. */
const isForeign = (redeem: StoredRedeem, merchantId: string) =>
  redeem.attempt === 0 && redeem.merchantId !== merchantId

function ofNonce(table: typeof intents | typeof redeems) {
  return and(
    eq(table.blockchain, sql`asked.blockchain`),
    eq(table.wallet, sql`asked.wallet`),
    eq(table.nonce, sql`asked.nonce`),
  )
}
