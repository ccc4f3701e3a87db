import type { Clock } from '../../redeemkit/core/time/clock.ts'
import { createLoop, type Loop } from '../relayer/createLoop.ts'
import type { Service } from './service.ts'
import { billSubscriptions } from './subscription/billSubscriptions.ts'
import { createWebhookSender, dispatchEvents } from './webhooks/createWebhookSender.ts'
import { emitRedeemEvents } from './webhooks/redeemEvents.ts'

/**
 * Runs background work without transactions: bills subscriptions and sends webhooks. It is separate from the relayer so that
 * slow receivers do not delay transactions. Waking the relayer also wakes this loop.
 */
export function createServiceLoop(service: Service, options: createServiceLoop.Options): Loop {
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
        // Webhooks are still sent; billing is retried in the next pass.
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

export declare namespace createServiceLoop {
  type Options = { signedAt: Clock; headerPrefix: string | undefined }
}
