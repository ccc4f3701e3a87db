import { createPauses } from '../relayer/createLoop.ts'
import type { Background } from '../relayer/createServiceRelayer.ts'
import { closeJob } from './merchant/closeJob.ts'
import { sendJob } from './merchant/sendJob.ts'
import type { RedeemedFollower } from './orders/followRedeemed.ts'
import { expirePayments } from './payments/expirePayments.ts'
import { closeWithdrawal } from './seller/closeWithdrawal.ts'
import { sendWithdrawals } from './seller/sendWithdrawal.ts'
import type { Service } from './service.ts'
import { finishPayment } from './settlement/finishPayment.ts'
import { settleDue } from './settlement/settleDue.ts'

/** What the service does by itself at each pass of its relayer, and with the outcome of what it sent so. */
export function background(
  service: Service,
  options: { wake: () => void; follower: Pick<RedeemedFollower, 'wake' | 'nudge'> },
): Background {
  const pauses = createPauses(service.now)
  let hasRedeemed = false
  return {
    handlers: { credits: (job) => sendJob(service, job) },
    pass: async (database) => {
      let due = false
      for (const name of ['settlements', 'withdrawals', 'orders'] as const)
        try {
          const steps = {
            settlements: settleDue,
            withdrawals: sendWithdrawals,
            orders: expirePayments,
          }
          if (await steps[name](service, database, pauses)) due = true
        } catch (error) {
          // It keeps none of the others back, and is done again.
          due = true
          service.onError?.(error)
        }
      // Whatever happened, merchants may have to be told.
      options.wake()
      // Only now: the rows of what was mined are closed, and are not waited for.
      if (hasRedeemed) options.follower.wake()
      else options.follower.nudge()
      hasRedeemed = false
      return due
    },
    onFinal: async (work, { row }) => {
      try {
        const { reference, status, hash } = row
        if (reference.kind === 'redeem' || reference.kind === 'batch') hasRedeemed = true
        const at = new Date(service.now())
        if (reference.kind === 'payment')
          return await finishPayment(work, { row, paymentId: reference.paymentId, at })
        const isJob = reference.kind === 'mint' || reference.kind === 'burn'
        if (status === 'dropped') {
          // It never landed: what it was for is still pending and is sent again.
          if (isJob) {
            const { jobId } = reference
            await (await service.queue()).send(work, 'credits', { jobId }, { singletonKey: jobId })
          }
          return
        }
        const mined = status === 'mined'
        const reverted = { status: 'failed', error: 'The transaction was reverted.' } as const
        if (isJob)
          return await closeJob(work, {
            jobId: reference.jobId,
            outcome: mined ? { status: 'completed', value: hash } : reverted,
            at,
          })
        if (reference.kind === 'withdrawal')
          return await closeWithdrawal(work, {
            withdrawalId: reference.withdrawalId,
            outcome: mined ? { status: 'completed', hash } : reverted,
            at,
          })
      } catch (cause) {
        // Takes the closing of the row back, too; the next pass closes it again.
        throw new Error(`What became of transaction ${row.hash} was not written down.`, { cause })
      }
    },
  }
}
