import type { MerchantClient } from 'redeemkit/merchant'
import type { Subscription, WebhookEvent } from 'redeemkit/schema'

/** Subscribes a user to a plan with a card that is on file, and takes the first payment. */
export async function subscribe(
  merchant: MerchantClient,
  options: { userId: string; wallet: string; deviceId: string; planCode: string; cardToken: string },
): Promise<string> {
  const { userId, wallet, deviceId, planCode, cardToken: token } = options
  const { key: sessionKey } = await merchant.getSessionKey({ userId })
  const bought = await merchant.purchaseSubscription({
    sessionKey,
    wallet,
    blockchain: 'base',
    // For chargeback protection: the customer's device, as your page names it, and the cart.
    deviceId,
    body: {
      planCode,
      token,
      chargebackProtectionData: [{ productName: planCode, productType: 'subscription', quantity: 1 }],
    },
  })
  // Some services return only the ID.
  return typeof bought === 'object' ? bought.subscriptionId : String(bought)
}

/** Grants or ends access after a webhook. Events may arrive late, so the function reads the current state. */
export async function updateAccess(
  merchant: MerchantClient,
  { event, setAccess }: { event: WebhookEvent; setAccess: (id: string, open: boolean) => Promise<void> },
): Promise<void> {
  if (!event.type.startsWith('subscription.')) return
  const { id, planCode } = event.data as Subscription // The data of each of these event types.
  const all = await merchant.getPlanSubscribers({ planId: planCode })
  const subscription = all.find((one) => one.id === id)
  if (subscription !== undefined) await setAccess(id, subscription.status === 'Active')
}
