import { asc, eq } from 'drizzle-orm'
import type { Withdrawer } from '../../../../redeemkit/schema/withdrawal.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { withdrawerWallets } from '../../../store/tables/index.ts'
import type { WithdrawerRow } from './findWithdrawer.ts'

/** A withdrawer as it goes out (PROTOCOL.md 11.14). */
export async function withdrawerRecord(
  work: Pick<DatabaseWork, 'select'>,
  row: WithdrawerRow,
): Promise<Withdrawer> {
  const wallets = await work
    .select({ wallet: withdrawerWallets.wallet, blockchain: withdrawerWallets.blockchain })
    .from(withdrawerWallets)
    .where(eq(withdrawerWallets.withdrawerId, row.withdrawerId))
    .orderBy(asc(withdrawerWallets.id))
  const { wallet, blockchain, email, currency, country, business, riskScoreOverride } = row
  return {
    _id: row.withdrawerId,
    wallet,
    blockchain,
    wallets,
    email,
    availability: {
      status: row.availability,
      reason: row.availabilityReason,
      editor: row.availabilityEditor,
      updatedAt: row.availabilityAt.toISOString(),
    },
    currency,
    merchant: row.merchantId,
    verification: {
      reference: row.reference,
      status: row.verification,
      vendor: row.vendor,
      ...(row.name !== null && { name: row.name }),
      ...(row.rejectionReasons.length > 0 && { rejectionReasons: [...row.rejectionReasons] }),
    },
    riskScoreOverride,
    country,
    business,
    ubos: [...row.ubos],
    ...(row.geoBlockOverride && { geoBlockOverride: row.geoBlockOverride }),
    blockCardReuseExempt: row.blockCardReuseExempt,
    createdAt: row.createdAt.toISOString(),
  }
}
