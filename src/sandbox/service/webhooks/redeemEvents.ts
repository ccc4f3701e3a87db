import { and, asc, eq, or, sql } from 'drizzle-orm'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import type { Database } from '../../store/database.ts'
import { emitEvents } from '../../store/emitEvent.ts'
import { recordsOf, statement, toRows } from '../../store/statement.ts'
import { redeems } from '../../store/tables/index.ts'
import { customerEntries, entryKey } from '../orders/claimOrders.ts'
import type { Service } from '../service.ts'

/**
 * Emits `redeem.sent` and `redeem.reverted`. Several processes can run this. `recordRedeemed` emits `redeem.redeemed` from the
 * contract's events; contracts with random nonces emit none, so this function does it for their redeems.
 *
 * @returns whether there may be more events to emit
 */
export async function emitRedeemEvents(
  service: Pick<Service, 'now' | 'kind'>,
  database: Database,
): Promise<boolean> {
  const isUnreported = and(
    sql`${redeems.reported} is distinct from ${redeems.status}`,
    or(...(['sending', 'redeemed', 'reverted'] as const).map((status) => eq(redeems.status, status))),
  )
  const [waiting] = await database.select({ nonce: redeems.nonce }).from(redeems).where(isUnreported).limit(1)
  if (waiting === undefined) return false
  const at = new Date(service.now())
  return database.transaction(async (work) => {
    const rows = await work
      .select()
      .from(redeems)
      .where(isUnreported)
      .orderBy(asc(redeems.createdAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    const entries = await customerEntries(work, rows)
    const events = rows.flatMap((row) =>
      typesOf(row, service.kind).map((type) =>
        redeemEvent(row, { type, at, kind: service.kind, entry: entries.get(entryKey(row)) }),
      ),
    )
    await emitEvents(work, events)
    // The rows are locked, so the reported state is the stored one.
    if (rows.length > 0) await setReported(work, { rows: toRows(redeems, rows) })
    return rows.length === batch
  })
}

const batch = 100

const setReported = statement((database) => {
  const { blockchain, wallet, nonce, status } = redeems
  return database
    .update(redeems)
    .set({ reported: sql`${status}` })
    .where(
      sql`(${blockchain}, ${wallet}, ${nonce}) in (select blockchain, wallet, nonce from ${recordsOf(redeems, 'rows')})`,
    )
})

type RedeemRow = typeof redeems.$inferSelect

/** Returns both events if a redeem ended before it was reported as sent, and no `redeem.sent` if a third party relayed it. */
function typesOf({ status, reported, attempt }: RedeemRow, kind: ServiceKind): readonly string[] {
  const wasSent = status === 'sending' || (reported !== 'sending' && attempt > 0)
  const ended = status === 'reverted' || (status === 'redeemed' && kind === 'randomNonce')
  return [...(wasSent ? ['redeem.sent'] : []), ...(ended ? [`redeem.${status}`] : [])]
}

function redeemEvent(
  row: RedeemRow,
  { type, at, kind, entry }: { type: string; at: Date; kind: ServiceKind; entry: object | undefined },
) {
  const { merchantId, wallet, blockchain, nonce, hash } = row
  const charged = row.amount - row.usdcAmount + row.gasFee
  return {
    merchantId,
    type,
    at,
    data: {
      merchantId,
      wallet,
      blockchain,
      nonce,
      ...(kind === 'intentBound' && { orderKey: orderKeyOf(nonce) }),
      hash,
      ...(type === 'redeem.redeemed' && { charged: charged.toString() }),
      ...(type === 'redeem.reverted' && { error: 'The transaction was reverted.' }),
      ...entry,
    },
  }
}
