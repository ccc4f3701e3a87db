import { setTimeout as wait } from 'node:timers/promises'
import { testCards } from '@redeemkit/sandbox'
import { createMerchantClient } from 'redeemkit/merchant'

const aMonth = 31 * 86_400

export async function month({ sandbox, planCode, userId, card }) {
  const { url: baseUrl, merchantId, apiKey } = sandbox
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
  const sessionKey = async () => (await merchant.getSessionKey({ userId })).key

  const { token } = await merchant.tokenizeCard({
    body: { ...testCards[card], expMonth: '12', expYear: '2039' },
  })
  await merchant.purchaseSubscription({
    sessionKey: await sessionKey(),
    wallet: sandbox.accounts.alice.address,
    blockchain: 'base',
    deviceId: `device of ${userId}`,
    body: {
      planCode,
      token,
      chargebackProtectionData: [{ productName: planCode, productType: 'subscription', quantity: 1 }],
    },
  })
  await sandbox.increaseTime(aMonth)

  // A session key lives for a day.
  const laterKey = await sessionKey()
  for (let round = 0; round < 100; round++) {
    const subscribers = await merchant.getPlanSubscribers({ planId: planCode })
    const { status } = subscribers.find(({ customerId }) => customerId === userId)
    const { purchases } = await merchant.getPurchases({ sessionKey: laterKey })
    const settled = purchases.filter((purchase) => purchase.status === 'settled')
    if (status !== 'Active' || settled.length > 1)
      return { status, settled: settled.map(({ subtotal }) => subtotal.cents).reverse() }
    await wait(200)
  }
  throw new Error('The service has not charged the card again.')
}
