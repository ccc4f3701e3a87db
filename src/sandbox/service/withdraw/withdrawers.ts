import { and, asc, eq } from 'drizzle-orm'
import type { Owner, VerificationStatus } from '../../../redeemkit/schema/verification.ts'
import type { Withdrawer } from '../../../redeemkit/schema/withdrawal.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { withdrawers, withdrawerWallets } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'

/**
 * Tax ids with a fixed result (PROTOCOL.md 10.7); the sandbox approves every other. `pending`: the response is a 451 that requests
 * documents.
 */
export const testTins = {
  '000000001': 'pending',
  '000000002': 'partial-approval',
  '000000003': 'rejected',
} as const satisfies Record<string, VerificationStatus>

export function statusOfTin(tin: string): VerificationStatus {
  return Object.entries(testTins).find(([known]) => known === tin)?.[1] ?? 'approved'
}

export type WithdrawerRow = typeof withdrawers.$inferSelect

export async function findWithdrawer(
  work: DatabaseWork,
  { merchantId, userId }: { merchantId: string; userId: string },
): Promise<WithdrawerRow | undefined> {
  const [row] = await work
    .select()
    .from(withdrawers)
    .where(and(eq(withdrawers.merchantId, merchantId), eq(withdrawers.userId, userId)))
    .for('update')
  return row
}

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

/** Allowed moves (PROTOCOL.md 10.6). After a final state, the next registration starts a new verification. */
const verificationMoves: Record<VerificationStatus, readonly VerificationStatus[]> = {
  pending: ['partial-approval', 'approved', 'rejected'],
  approved: ['expired'],
  'partial-approval': [],
  rejected: [],
  expired: [],
}

/** Moves a verification to another state, and emits its event. This database transaction must have locked the row. */
export async function moveVerification(
  work: DatabaseWork,
  options: {
    row: WithdrawerRow
    to: VerificationStatus
    at: Date
    rejectionReasons?: readonly string[] | undefined
  },
): Promise<WithdrawerRow> {
  const { row, to, at, rejectionReasons = [] } = options
  const { withdrawerId, verification: from } = row
  if (!verificationMoves[from].includes(to))
    throw problem('VERIFICATION_STATE', `The verification is ${from} and cannot become ${to}.`, {
      details: { withdrawerId, status: from },
    })
  const [moved] = await work
    .update(withdrawers)
    .set({
      verification: to,
      ubos: row.ubos.map((owner) => movedOwner(owner, to)),
      ...(to === 'rejected' && { rejectionReasons }),
      updatedAt: at,
    })
    .where(eq(withdrawers.withdrawerId, withdrawerId))
    .returning()
  if (moved === undefined) throw new Error('The verification was not stored.')
  await emitVerification(work, moved, at)
  return moved
}

/** Moves an owner together with the business. After a partial approval of the business, the owner is still pending. */
function movedOwner(owner: Owner, to: VerificationStatus): Owner {
  return to !== 'partial-approval' && verificationMoves[owner.status].includes(to)
    ? { ...owner, status: to }
    : owner
}

export async function emitVerification(work: DatabaseWork, row: WithdrawerRow, at: Date): Promise<void> {
  const { merchantId, userId, wallet, blockchain, verification } = row
  await emitEvent(work, {
    merchantId,
    type: 'withdrawal.verification',
    data: { userId, wallet, blockchain, verification },
    at,
  })
}
