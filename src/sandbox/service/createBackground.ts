import type { Clock } from '../../core/time/clock.ts'
import { createLoop, type Loop } from '../relayer/createLoop.ts'
import { expirePayments } from './payments/expirePayments.ts'
import type { Service } from './service.ts'
import { billSubscriptions } from './subscription/billSubscriptions.ts'
import { deliverWebhooks } from './webhooks/deliverWebhooks.ts'
import { dispatchEvents } from './webhooks/dispatchEvents.ts'

/**
 * What the service does by itself and sends no transaction: expires orders, bills subscriptions, and tells merchants. Beside the relayer, which
 * does not wait for slow receivers; whoever wakes the relayer wakes this, too.
 */
export function createBackground(service: Service, options: createBackground.Options): Loop {
  return createLoop({
    pauseMs: 400,
    onError: (error) => service.onError?.(error),
    pass: async () => {
      const database = await service.database()
      const orders = await expirePayments(service, database)
      const bills = await billSubscriptions(service, database)
      while (await dispatchEvents(service, database));
      const webhooks = await deliverWebhooks(service, database, options)
      return orders || bills || webhooks
    },
  })
}

export declare namespace createBackground {
  type Options = { signedAt: Clock; headerPrefix: string | undefined }
}
