import { createPauses } from '../relayer/createPauses.ts'
import type { Background } from '../relayer/createServiceRelayer.ts'
import { closeJob } from './merchant/closeJob.ts'
import { sendJob } from './merchant/sendJob.ts'
import { expirePayments } from './payments/expirePayments.ts'
import { closeWithdrawal } from './seller/closeWithdrawal.ts'
import { sendWithdrawals } from './seller/sendWithdrawal.ts'
import type { Service } from './service.ts'
import { finishPayment } from './settlement/finishPayment.ts'
import { settleDue } from './settlement/settleDue.ts'

/** What the service does by itself at each pass of its relayer, and with the outcome of what it sent so. */
export function background(service: Service, options: { wake: () => void }): Background {
  const pauses = createPauses(service.now)
  const settlements: Step = (database) => settleDue(service, database, pauses)
  const withdrawals: Step = (database) => sendWithdrawals(service, database, pauses)
  const orders: Step = (database) => expirePayments(service, database)
  const telling: Step = async () => {
    options.wake()
    return false
  }
  return {
    // At the end whoever tells merchants is woken: whatever happened, they may have to be told.
    handlers: { credits: (job) => sendJob(service, job) },
    steps: [settlements, withdrawals, orders, telling],
    onFinal: async (work, { row }) => {
      const { reference, status, hash } = row
      const at = new Date(service.now())
      if (reference.kind === 'payment')
        return finishPayment(work, { row, paymentId: reference.paymentId, at })
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
        return closeJob(work, {
          jobId: reference.jobId,
          outcome: mined ? { status: 'completed', value: hash } : reverted,
          at,
        })
      if (reference.kind === 'withdrawal')
        return closeWithdrawal(work, {
          withdrawalId: reference.withdrawalId,
          outcome: mined ? { status: 'completed', hash } : reverted,
          at,
        })
    },
  }
}

type Step = Background['steps'][number]
