import type { endpoints } from '../../../src/redeemkit/schema/index.ts'
import { testCards } from '../../../src/sandbox/service/checkout/cards.ts'
import { signedBody } from '../sandboxClient.ts'
import { cart, checkoutSample } from './checkoutSample.ts'
import type { Stage } from './stage.ts'

export type Sample = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

export type EndpointId = (typeof endpoints)[number]['id']

export const endpointCases: Record<EndpointId, (stage: Stage) => Sample | Promise<Sample>> = {
  getAuthMessage: () => ({}),
  verifyAuth: () => ({}),
  getSessionKey: () => ({}),
  creditsAuthMsg: (stage) => ({ body: { ...redeem(stage), salt: `0x${'5a'.repeat(32)}` } }),
  sendGaslessTx: async (stage) => ({
    body: {
      ...(await signedBody(stage.service, {
        request: redeem(stage),
        key: stage.sandbox.accounts.alice.account,
        payment: 'V2',
      })),
      chargebackProtectionData: cart,
    },
  }),
  createCheckoutJwt: () => ({
    body: {
      webhookInfo: { example: 'order 81' },
      subtotal: { currency: 'USD', cents: 100 },
      email: 'ada@shop.example',
      chargebackProtectionData: cart,
      settlementType: 'Bank',
    },
  }),
  tokenizeCard: () => ({
    body: { ...testCards.approved, expMonth: '12', expYear: '39' },
  }),
  cardCheckout: async (stage) => {
    const pinned = { subtotal: { currency: 'USD', cents: 2000 }, email: 'ada@shop.example' }
    const { checkoutJwtToken } = await stage.make('/api/checkout/jwt-token', pinned)
    return {
      params: merchantOf(stage),
      body: {
        subtotal: pinned.subtotal,
        card: {
          cardToken: await stage.card(),
          expYear: '39',
          expMonth: '12',
          email: 'ada@shop.example',
          firstName: 'Ada',
          lastName: 'Lovelace',
          address1: '12 Square',
          city: 'London',
          zip: 'W1J 7NF',
          state: 'LDN',
          country: 'GB',
        },
        jwtToken: checkoutJwtToken,
      },
    }
  },
  wireTokenCheckout: async (stage) => {
    const account = { routingNumber: '021000021', accountNumber: '000123456789' }
    const { token } = await stage.make('/sandbox/wire-accounts', account)
    return {
      body: {
        ...checkout(stage),
        ...merchantOf(stage),
        token,
        wireRoutingNumber: account.routingNumber,
        accountNumber: account.accountNumber,
      },
    }
  },
  pixCheckout: (stage) => ({
    body: { ...checkout(stage), ...merchantOf(stage), email: 'ada@shop.example' },
  }),
  mobileAppCheckout: (stage) => ({
    params: merchantOf(stage),
    body: { ...checkout(stage), email: 'ada@shop.example' },
  }),
  voidPayment: async (stage) => {
    const body = { subtotal: { cents: 500 }, card: { cardToken: await stage.card() }, authOnly: true }
    const { paymentId } = await stage.make(`/api/checkout/card/${stage.sandbox.merchantId}`, body)
    return { body: { paymentId } }
  },
  merchantInitiatedTransaction: async (stage) => ({
    body: { subscriptionId: await stage.subscription(await stage.plan({ merchantInitiated: true })) },
  }),
  usdcAuthorization: () => ({
    body: { amount: { cents: 150 }, paymentId: 'order-81', nonce: `0x${'8f'.repeat(32)}` },
  }),
  getTotals: (stage) => ({
    params: merchantOf(stage),
    body: {
      ...checkout(stage),
      // A contract call requires the blockchain, which a totals call may omit.
      transactionData: undefined,
      email: 'ada@shop.example',
      bin: '400000',
      presentment: 'EUR',
      creditsBalance: { cents: 1 },
      usdcBalance: { cents: 1 },
    },
  }),
  zeroAuthorization: async (stage) => ({
    params: merchantOf(stage),
    body: { card: { cardToken: await stage.card() }, webhookInfo: { example: 'card 1' } },
  }),
  savedCardCheckout: async (stage) => ({
    params: merchantOf(stage),
    body: { subtotal: { cents: 700 }, token: await onFile(stage), email: 'ada@shop.example' },
  }),
  cardOnFileCheckout: async (stage) => ({
    body: { subtotal: { cents: 700 }, token: await onFile(stage), email: 'ada@shop.example' },
  }),
  getBalances: (stage) => ({ params: { merchantIdOrCreditSeed: stage.sandbox.merchantId } }),
  getSavedCards: async (stage) => {
    await onFile(stage)
    return { params: merchantOf(stage) }
  },
  getPurchases: async (stage) => {
    await stage.settled()
    return { params: merchantOf(stage), query: { limit: '1' } }
  },
  getPlans: async (stage) => {
    await stage.plan()
    return { params: merchantOf(stage) }
  },
  getCustomerSubscriptions: async (stage) => {
    await stage.subscription(await stage.plan())
    return { params: merchantOf(stage) }
  },
  purchaseSubscription: async (stage) => ({
    params: merchantOf(stage),
    body: {
      planCode: await stage.plan(),
      token: await stage.card(),
      customerInfo: { name: 'Ada Lovelace', email: 'ada@shop.example' },
      webhookInfo: { example: 'subscriber 81' },
      chargebackProtectionData: cart,
    },
  }),
  getPlanSubscribers: async (stage) => {
    const planId = await stage.plan()
    await stage.subscription(planId)
    return { params: { planId } }
  },
  getPayment: async (stage) => ({ params: { paymentId: await stage.settled() } }),
  mintCredits: (stage) => ({ body: credits(stage) }),
  burnCredits: (stage) => ({ body: credits(stage) }),
  getJobStatus: async (stage) => ({
    params: { jobId: String((await stage.make('/api/merchant/credits/mint', credits(stage))).jobId) },
  }),
  requestWhitelist: (stage) => ({
    body: { blockchain: 'base', programId: stage.base.bridgeAdapter, selector: '0x12345678' },
  }),
  respondToChargeback: async (stage) => {
    const paymentId = await stage.settled()
    await stage.make(`/sandbox/payments/${paymentId}/dispute`, { reason: 'not received' })
    return { params: { paymentId }, body: { response: 'It was delivered on the same day.' } }
  },
  refundPayment: async (stage) => ({
    params: { paymentId: await stage.settled() },
    body: { refundReason: 'userCancellation', partialAmount: { cents: 500 }, idempotencyKey: nextKey() },
  }),
  getRefunds: async (stage) => {
    const paymentId = await stage.settled()
    await stage.make(`/api/merchant/payments/${paymentId}/refund`, { refundReason: 'other' })
    return { params: { paymentId } }
  },
  withdrawUsdc: async (stage) => {
    await stage.settled()
    return { body: { destination: stage.sandbox.accounts.bob.address, amount: { cents: 100 } } }
  },
  validateKyc: () => ({
    body: { firstName: 'Ada', lastName: 'Lovelace', dob: '1990-12-10', country: 'GB', matchThreshold: 85 },
  }),
  createIban: () => ({
    body: {
      number: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      accountHolder: 'Ada Lovelace',
      alias: 'Main',
    },
  }),
  registerBusiness: (stage) => ({
    body: {
      ...merchantOf(stage),
      country: 'GB',
      email: 'ada@shop.example',
      additionalWallets: [{ blockchain: 'polygon', wallet: stage.sandbox.accounts.bob.address }],
      redirectLink: 'https://shop.example/after',
    },
  }),
  getContractAddress: () => ({ query: { blockchain: 'base' } }),
}

const merchantOf = ({ sandbox }: Stage) => ({ merchantId: sandbox.merchantId })

const checkout = ({ sandbox }: Stage) => checkoutSample({ receiver: sandbox.accounts.bob.address })

const redeem = (stage: Stage) => ({
  ...merchantOf(stage),
  subtotal: { cents: 200, currency: 'USD' as const },
  transactionData: {
    type: 'token' as const,
    destination: stage.sandbox.accounts.bob.address,
    waitForHash: true,
  },
  usdcAmount: { cents: 50 },
})

const credits = ({ sandbox }: Stage) => ({
  wallet: sandbox.accounts.carol.address,
  blockchain: 'base',
  amount: { cents: 125 },
  idempotencyKey: nextKey(),
})

let keys = 0
const nextKey = () => `key-${keys++}`

async function onFile(stage: Stage): Promise<string> {
  const path = `/api/checkout/zero-authorization/${stage.sandbox.merchantId}`
  return String((await stage.make(path, { card: { cardToken: await stage.card() } })).token)
}
