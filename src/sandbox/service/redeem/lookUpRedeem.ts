import { and, eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { grouped } from '../../process/grouped.ts'
import { noteBridgeMessages } from '../../relayer/noteBridgeMessages.ts'
import type { Database } from '../../store/database.ts'
import { intents, merchants, orderClaims, redeems, walletTurns } from '../../store/tables/index.ts'
import type { EvmCustomer } from '../http/customer.ts'
import type { Merchant } from '../http/merchant.ts'
import { isStorableText } from '../http/readBody.ts'
import type { OrderClaim } from '../orders/claimOrders.ts'
import { findRedeemedEvent } from '../orders/readRedeemed.ts'
import type { Service } from '../service.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/** What a nonce stands for, as it was written down when the customer asked for it. */
export type StoredIntent = typeof intents.$inferSelect
export type StoredRedeem = typeof redeems.$inferSelect

/** One nonce of one customer. */
export type CustomerNonce = EvmCustomer & { nonce: Hex }

export async function findRedeem(
  service: Pick<Service, 'database'>,
  { chain, wallet, nonce }: CustomerNonce,
): Promise<StoredRedeem | undefined> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(redeems)
    .where(
      and(eq(redeems.blockchain, chain.blockchain), eq(redeems.wallet, wallet), eq(redeems.nonce, nonce)),
    )
  return row
}

/** Writes down the gas that a submit was found to need: a second preparation quotes by it. */
export async function rememberGas(
  service: Pick<Service, 'database'>,
  key: CustomerNonce,
  gasNeeded: bigint,
): Promise<void> {
  const database = await service.database()
  await database.update(intents).set({ gasNeeded }).where(intentIs(key))
}

/** The intent's row of a nonce. */
export function intentIs({ chain, wallet, nonce }: CustomerNonce) {
  return and(eq(intents.blockchain, chain.blockchain), eq(intents.wallet, wallet), eq(intents.nonce, nonce))
}

/**
 * The hash of a redeem that somebody else relayed, as anyone may. It is on the chain, and is written down here.
 *
 * @param options.stored what the nonce stands for
 */
export async function redeemedByOthers(
  service: Service,
  options: { redeem: CustomerNonce & { intent: ResolvedIntent }; stored: StoredIntent },
): Promise<Hex> {
  const { redeem, stored } = options
  const { chain, wallet, intent, nonce } = redeem
  const { client, creditsContract } = chain
  const order = { wallet, orderKey: orderKeyOf(nonce) }
  const { timestamp } = await orderState(client, { creditsContract, ...order })
  const event = await findRedeemedEvent(chain, { ...order, timestamp })
  if (event === undefined) throw new Error('The order is redeemed, but there is no Redeemed event for it.')
  const { hash, gasFee } = event
  const at = new Date(service.now())
  const found = { gasFee, status: 'redeemed', hash, updatedAt: at } as const // for the state's type
  const database = await service.database()
  await database
    .insert(redeems)
    .values({
      blockchain: chain.blockchain,
      wallet,
      nonce,
      merchantId: stored.merchantId,
      shape: intent.shape,
      amount: intent.amount,
      usdcAmount: intent.usdcAmount,
      attempt: 0,
      createdAt: at,
      ...found,
    })
    .onConflictDoUpdate({ target: [redeems.blockchain, redeems.wallet, redeems.nonce], set: found })
  if (intent.shape === 'decent') await carryForOthers(service, redeem, hash)
  return hash
}

/** A stranger who relays a decent redeem cannot carry its message. Whatever else is in the transaction is theirs. */
async function carryForOthers(service: Service, redeem: CustomerNonce, hash: Hex): Promise<void> {
  const { chain, wallet, nonce } = redeem
  const [receipt, adapter] = await Promise.all([
    chain.client.getTransactionReceipt({ hash }),
    readBridgeAdapter(chain),
  ])
  await noteBridgeMessages(await service.database(), {
    sourceChainId: chain.chainId,
    wallet,
    nonce,
    logs: receipt.logs.filter(({ address }) => address.toLowerCase() === adapter.toLowerCase()),
    at: new Date(service.now()),
  })
  service.relayer.wake()
}

/** What the database knows of a redeem that somebody asks for. */
type KnownRedeem = {
  /** What the nonce stands for. */
  stored: StoredIntent | undefined
  /** What became of it so far. */
  redeem: StoredRedeem | undefined
  /** The merchant that the body names. */
  merchant: Merchant | undefined
  /** Which attempt of the order may execute, or did, on any chain. */
  claim: OrderClaim | undefined
  /** Whether any redeem of the wallet is on its way. */
  isUnderway: boolean
  /** Turn of the wallet in the processes that share the database. */
  turn: number
}

type Asked = CustomerNonce & { merchantId: string }

/** Reads all of it at once: one statement, also for those who ask at the same time. */
export async function lookUpRedeem(service: Pick<Service, 'database'>, asked: Asked): Promise<KnownRedeem> {
  const database = await service.database()
  const before = questions.get(database)
  const ask = before ?? grouped<Asked, KnownRedeem>((some) => read(database, some), { most: 32 })
  if (before === undefined) questions.set(database, ask)
  return ask(asked)
}

const questions = new WeakMap<Database, (asked: Asked) => Promise<KnownRedeem>>()

async function read(database: Database, some: readonly Asked[]): Promise<KnownRedeem[]> {
  const rows = some.map(
    ({ chain, wallet, nonce, merchantId }, index) =>
      sql`(${index}::int, ${chain.blockchain}::text, ${wallet}::text, ${nonce}::text, ${isStorableText(merchantId) ? merchantId : null}::text, ${orderKeyOf(nonce)}::text)`,
  )
  const asked = sql`(values ${sql.join(rows, sql`, `)}) as asked (place, blockchain, wallet, nonce, merchant_id, order_key)`
  const found = await database
    .select({
      place: sql<number>`asked.place`,
      stored: intents,
      redeem: redeems,
      merchant: merchants,
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
  const byPlace = new Map(found.map((row) => [row.place, row]))
  return some.map((_, index) => {
    const row = byPlace.get(index)
    return {
      stored: row?.stored ?? undefined,
      redeem: row?.redeem ?? undefined,
      merchant: row?.merchant ?? undefined,
      claim: row?.claim ?? undefined,
      isUnderway: row?.isUnderway ?? false,
      turn: row?.turn ?? 0,
    }
  })
}

function ofNonce(table: typeof intents | typeof redeems) {
  return and(
    eq(table.blockchain, sql`asked.blockchain`),
    eq(table.wallet, sql`asked.wallet`),
    eq(table.nonce, sql`asked.nonce`),
  )
}
