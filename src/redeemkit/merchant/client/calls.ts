import type { endpoints } from '../../schema/endpoints/endpoints.ts'

/** Name of a call: what a client's method for it is called. */
export type EndpointId = (typeof endpoints)[number]['id']

/** What a client does about a call, beside what the table of endpoints says. */
export type CallPolicy = {
  /**
   * Whether it may be sent again when nobody knows whether it was done: always, not, or when the body has this field. `never` is for what
   * costs money each time: it is sent once, whatever is answered (PROTOCOL.md 7.6).
   */
  repeatable: boolean | 'never' | 'idempotencyKey' | 'salt'
  /** What to do when nobody knows whether it was done; absent where it makes nothing that lasts. */
  lookUp?: string
  /** The call that lists what a card has paid for, when nobody knows whether it did. */
  payment?: 'getPurchases' | 'getSavedCards'
  /** The body is that of a checkout, or tells of a card, an account or a person: no error shows a value of it. */
  body?: 'checkout' | 'private'
  /** The body has to name the merchant: the client's, where the caller names none. */
  namesMerchant?: true
  /** A 404 is an answer: there is no record. */
  mayLack?: true
}

const read = { repeatable: true } as const

const findJob =
  'It may be under way. Wait for its webhook (credits.minted, credits.burned), or compare the balance. With an idempotencyKey in the body, the same call again is safe.'

/**
 * Every call that a merchant's server can make, by its `id` in the table `endpoints`.
 *
 * The text of a property is what an editor shows for the client's method of that name.
 */
