import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import type { RedeemEventData } from '../../../redeemkit/schema/webhookEvent.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { recordsOf, rowsFrom, statement, toRows } from '../../store/statement.ts'
import { intents, orderClaims, redeems } from '../../store/tables/index.ts'

type IntentKey = Pick<typeof intents.$inferSelect, 'blockchain' | 'merchantId' | 'wallet' | 'nonce'>

/** Data for webhooks that the client sent with `creditsAuthMsg`. Only the purchase id is verified: its hash is the order key. */
type CustomerEntry = Pick<RedeemEventData, 'purchaseId' | 'webhookInfo'>

/** Returns the webhook data that the client sent for each redeem, by {@link entryKey}. */
export async function customerEntries(
  work: DatabaseWork,
  redeems: readonly IntentKey[],
): Promise<ReadonlyMap<string, CustomerEntry>> {
  if (redeems.length === 0) return new Map()
  const keys = redeems.map(({ blockchain, wallet, nonce }) => ({ blockchain, wallet, nonce }))
  const rows = await selectIntents(work, { keys: toRows(intents, keys) })
  return new Map(rows.map((row) => [entryKey(row), entryOf(row)]))
}

const selectIntents = statement((database) => {
  const { blockchain, wallet, nonce } = intents
  return database
    .select()
    .from(intents)
    .where(
      sql`(${blockchain}, ${wallet}, ${nonce}) in (select blockchain, wallet, nonce from ${recordsOf(intents, 'keys')})`,
    )
})

export const entryKey = ({ blockchain, merchantId, wallet, nonce }: IntentKey) =>
  `${blockchain}/${wallet}/${nonce}/${merchantId}`

function entryOf({ purchaseId, webhookInfo }: typeof intents.$inferSelect): CustomerEntry {
  return { ...(purchaseId !== null && { purchaseId }), ...(webhookInfo !== null && { webhookInfo }) }
}

/** A claim: the attempt of an order that may execute or has executed. */
export type OrderClaim = typeof orderClaims.$inferSelect

export type OrderAttempt = {
  merchantId: string
  wallet: Hex
  orderKey: Hex
  blockchain: EvmBlockchain
  nonce: Hex
  /** End of the attempt's permit, in unix seconds. */
  validBefore: bigint
  /** The ended claim that this attempt replaces, as `checkClaim` read it. */
  ended: OrderClaim | undefined
}

/**
 * Call this in the database transaction of the journal. Each order may appear only once. Do not journal the attempts that this function
 * returns: another attempt blocks their order.
 */
export async function claimOrders(
  work: DatabaseWork,
  { attempts, at }: { attempts: readonly OrderAttempt[]; at: Date },
): Promise<readonly OrderAttempt[]> {
  // Sorted, to prevent deadlocks between processes.
  const rows = [...attempts]
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    .map(({ ended: _, ...attempt }) => ({ ...attempt, createdAt: at, updatedAt: at }))
  const ended = attempts.flatMap((attempt) => attempt.ended ?? [])
  const claimed = await insertClaims(work, {
    rows: toRows(orderClaims, rows),
    ended: toRows(orderClaims, ended),
  })
  const done = new Set(claimed.map(orderOf))
  return attempts.filter((attempt) => !done.has(orderOf(attempt)))
}

const insertClaims = statement((database) => {
  const { merchantId, wallet, orderKey, blockchain, nonce, validBefore } = orderClaims
  const isSame = sql`${blockchain} = excluded.blockchain and ${nonce} = excluded.nonce`
  // The claim is as `checkClaim` read it, so no other attempt has replaced it since.
  const isEnded = sql`(${merchantId}, ${wallet}, ${orderKey}, ${blockchain}, ${nonce}, ${validBefore}) in (select merchant_id, wallet, order_key, blockchain, nonce, valid_before from ${recordsOf(orderClaims, 'ended')})`
  return database
    .insert(orderClaims)
    .select(rowsFrom(orderClaims))
    .onConflictDoUpdate({
      target: [merchantId, wallet, orderKey],
      set: {
        blockchain: sql`excluded.blockchain`,
        nonce: sql`excluded.nonce`,
        // An earlier permit of the same attempt may expire later than this one. It blocks the order until it expires.
        validBefore: sql`case when ${isSame} then greatest(${validBefore}, excluded.valid_before) else excluded.valid_before end`,
        redeemedIn: null,
        updatedAt: sql`excluded.updated_at`,
      },
      setWhere: sql`${isSame} or ${isEnded}`,
    })
    .returning({ merchantId, wallet, orderKey })
})

export function orderOf({
  merchantId,
  wallet,
  orderKey,
}: Pick<OrderAttempt, 'merchantId' | 'wallet' | 'orderKey'>): string {
  // The merchant id is last, because it may contain a slash.
  return `${wallet}/${orderKey}/${merchantId}`
}

/**
 * Inserts redeems or updates existing ones, and returns the keys of the rows that it wrote. Pass the result of `toRows` as `rows`. In
 * `mayUpdate`, the condition for updating an existing row, `excluded` is the new row.
 */
export const writeRedeems = (mayUpdate: SQL) =>
  statement((database) => {
    const { blockchain, wallet, nonce, attempt } = redeems
    return database
      .insert(redeems)
      .select(rowsFrom(redeems))
      .onConflictDoUpdate({
        target: [blockchain, wallet, nonce],
        set: {
          // A random nonce does not commit to merchant and amounts, so another redeem with it may change them.
          merchantId: sql`excluded.merchant_id`,
          shape: sql`excluded.kind`,
          amount: sql`excluded.amount`,
          usdcAmount: sql`excluded.usdc_amount`,
          gasFee: sql`excluded.gas_fee`,
          // A redeem that a third party relayed has attempt 0, which must not reset the service's count.
          attempt: sql`greatest(${attempt}, excluded.attempt)`,
          status: sql`excluded.status`,
          hash: sql`excluded.hash`,
          updatedAt: sql`excluded.updated_at`,
        },
        setWhere: mayUpdate,
      })
      .returning({ wallet, nonce })
  })
