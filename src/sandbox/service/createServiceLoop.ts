import type { Clock } from '../../redeemkit/core/time/clock.ts'
import { createLoop, type Loop } from '../relayer/createLoop.ts'
import type { Service } from './service.ts'
import { billSubscriptions } from './subscription/billSubscriptions.ts'
import { createWebhookSender } from './webhooks/createWebhookSender.ts'
import { dispatchEvents } from './webhooks/dispatchEvents.ts'
import { tellRedeems } from './webhooks/tellRedeems.ts'

/**
 * What the service does by itself and sends no transaction: bills subscriptions, and tells merchants. Beside the relayer, which
 * does not wait for slow receivers; whoever wakes the relayer wakes this, too.
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
        // It keeps no message back, and is done again.
        due = true
        service.onError?.(error)
      }
      while (await tellRedeems(service, database));
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
