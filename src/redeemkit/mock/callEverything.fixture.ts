import { cardCheckout } from '../api/endpoints/browser/cardCheckout.ts'
import { getAuthMessage } from '../api/endpoints/browser/getAuthMessage.ts'
import { getBalances } from '../api/endpoints/browser/getBalances.ts'
import { getContractAddress } from '../api/endpoints/browser/getContractAddress.ts'
import { getPlans } from '../api/endpoints/browser/getPlans.ts'
import { getPurchases } from '../api/endpoints/browser/getPurchases.ts'
import { getSavedCards } from '../api/endpoints/browser/getSavedCards.ts'
import { getTotals } from '../api/endpoints/browser/getTotals.ts'
import { pixCheckout } from '../api/endpoints/browser/pixCheckout.ts'
import { purchaseSubscription } from '../api/endpoints/browser/purchaseSubscription.ts'
import { savedCardCheckout } from '../api/endpoints/browser/savedCardCheckout.ts'
import { usdcAuthorizationMessage } from '../api/endpoints/browser/usdcAuthorizationMessage.ts'
import { verifyAuth } from '../api/endpoints/browser/verifyAuth.ts'
import { wireTokenCheckout } from '../api/endpoints/browser/wireTokenCheckout.ts'
import { zeroAuthorization } from '../api/endpoints/browser/zeroAuthorization.ts'
import { redeem } from '../redeem/redeem.ts'
import type { MockService } from './createMockService.ts'
import { createMockWallet } from './createMockWallet.ts'
import type { MockFetch } from './service/createMockFetch.ts'

/** Makes every call that a page makes, of the service and of its own server, by a fetch of the caller's. */
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
