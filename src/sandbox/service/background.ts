import type { Clock } from '../../redeemkit/core/clock.ts'
import { createLoop, createPauses, type Loop } from '../relayer/createLoop.ts'
import type { Background } from '../relayer/createServiceRelayer.ts'
import { expirePayments } from './checkout/orders.ts'
import { closeJob, sendJob } from './merchant/creditJobs.ts'
import { closeWithdrawal, sendWithdrawals } from './merchant/usdcWithdraw.ts'
import type { RedeemedFollower } from './orders/followRedeemed.ts'
import type { Service } from './service.ts'
import { finishPayment } from './settlement/closePayment.ts'
import { settleDue } from './settlement/settlePayment.ts'
import { billSubscriptions } from './subscription/billSubscriptions.ts'
import { createWebhookSender, dispatchEvents } from './webhooks/createWebhookSender.ts'
import { emitRedeemEvents } from './webhooks/redeemEvents.ts'

export function background(
  service: Service,
  options: { wake: () => void; follower: Pick<RedeemedFollower, 'wake' | 'nudge'> },
): Background {
  const pauses = createPauses(service.now)
  let hasRedeemed = false
  return {
    runJob: (jobId) => sendJob(service, jobId),
    pass: async (database) => {
      let due = false
      for (const step of [settleDue, sendWithdrawals, expirePayments])
        try {
          if (await step(service, database, pauses)) due = true
        } catch (error) {
          // The other steps still run. The next pass retries this one.
          due = true
          service.onError?.(error)
        }
      // There may be new events for merchants, even after an error.
      options.wake()
      // The follower reads the rows of mined transactions, so it is woken only after they are closed.
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
          // The job is still pending, so the queue runs it again.
          if (isJob) await (await service.queue()).send(work, reference.jobId)
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
        // The error also rolls back the closing of the row. The next pass retries both.
        throw new Error(`The outcome of transaction ${row.hash} could not be stored.`, { cause })
      }
    },
  }
}

/** Bills subscriptions and sends webhooks, separately from the relayer, so that slow receivers do not delay transactions. */
export function createServiceLoop(
  service: Service,
  options: { signedAt: Clock; headerPrefix: string | undefined },
): Loop {
  const sender = createWebhookSender(service, options)
  const loop = createLoop({
    pauseMs: 400,
    spacingMs: 100,
    onError: (error) => service.onError?.(error),
    pass: async () => {
      const database = await service.database()
      let due = false
      try {
        if (await billSubscriptions(service, database)) due = true
      } catch (error) {
        // Webhooks are still sent. The next pass retries the billing.
        due = true
        service.onError?.(error)
      }
      while (await emitRedeemEvents(service, database));
      while (await dispatchEvents(service, database));
      if (await sender.send(database)) due = true
      return due
    },
  })
  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await sender.idle()
    },
  }
}
