import { orderMinutes } from '../core/limits.ts'
import type { endpoints } from '../schema/endpoints/endpoints.ts'

/** Name of a call and of the client's method for it. */
export type EndpointId = (typeof endpoints)[number]['id']

export type CallPolicy = {
  /**
   * Whether to repeat the request when its outcome is unknown, or only if the body has the named field. `never`: each attempt costs
   * money, so the request is sent only once, even if the service refused it (PROTOCOL.md 7.6).
   */
  repeatable: boolean | 'never' | 'idempotencyKey' | 'salt'
  /** The advice when the outcome is unknown. Absent for calls that change nothing. */
  lookUp?: string
  /** For card payments: the call that lists the payment or the card, if it was made. */
  payment?: 'getPurchases' | 'getSavedCards'
  /** The body is a checkout, or contains card, bank or personal data. Errors never show its values. */
  body?: 'checkout' | 'private'
  /** The body needs a `merchantId`. Default: the client's. */
  namesMerchant?: true
  /** A 404 means that there is no record. The call then resolves to `null`. */
  mayLack?: true
}

const read = { repeatable: true } as const

const findJob =
  'The job may be running. Wait for its webhook (credits.minted, credits.burned) or compare the balance. You can safely repeat the call with the same idempotencyKey, if the body had one.'

const findCharge =
  'The customer may have been charged. Wait for the webhook payment.settled, or check the customer with getPurchases, before you repeat the call.'

const orderCall = {
  repeatable: false,
  body: 'checkout',
  namesMerchant: true,
  lookUp: `An unpaid order may exist. It expires after ${orderMinutes} minutes. Create another one.`,
} as const

/**
 * Every call of a merchant's client, by its `id` in `endpoints`.
 *
 * Editors show the JSDoc of a property on the client's method of that name.
 */
