import { and, eq, or, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import type { RedeemEventData } from '../../../redeemkit/schema/webhookEvent.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { intents, orderClaims } from '../../store/tables/index.ts'

type IntentKey = Pick<typeof intents.$inferSelect, 'blockchain' | 'merchantId' | 'wallet' | 'nonce'>

/** What the customer's client sent with `creditsAuthMsg`, for webhooks. Apart from the order key it is unverified. */
type CustomerEntry = Pick<RedeemEventData, 'purchaseId' | 'webhookInfo'>

/** Reads these redeems' entries, by {@link entryKey}. */
export async function customerEntries(
  work: Pick<DatabaseWork, 'select'>,
  redeems: readonly IntentKey[],
): Promise<ReadonlyMap<string, CustomerEntry>> {
  if (redeems.length === 0) return new Map()
  const keys = redeems.map(({ blockchain, wallet, nonce }) => sql`(${blockchain}, ${wallet}, ${nonce})`)
  const rows = await work
    .select()
    .from(intents)
    .where(sql`(${intents.blockchain}, ${intents.wallet}, ${intents.nonce}) in (${sql.join(keys, sql`, `)})`)
  return new Map(rows.map((row) => [entryKey(row), entryOf(row)]))
}

export const entryKey = ({ blockchain, merchantId, wallet, nonce }: IntentKey) =>
  `${blockchain}/${wallet}/${nonce}/${merchantId}`

function entryOf({ purchaseId, webhookInfo }: typeof intents.$inferSelect): CustomerEntry {
  return { ...(purchaseId !== null && { purchaseId }), ...(webhookInfo !== null && { webhookInfo }) }
}

/** The attempt of an order that may execute or has executed. */
export type OrderClaim = typeof orderClaims.$inferSelect

export type OrderAttempt = {
  merchantId: string
  wallet: Hex
  orderKey: Hex
  blockchain: EvmBlockchain
  nonce: Hex
  /** Unix seconds. */
  validBefore: bigint
  /** The ended claim that this attempt replaces, as read by `checkClaim`. */
  ended: OrderClaim | undefined
}

/**
 * Claims the orders of these attempts in the journal's database transaction. Each order may appear once.
 *
 * @returns the attempts blocked by another attempt of their order: their journal row must not be written
 */
export async function claimOrders(
  work: DatabaseWork,
  { attempts, at }: { attempts: readonly OrderAttempt[]; at: Date },
): Promise<readonly OrderAttempt[]> {
  const isSame = sql`${orderClaims.blockchain} = excluded.blockchain and ${orderClaims.nonce} = excluded.nonce`
  const claimed = await work
    .insert(orderClaims)
    .values(
      // A fixed order prevents deadlocks between processes.
      [...attempts]
        .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
        .map(({ ended: _, ...attempt }) => ({ ...attempt, createdAt: at, updatedAt: at })),
    )
    .onConflictDoUpdate({
      target: [orderClaims.merchantId, orderClaims.wallet, orderClaims.orderKey],
      set: {
        blockchain: sql`excluded.blockchain`,
        nonce: sql`excluded.nonce`,
        // A permit submitted earlier blocks the order until it expires.
        validBefore: sql`case when ${isSame} then greatest(${orderClaims.validBefore}, excluded.valid_before) else excluded.valid_before end`,
        redeemedIn: null,
        updatedAt: at,
      },
      setWhere: sql`${or(isSame, ...attempts.map(({ ended }) => ended && isUnchanged(ended)))}`,
    })
    .returning({
      merchantId: orderClaims.merchantId,
      wallet: orderClaims.wallet,
      orderKey: orderClaims.orderKey,
    })
  const done = new Set(claimed.map(orderOf))
  return attempts.filter((attempt) => !done.has(orderOf(attempt)))
}

export function orderOf({
  merchantId,
  wallet,
  orderKey,
}: Pick<OrderAttempt, 'merchantId' | 'wallet' | 'orderKey'>): string {
  // The merchant id is last because it may contain any other character.
  return `${wallet}/${orderKey}/${merchantId}`
}

function isUnchanged({ merchantId, wallet, orderKey, blockchain, nonce, validBefore }: OrderClaim) {
  return and(
    eq(orderClaims.merchantId, merchantId),
    eq(orderClaims.wallet, wallet),
    eq(orderClaims.orderKey, orderKey),
    eq(orderClaims.blockchain, blockchain),
    eq(orderClaims.nonce, nonce),
    eq(orderClaims.validBefore, validBefore),
  )
}
