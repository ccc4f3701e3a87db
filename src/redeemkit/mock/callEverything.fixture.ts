import { getAuthMessage, verifyAuth } from '../api/endpoints/auth.ts'
import { cardCheckout, savedCardCheckout, zeroAuthorization } from '../api/endpoints/cards.ts'
import { getTotals, pixCheckout, wireTokenCheckout } from '../api/endpoints/checkout.ts'
import { getBalances, getPurchases, getSavedCards } from '../api/endpoints/customer.ts'
import { getContractAddress, usdcAuthorizationMessage } from '../api/endpoints/redeem.ts'
import { getPlans, purchaseSubscription } from '../api/endpoints/subscription.ts'
import { redeem } from '../redeem/redeem.ts'
import type { MockFetch } from './createMockFetch.ts'
import type { MockService } from './createMockService.ts'
import { createMockWallet } from './createMockWallet.ts'

/** Makes every call that a page makes, to the service and to its own server, with the given `fetch`. */
export async function callEverything(mock: MockService, fetch: MockFetch): Promise<void> {
  const client = mock.client.with({ fetch })
  const order = { subtotal: { cents: 1000, currency: 'USD' as const } }
  await fetch('/calls/getSessionKey')
  await fetch('/calls/mobileAppCheckout', { method: 'POST', body: JSON.stringify(order) })
  await getAuthMessage(client)
  await verifyAuth(client, { signedMessage: 'signed' })
  await getBalances(client)
  await getContractAddress(client)
  await usdcAuthorizationMessage(client, { amount: { cents: 100 } })
  await getTotals(client, order)
  await cardCheckout(client, { ...order, card: { cardToken: 'token' } })
  await savedCardCheckout(client, { ...order, token: 'mock-card-1' })
  await zeroAuthorization(client, { card: { cardToken: 'token' } })
  await wireTokenCheckout(client, { ...order, token: 'account' })
  await pixCheckout(client, { ...order, email: 'ana@shop.example' })
  await getSavedCards(client)
  await getPurchases(client)
  await getPlans(client)
  await purchaseSubscription(client, { planCode: 'monthly', token: 'mock-card-1' })
  await redeem(client, {
    signer: createMockWallet(),
    publicClient: mock.chain,
    pinned: mock.pinned,
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  })
}