export const calls = {
  /**
   * Gets the sign-in message for a wallet to sign: `GET /api/auth`. Check it before the wallet signs it, as `login` of `redeemkit` does.
   * PROTOCOL.md 2.4.
   */
  getAuthMessage: read,
  /** Verifies a signed sign-in message: `GET /api/auth/verify`. A 401 is an `UnauthenticatedError`. PROTOCOL.md 2.4. */
  verifyAuth: read,
  /**
   * Gets a session key for a customer, whom you name by your user id, by wallet and blockchain, or by both: `GET
   * /api/auth/session-key`. Pass it to that customer's front end only. It expires (PROTOCOL.md 1.3).
   */
  getSessionKey: read,
  /**
   * Gets the message that the customer signs for a redeem: `POST /api/redeem/evm/creditsAuthMsg`. Retried only with a `salt`.
   * PROTOCOL.md 2.2.
   */
  creditsAuthMsg: { repeatable: 'salt', namesMerchant: true },
  /**
   * Submits a signed redeem: `POST /api/redeem/evm/sendGaslessTx`. A failure after the request was sent is an `OutcomeUnknownError`:
   * check the chain, or send the same request again. PROTOCOL.md 2.2 and 7.4.
   */
  sendGaslessTx: { repeatable: false, namesMerchant: true },
  /**
   * Creates a token that pins the parameters of a checkout, so that a browser can neither change nor add any: `POST
   * /api/checkout/jwt-token`. It expires (PROTOCOL.md 1.3). `purchaseId` is your order's id: the order is paid once, even if each page
   * load creates a JWT. PROTOCOL.md 10.3 and 10.8.
   */
  createCheckoutJwt: { repeatable: true, body: 'checkout' },
  /** Replaces card data with a token, for merchants who may handle card data: `POST /api/tokenize`. PROTOCOL.md 2.6. */
  tokenizeCard: { repeatable: true, body: 'private' },
  /**
   * Pays with a card: `POST /api/checkout/card/{merchantId}`. If the bank asks for 3DS, the error is a `ChallengeRequiredError`. Let the
   * customer complete its `challenge`, then send the same body with `authentication3DS`. Never retried. PROTOCOL.md 2.6 and 10.3.
   */
  cardCheckout: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /** Creates an order for a US wire from a saved account: `POST /api/checkout/wire/token`. PROTOCOL.md 2.6. */
  wireTokenCheckout: orderCall,
  /** Creates an order for a Pix payment: `POST /api/checkout/pix`. PROTOCOL.md 2.6. */
  pixCheckout: orderCall,
  /** Creates a link that opens the payment in a mobile payment app: `POST /api/checkout/mobileapp/{merchantId}`. PROTOCOL.md 2.6. */
  mobileAppCheckout: {
    repeatable: false,
    body: 'checkout',
    lookUp: 'An unpaid order may exist, and will expire. Create another order.',
  },
  /** Voids a payment made with `authOnly`: `POST /api/checkout/void`. PROTOCOL.md 2.6. */
  voidPayment: { repeatable: false, lookUp: 'The payment may be voided. Check its status with getPayment.' },
  /**
   * Takes the next payment of a subscription whose plan is `merchantInitiated`, or charges the card of a customer's earlier payment
   * while the customer is absent: `POST /api/checkout/merchant-initiated-transaction`. Never retried. PROTOCOL.md 2.6.
   */
  merchantInitiatedTransaction: {
    repeatable: 'never',
    lookUp: findCharge,
  },
  /**
   * Gets the message that the customer signs to pay part of a checkout in USDC: `POST /api/checkout/evm/usdc-authorization`.
   * PROTOCOL.md 2.3.
   */
  usdcAuthorization: read,
  /**
   * Calculates the total of a checkout for each rail: `POST /api/checkout/totals/{merchantId}`. Creates nothing. PROTOCOL.md
   * 2.11.
   */
  getTotals: { repeatable: true, body: 'checkout' },
  /** Saves a card with a zero-amount authorization: `POST /api/checkout/zero-authorization/{merchantId}`. PROTOCOL.md 2.11. */
  zeroAuthorization: { repeatable: 'never', payment: 'getSavedCards', body: 'checkout' },
  /** Pays with a saved card: `POST /api/checkout/token/{merchantId}`. Never retried. PROTOCOL.md 2.11. */
  savedCardCheckout: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /**
   * Charges the card of an earlier payment, or a saved one, while the customer is present: `POST /api/checkout/card-on-file`. Never
   * retried. PROTOCOL.md 2.11.
   */
  cardOnFileCheckout: {
    repeatable: 'never',
    lookUp: findCharge,
    body: 'checkout',
  },
  /** Gets the credits and USDC of a wallet, in cents: `GET /api/customer/balances/{merchantIdOrCreditSeed}`. PROTOCOL.md 2.5. */
  getBalances: read,
  /** Lists the customer's saved cards: `GET /api/customer/cards/{merchantId}`. PROTOCOL.md 2.11. */
  getSavedCards: read,
  /**
   * Lists the customer's purchases, newest first: `GET /api/customer/purchases/{merchantId}`. Pass `next` as `query.after` for
   * the next page. PROTOCOL.md 2.11.
   */
  getPurchases: read,
  /** Lists the merchant's plans: `GET /api/subscription/{merchantId}/plans`. PROTOCOL.md 2.8. */
  getPlans: read,
  /** Lists a customer's subscriptions with the merchant: `GET /api/subscription/{merchantId}/subscribers`. PROTOCOL.md 2.8. */
  getCustomerSubscriptions: read,
  /**
   * Subscribes to a plan with a saved card: `POST /api/subscription/{merchantId}/subscribers/token`. Never retried. PROTOCOL.md
   * 2.8.
   */
  purchaseSubscription: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /** Lists the subscriptions to a plan, by its id or code: `GET /api/merchant/subscription/plans/{planId}/subscribers`. PROTOCOL.md 2.8. */
  getPlanSubscribers: read,
  /** Gets a payment: `GET /api/merchant/payments/{paymentId}`. PROTOCOL.md 2.7 and 11.11. */
  getPayment: read,
  /**
   * Starts a job that mints credits to a wallet: `POST /api/merchant/credits/mint`. Retried only with an `idempotencyKey`.
   * `getJobStatus` reports whether the job has ended. PROTOCOL.md 2.7.
   */
  mintCredits: { repeatable: 'idempotencyKey', lookUp: findJob },
  /**
   * Starts a job that turns a wallet's credits into USDC: `POST /api/merchant/credits/burn`. Retried only with an `idempotencyKey`.
   * `getJobStatus` reports whether the job has ended. PROTOCOL.md 2.7.
   */
  burnCredits: { repeatable: 'idempotencyKey', lookUp: findJob },
  /** Gets the status of a mint or burn job: `GET /api/merchant/credits/status/{jobId}`. PROTOCOL.md 2.7 and 11.16. */
  getJobStatus: read,
  /** Requests a whitelist entry for a contract: `POST /api/merchant/program`. It can be called again safely. PROTOCOL.md 2.7 and 6.3. */
  requestWhitelist: read,
  /**
   * Responds to a chargeback with text or a file: `POST /api/merchant/chargebacks/{paymentId}/respond`. The service forwards each
   * response to the card network. PROTOCOL.md 2.7.
   */
  respondToChargeback: {
    repeatable: false,
    lookUp:
      'The response may have reached the card network. You can send another one while the dispute is open.',
  },
  /**
   * Refunds a payment in whole or in part: `POST /api/merchant/payments/{paymentId}/refund`. Retried only with an `idempotencyKey`.
   * PROTOCOL.md 2.11.
   */
  refundPayment: {
    repeatable: 'idempotencyKey',
    lookUp:
      'The refund may have been made. Check getRefunds of the payment. You can safely repeat the call with the same idempotencyKey, if the body had one.',
  },
  /** Lists the refunds of a payment: `GET /api/merchant/payments/{paymentId}/refunds`. PROTOCOL.md 2.11. */
  getRefunds: read,
  /** Withdraws USDC from the merchant's wallet at the service: `POST /api/seller/usdc-withdraw`. Never retried. PROTOCOL.md 2.7. */
  withdrawUsdc: {
    repeatable: 'never',
    lookUp:
      'The USDC may have been sent. Check the destination on chain, or wait for the webhook withdrawal.completed, before you repeat the call.',
  },
  /**
   * Compares a name and date of birth with the KYC record of a user: `POST /api/withdraw/kyc/validate`. Resolves to `null` if there is
   * no record; `valid: false` means that something differs. PROTOCOL.md 2.9 and 11.17.
   */
  validateKyc: { repeatable: true, body: 'private', mayLack: true },
  /**
   * Saves a bank account and returns its token: `POST /api/withdraw/iban`. If another withdrawer uses the account, the error has the
   * code `PAYMENT_METHOD_IN_USE` (423). PROTOCOL.md 2.9 and 11.18.
   */
  createIban: {
    repeatable: false,
    body: 'private',
    lookUp:
      'The account may have been saved. Repeat the call: the same account of the same user has the same token.',
  },
  /**
   * Verifies a business: `POST /api/withdraw/kyb`. After a 451, send the user to the error's `verificationLink`, then to its
   * `redirectLink`. PROTOCOL.md 2.9 and 11.18.
   */
  registerBusiness: {
    repeatable: false,
    body: 'private',
    namesMerchant: true,
    lookUp:
      'The verification may have started. Repeat the call with the same body: an existing record is returned or extended.',
  },
  /** Gets the address of a chain's credits contract, for discovery only: `GET /api/utils/contract-address`. PROTOCOL.md 2.5. */
  getContractAddress: read,
} as const satisfies Readonly<Record<EndpointId, CallPolicy>>