export const calls = {
  /** A text for a wallet to sign in with: `GET /api/auth`. Check it before it is signed: `login` of `redeemkit` does. PROTOCOL.md 2.4. */
  getAuthMessage: read,
  /** Whether a signed message is a good credential of the wallet: `GET /api/auth/verify`. Its 401 is an `UnauthenticatedError`. PROTOCOL.md 2.4. */
  verifyAuth: read,
  /**
   * A session key for an end user, named by your own user id, by wallet and blockchain, or by both: `GET /api/auth/session-key`.
   * Good for 24 hours, to be handed to that user's front end. PROTOCOL.md 1.3.
   */
  getSessionKey: read,
  /** What the customer signs for a redeem: `POST /api/redeem/evm/creditsAuthMsg`. Sent again by itself only with a `salt`. PROTOCOL.md 2.2. */
  creditsAuthMsg: { repeatable: 'salt', namesMerchant: true },
  /**
   * Submits a signed redeem: `POST /api/redeem/evm/sendGaslessTx`. Every failure after it has left is an `OutcomeUnknownError`:
   * look at the chain, or send the same again. PROTOCOL.md 2.2 and 7.4.
   */
  sendGaslessTx: { repeatable: false, namesMerchant: true },
  /**
   * A token that pins the parameters of a checkout, so that a browser can neither change nor add one: `POST /api/checkout/jwt-token`.
   * Every field of `body` is pinned; good for 24 hours. `purchaseId` is your order's id: a new JWT for each page load pays the same
   * order once. PROTOCOL.md 10.3 and 10.8.
   */
  createCheckoutJwt: { repeatable: true, body: 'checkout' },
  /** A token in the place of card data, for merchants who may handle card data: `POST /api/tokenize`. PROTOCOL.md 2.6. */
  tokenizeCard: { repeatable: true, body: 'private' },
  /**
   * Pays with a card: `POST /api/checkout/card/{merchantId}`. A 3DS challenge is a `ChallengeRequiredError` with `challenge`: send the same
   * again with `authentication3DS` when the customer has passed it. Never sent twice by itself. PROTOCOL.md 2.6 and 10.3.
   */
  cardCheckout: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /** Orders a US wire from a saved account, to be paid within 5 minutes: `POST /api/checkout/wire/token`. PROTOCOL.md 2.6. */
  wireTokenCheckout: {
    repeatable: false,
    body: 'checkout',
    namesMerchant: true,
    lookUp: 'An order may stand that nobody pays: it expires after 5 minutes. Make another one.',
  },
  /** Orders a Pix payment, to be paid within 5 minutes: `POST /api/checkout/pix`. PROTOCOL.md 2.6. */
  pixCheckout: {
    repeatable: false,
    body: 'checkout',
    namesMerchant: true,
    lookUp: 'An order may stand that nobody pays: it expires after 5 minutes. Make another one.',
  },
  /** A link that opens the payment in a mobile payment app: `POST /api/checkout/mobileapp/{merchantId}`. PROTOCOL.md 2.6. */
  mobileAppCheckout: {
    repeatable: false,
    body: 'checkout',
    lookUp: 'An order may stand whose link nobody has: it expires. Make another one.',
  },
  /** Voids a payment that was made with `authOnly`: `POST /api/checkout/void`. PROTOCOL.md 2.6. */
  voidPayment: { repeatable: false, lookUp: 'Look at its status with getPayment: it may be voided.' },
  /** Takes the next payment of a subscription that the merchant bills: `POST /api/checkout/merchant-initiated-transaction`. PROTOCOL.md 2.6. */
  merchantInitiatedTransaction: {
    repeatable: 'never',
    lookUp:
      'The customer may be charged. Wait for the webhook payment.settled, or look at nextPaymentAt of the subscription, before you ask again.',
  },
  /** What the customer signs to pay a part of a checkout in USDC: `POST /api/checkout/evm/usdc-authorization`. PROTOCOL.md 2.3. */
  usdcAuthorization: read,
  /** What a checkout will come to, for each rail, before it is paid: `POST /api/checkout/totals/{merchantId}`. Makes nothing. PROTOCOL.md 2.11. */
  getTotals: { repeatable: true, body: 'checkout' },
  /** Puts a card on file by an authorization of zero: `POST /api/checkout/zero-authorization/{merchantId}`. PROTOCOL.md 2.11. */
  zeroAuthorization: { repeatable: 'never', payment: 'getSavedCards', body: 'checkout' },
  /** Pays with a card on file: `POST /api/checkout/token/{merchantId}`. Never sent twice by itself. PROTOCOL.md 2.11. */
  savedCardCheckout: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /** Credits and USDC of a wallet, in cents: `GET /api/customer/balances/{merchantIdOrCreditSeed}`. PROTOCOL.md 2.5. */
  getBalances: read,
  /** The customer's cards on file: `GET /api/customer/cards/{merchantId}`. PROTOCOL.md 2.11. */
  getSavedCards: read,
  /** What the customer bought, the newest first: `GET /api/customer/purchases/{merchantId}`. `next` is the next call's `query.after`. PROTOCOL.md 2.11. */
  getPurchases: read,
  /** The plans that a merchant offers: `GET /api/subscription/{merchantId}/plans`. PROTOCOL.md 2.8. */
  getPlans: read,
  /** A customer's subscriptions with the merchant: `GET /api/subscription/{merchantId}/subscribers`. PROTOCOL.md 2.8. */
  getCustomerSubscriptions: read,
  /** Buys a plan with a stored card: `POST /api/subscription/{merchantId}/subscribers/token`. Never sent twice by itself. PROTOCOL.md 2.8. */
  purchaseSubscription: { repeatable: 'never', payment: 'getPurchases', body: 'checkout' },
  /** The subscriptions to a plan, named by its id or its code: `GET /api/merchant/subscription/plans/{planId}/subscribers`. PROTOCOL.md 2.8. */
  getPlanSubscribers: read,
  /** A payment of the merchant's: `GET /api/merchant/payments/{paymentId}`. PROTOCOL.md 2.7 and 11.11. */
  getPayment: read,
  /**
   * Starts a job that gives credits to a wallet: `POST /api/merchant/credits/mint`. Give an `idempotencyKey`: then the same call is
   * safe to send again, and is. `getJobStatus` follows the job. PROTOCOL.md 2.7.
   */
  mintCredits: { repeatable: 'idempotencyKey', lookUp: findJob },
  /**
   * Starts a job that turns a wallet's credits into USDC: `POST /api/merchant/credits/burn`. Give an `idempotencyKey`: then the same
   * call is safe to send again, and is. `getJobStatus` follows the job. PROTOCOL.md 2.7.
   */
  burnCredits: { repeatable: 'idempotencyKey', lookUp: findJob },
  /** How a mint or burn job stands: `GET /api/merchant/credits/status/{jobId}`. PROTOCOL.md 2.7 and 11.16. */
  getJobStatus: read,
  /** Asks for a contract's place on the whitelist: `POST /api/merchant/program`. Asked twice, it is one request. PROTOCOL.md 2.7 and 6.3. */
  requestWhitelist: read,
  /** Answers a chargeback in words or with a file: `POST /api/merchant/chargebacks/{paymentId}/respond`. Each answer goes on to the card network. PROTOCOL.md 2.7. */
  respondToChargeback: {
    repeatable: false,
    lookUp:
      'The answer may have gone to the card network. A second one is taken, too, while the dispute is open.',
  },
  /**
   * Gives a payment back, whole or in part: `POST /api/merchant/payments/{paymentId}/refund`. Give an `idempotencyKey`: then the same
   * call is safe to send again, and is. PROTOCOL.md 2.11.
   */
  refundPayment: {
    repeatable: 'idempotencyKey',
    lookUp:
      'The refund may be made: look at getRefunds of the payment. With an idempotencyKey in the body, the same call again is safe.',
  },
  /** The refunds of a payment: `GET /api/merchant/payments/{paymentId}/refunds`. PROTOCOL.md 2.11. */
  getRefunds: read,
  /** Pays USDC out of the merchant's wallet at the service: `POST /api/seller/usdc-withdraw`. Never sent twice by itself. PROTOCOL.md 2.7. */
  withdrawUsdc: {
    repeatable: 'never',
    lookUp:
      'The USDC may be paid. Look at the destination on chain, or wait for the webhook withdrawal.completed, before you ask again.',
  },
  /**
   * Compares a person's names and date of birth with the KYC record of a user: `POST /api/withdraw/kyc/validate`.
   *
   * Resolves to `null` when there is no record, which is not a comparison that failed (`valid: false`). PROTOCOL.md 2.9 and 11.17.
   */
  validateKyc: { repeatable: true, body: 'private', mayLack: true },
  /**
   * Saves a bank account and answers its token: `POST /api/withdraw/iban`. An account that another withdrawer uses is a 423 with code
   * `PAYMENT_METHOD_IN_USE`. PROTOCOL.md 2.9 and 11.18.
   */
  createIban: {
    repeatable: false,
    body: 'private',
    lookUp: 'The account may be saved. Saving it again gives another token of the same account.',
  },
  /**
   * Verifies a business: `POST /api/withdraw/kyb`. A 451 sends the user to `verificationLink` first, then to `redirectLink`: both stand on
   * the error. PROTOCOL.md 2.9 and 11.18.
   */
  registerBusiness: {
    repeatable: false,
    body: 'private',
    namesMerchant: true,
    lookUp:
      'The verification may have begun. Ask again with the same body: a record that exists is answered or added to.',
  },
  /** The credits contract of a chain, for discovery only: `GET /api/utils/contract-address`. PROTOCOL.md 2.5. */
  getContractAddress: read,
} as const satisfies Readonly<Record<EndpointId, CallPolicy>>
