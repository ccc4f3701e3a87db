import { and, eq, sql } from 'drizzle-orm'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { grouped } from '../../process/grouped.ts'
import type { Database } from '../../store/database.ts'
import { intents, merchants, orderClaims, redeems, walletTurns } from '../../store/tables/index.ts'
import type { Merchant } from '../http/merchant.ts'
import { isStorableText } from '../http/storableText.ts'
import type { OrderClaim } from '../orders/claimOrders.ts'
import type { Service } from '../service.ts'
import type { CustomerNonce, StoredIntent, StoredRedeem } from './redeemRows.ts'

/** What the database knows of a redeem that somebody asks for. */
export type KnownRedeem = {
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
