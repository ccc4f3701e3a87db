import { eq } from 'drizzle-orm'
import type { Owner, VerificationStatus } from '../../../../redeemkit/schema/verification.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { emitEvent } from '../../../store/emitEvent.ts'
import { withdrawers } from '../../../store/tables/index.ts'
import { problem } from '../../http/problem.ts'
import type { WithdrawerRow } from './findWithdrawer.ts'

/** The moves of a verification (PROTOCOL.md 10.6). After an end, the next registration begins a new one. */
const verificationMoves: Record<VerificationStatus, readonly VerificationStatus[]> = {
  pending: ['partial-approval', 'approved', 'rejected'],
  approved: ['expired'],
  'partial-approval': [],
  rejected: [],
  expired: [],
}

/**
 * Moves a withdrawer's verification and tells its merchant.
 *
 * @param options.row read in this database transaction, for update
 * @throws a 409 `VERIFICATION_STATE` for a move that there is not
 */
export async function moveVerification(
  work: DatabaseWork,
  options: moveVerification.Options,
): Promise<WithdrawerRow> {
  const { row, to, at, rejectionReasons = [] } = options
  const { withdrawerId, verification: from } = row
  if (!verificationMoves[from].includes(to))
    throw problem('VERIFICATION_STATE', `A verification that is ${from} does not become ${to}.`, {
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
  if (moved === undefined) throw new Error('The verification was not moved.')
  await tellVerification(work, moved, at)
  return moved
}

export declare namespace moveVerification {
  type Options = {
    row: WithdrawerRow
    to: VerificationStatus
    /** By the service's clock. */
    at: Date
    /** Of a rejection. */
    rejectionReasons?: readonly string[] | undefined
  }
}

/** An owner goes where the business goes; when that is approved in part, the owners are what is missing. */
function movedOwner(owner: Owner, to: VerificationStatus): Owner {
  return to !== 'partial-approval' && verificationMoves[owner.status].includes(to)
    ? { ...owner, status: to }
    : owner
}

/** `withdrawal.verification` (PROTOCOL.md 10.4): the state that a verification has now. */
export async function tellVerification(work: DatabaseWork, row: WithdrawerRow, at: Date): Promise<void> {
  const { merchantId, userId, wallet, blockchain, verification } = row
  await emitEvent(work, {
    merchantId,
    type: 'withdrawal.verification',
    data: { userId, wallet, blockchain, verification },
    at,
  })
}
