import type { JsonObject } from './json.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bytes32 = `0x${'5a'.repeat(32)}`
// Of merchant "sandbox-shop" and purchase "order 1" (PROTOCOL.md 4.1).
const orderKey = '0xcff8661c04b781a2804ce2e8'
const usd = { cents: 1000, currency: 'USD' }
const email = 'ada@shop.example'
const merchantId = 'sandbox-shop'
const credits = { wallet, blockchain: 'base', amount: { cents: 500 } }
const redeem = {
  merchantId,
  subtotal: { cents: 1000 },
  transactionData: { type: 'token', destination: wallet },
}

/** A body for each call that has one, by the call's id: what a reader changes a little and sends. */
export const examples: Record<string, JsonObject> = {
  creditsAuthMsg: { ...redeem, salt: bytes32, orderKey, purchaseId: 'order 1', webhookInfo: { cart: 7 } },
  sendGaslessTx: {
    ...redeem,
    signedMessages: { permitCredits: `0x${'5a'.repeat(65)}` },
    validBefore: '1800000000',
    nonce: bytes32,
    creditsRawAmount: 10_030_000,
  },
  createCheckoutJwt: { subtotal: usd, email, webhookInfo: { example: 'order 81' } },
  tokenizeCard: { number: '4000009900000012', cvv: '123', expMonth: '12', expYear: '39' },
  cardCheckout: { subtotal: usd, card: { cardToken: 'token of POST /api/tokenize' } },
  wireTokenCheckout: { merchantId, subtotal: usd, token: 'token of a saved account' },
  pixCheckout: { merchantId, subtotal: usd, email },
  mobileAppCheckout: { subtotal: usd, email },
  voidPayment: { paymentId: 'id of a payment with authOnly' },
  merchantInitiatedTransaction: { subscriptionId: 'id of a subscription' },
  usdcAuthorization: { amount: { cents: 400 } },
  getTotals: { subtotal: usd },
  zeroAuthorization: { card: { cardToken: 'token of POST /api/tokenize' } },
  savedCardCheckout: { subtotal: usd, token: 'token of a card on file' },
  purchaseSubscription: { planCode: 'gold-monthly', token: 'token of a card on file' },
  mintCredits: credits,
  burnCredits: credits,
  requestWhitelist: { blockchain: 'base', programId: wallet, selector: '0x12345678' },
  respondToChargeback: { response: 'It was delivered on the same day.' },
  refundPayment: { refundReason: 'userCancellation', partialAmount: { cents: 500 } },
  withdrawUsdc: { destination: wallet, amount: { cents: 500 } },
  validateKyc: { firstName: 'Ada', lastName: 'Lovelace', dob: '1990-12-10', country: 'GB' },
  createIban: { number: 'DE89370400440532013000', accountHolder: 'Ada Lovelace' },
  registerBusiness: { merchantId, country: 'GB', email },
}
