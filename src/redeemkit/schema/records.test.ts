import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import intents from '../../../test/vectors/redeem-intent.json' with { type: 'json' }
import * as schema from './index.ts'
import { InvalidRecordError, loose, parseRecord } from './index.ts'

const a = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const b32 = `0x${'ab'.repeat(32)}`
const transaction = { to: a, data: '0x12345678' }
const price = { currency: 'USD', valueInCurrency: 10.5 }
const authorization = {
  from: a,
  to: a,
  value: '4000000',
  validAfter: '0',
  validBefore: 1_800_000_000,
  nonce: b32,
}
const v1 = { ...authorization, v: 27, r: b32, s: b32 }
const v2 = { ...authorization, signature: `0x${'cd'.repeat(65)}` }
const baseItem = { productName: 'Sword', productType: 'inGameProduct', quantity: 1 }
const redeem = {
  merchantId: 'shop',
  subtotal: { cents: 1000 },
  transactionData: { transaction },
  signedMessages: { permitCredits: '0x1234', customerUsdcAuthDataV2: v2 },
  validBefore: '1800000000',
  nonce: b32,
  creditsRawAmount: 6_030_000,
  usdcAmount: { cents: 400 },
  chargebackProtectionData: [baseItem],
}
const checkout = {
  subtotal: { cents: 1000, currency: 'EUR' },
  customPayInFees: [
    { fee: { cents: null, currency: null, percent: 2.5, isFixed: false }, lineItemLabel: 'Fee' },
  ],
  customerInfo: { firstName: 'A', lastName: 'B', dob: '2000-02-29' },
  webhookInfo: { example: 'x', order: { id: 7, lines: [1, null] } },
  feePercentage: 1.5,
  fixedFee: { cents: 10 },
  jwtToken: 'ey',
  rent: { lamports: '2039280' },
  transactionData: { type: 'token', destination: a },
  settlementType: 'USDC',
  userLocation: { lat: 1.5, lng: -2 },
  overrideChargebackProtectionDecision: false,
}

const at = '2026-11-20T12:00:00Z'
const usd = { cents: 1000, currency: 'USD' }
const zero = { cents: 0 }
const totals = {
  subtotal: usd,
  creditCardFees: { cents: 30, currency: 'USD' },
  chargebackProtectionFees: zero,
  gasFees: zero,
  payInFees: { cents: 5 },
  total: { cents: 1035, currency: 'USD' },
  lines: [{ label: 'Card fee', cents: 30 }],
}
const payment = {
  paymentId: 'p',
  status: 'settled',
  merchantId: 'shop',
  userId: 'user-1',
  wallet: a,
  blockchain: 'base',
  rail: 'card',
  subtotal: usd,
  totals,
  refunded: { cents: 0, currency: 'USD' },
  settlementType: 'Credits',
  authOnly: false,
  webhookInfo: { order: 7 },
  card: { token: 't', lastFour: '4242' },
  hash: b32,
  history: [
    { to: 'created', at },
    { from: 'created', to: 'settled', at, reason: 'paid' },
  ],
  createdAt: at,
}
const subscription = {
  id: '1',
  customerId: '2',
  merchantId: '3',
  email: 'e@x.test',
  plan: 'Gold',
  planCode: 'gold',
  status: 'Active',
}
const verification = { reference: 'r', status: 'approved', vendor: 'v' }
const cardSettings = {
  customerEmailNotifications: true,
  merchantEmailNotifications: true,
  avsCheck: true,
  enforce3DSWhenProtectionExempt: false,
  threeDsChallengePreference: 'NoPreference',
}
const rate = { fixed: { cents: 100 }, variableBps: 50, minimum: { cents: 100 }, maximum: { cents: 900 } }
const merchant = {
  _id: '1',
  merchantId: 'shop',
  withdrawFees: { firstParty: { asap: rate, swift: rate }, user: { same_day: rate }, swapBps: 5 },
  wallets: {
    stellar: { usdcPayer: 'G' },
    evm: { usdcPayer: a, feePayer: a },
    solana: { usdcPayer: 's', feePayer: 's' },
  },
  apiKey: 'k',
  apiKeys: [{ ips: ['127.0.0.1'], privateUuid: 'x', publicUuid: 'y', scope: 'viewer', disabled: false }],
  kycType: 'both',
  settlementToken: 'EUROe',
  users: [{ email: 'e', scope: 'pos_device', resetNonceUsed: false, ssoProvider: 'google', ssoId: 'i' }],
  verification,
  ubos: [{ ...verification, isControllingPerson: true }],
  goLiveChecklist: {
    acceptedToS: true,
    applicationSubmittedAt: at,
    programWhitelistRequests: [{ programId: a, blockchain: 'eth', status: 'rejected' }],
    rfis: [{ name: 'n', status: 'completed', url: 'u', assignmentFormId: 'f' }],
  },
  cardSettings: { ...cardSettings, gasFeeMode: 'invoice', threshold3DS: { cents: 5000 } },
  fxFees: { EUR: 0.5, VES: 1 },
  blocked: { level: 'Suspended', reason: 'r', blockedAt: at },
  velocitySettings: { limitMode: 'no_limit', customLimit: 10, haltOnThreshold: true },
  velocitySettingsByRail: { apa: { limitMode: 'dynamic' }, mobileapp: {} },
  bankSettlementOptions: { token: 't', minRemainingBalance: { cents: 1 }, useWire: true },
  reserveSettings: { status: 'SweepFixed', rollingBps: 100, rollingDuration: 30, notes: '' },
  riskControls: { topup: { minAmountCents: 1, maxAmountCents: 2 } },
  linkedBankAccount: { routingNumber: '1', accountType: 'savings' },
  monthlyExposureLimit: { cents: 1 },
  processing: { msaSigned: true, statementsOnFile: false },
  ssoSettings: { requireSso: true },
}
const withdrawer = {
  _id: '1',
  wallet: a,
  blockchain: 'base',
  wallets: [{ wallet: a, blockchain: 'base' }],
  email: 'e',
  availability: { status: 'Functional', reason: '', editor: '', updatedAt: at },
  currency: 'USD',
  merchant: 'm',
  verification: { ...verification, status: 'partial-approval' },
  riskScoreOverride: false,
  country: 'US',
  business: true,
  ubos: [{ ...verification, ownershipPct: 50.5 }],
}
const card = { cardToken: 't', expYear: '30' }

/** Every record's schema, with values that it must accept unchanged. */
const good: Record<string, [z.core.$ZodType, ...unknown[]]> = {
  subtotal: [
    schema.subtotal,
    { cents: 0 },
    { cents: 2 ** 53 - 1, currency: 'VES' },
    { address: a, amount: '10.25' },
    { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', amount: 1e-7, decimals: 6 },
  ],
  transactionData: [
    schema.transactionData,
    ...intents.cases.map((one) => one.transactionData),
    { transaction, waitForHash: true },
    { transaction, nftContract: a, nftId: '0xff', waitForHash: false },
    { transaction, nftContract: a, nftId: (2n ** 256n - 1n).toString() },
    {
      type: 'decent',
      dstChainId: 42161,
      dstToken: `0x${'00'.repeat(20)}`,
      contractAddress: a,
      contractData: '0x',
      cost: { isNative: true, amount: '0' },
    },
  ],
  usdcAuthorizationV1: [schema.usdcAuthorizationV1, v1, { ...v1, v: 0 }],
  usdcAuthorizationV2: [schema.usdcAuthorizationV2, v2, { ...v2, signature: '0x' }],
  usdcAuthorizationMessage: [schema.usdcAuthorizationMessage, { message: '{}', messageData: authorization }],
  signedMessages: [
    schema.signedMessages,
    { permitCredits: '0x' },
    { permitCredits: '0xAb', customerUsdcAuthData: v1 },
  ],
  sendGaslessTxBody: [schema.sendGaslessTxBody, redeem],
  sendGaslessTxResponse: [schema.sendGaslessTxResponse, { hash: b32 }],
  creditsAuthMsgBody: [
    schema.creditsAuthMsgBody,
    {
      merchantId: 'shop',
      subtotal: { cents: 1 },
      transactionData: { transaction },
      usdcAmount: { cents: 0 },
      salt: b32,
    },
  ],
  creditsAuthMsgResponse: [
    schema.creditsAuthMsgResponse,
    { message: '{}', validBefore: '1', nonce: b32, creditsRawAmount: 6_030_000 },
    {
      message: '{}',
      validBefore: '1',
      nonce: b32,
      creditsRawAmount: 0,
      salt: b32,
      usdcAuthorization: { message: '{}', messageData: authorization },
    },
  ],
  authMessageResponse: [schema.authMessageResponse, { message: 'm' }, { message: 'm', transaction: 't' }],
  sessionKeyResponse: [schema.sessionKeyResponse, { key: 'k' }],
  contractAddressResponse: [schema.contractAddressResponse, { address: a }],
  balancesResponse: [schema.balancesResponse, { credits: { cents: 0 }, usdc: { cents: 1 } }],
  mintBody: [schema.mintBody, { wallet: a, blockchain: 'base', amount: { cents: 5 }, idempotencyKey: 'k' }],
  jobStatus: [
    schema.jobStatus,
    { status: 'pending' },
    { status: 'completed', value: null },
    { status: 'completed', value: 'x' },
    { status: 'failed', error: 'x' },
  ],
  programBody: [schema.programBody, { blockchain: 'eth', programId: a, selector: '0x12345678' }],
  errorBody: [
    schema.errorBody,
    {
      name: 'InvalidRequestError',
      message: 'm',
      code: 'INVALID_REQUEST',
      issues: ['subtotal.cents'],
      requestId: 'r',
    },
  ],
  cartItem: [
    schema.cartItem,
    baseItem,
    {
      ...baseItem,
      listPrice: price,
      rawProductData: { example: 'x' },
      seller: { id: '1', email: null, dob: '1990', rawSellerData: { any: [1] } },
      transactionHistory: [
        {
          txType: 'a',
          chain: 'b',
          paymentAmount: '1',
          paymentToken: 'c',
          to: 'd',
          from: 'e',
          registryContract: 'f',
          assetID: 'g',
          txTime: 'h',
          txHash: 'i',
          blockNumber: 1,
        },
      ],
    },
    {
      itemClass: 'giftCard',
      productType: 'giftCard',
      sellingPrice: price,
      quantity: 1,
      id: '1',
      itemFulfillment: 'digital',
      categories: ['x'],
    },
    {
      itemClass: 'crypto',
      units: '0.5',
      cryptoCurrency: 'BTC',
      unitPrice: price,
      recipientInfo: {
        phoneInfo: { countryCode: '1', phone: '5551234' },
        wallet: { custodialType: 'unknown' },
      },
    },
    { itemClass: 'moneyTopUp', sellingPrice: price, topUpAmount: price, quantity: 1, isPresetAmount: true },
    {
      itemClass: 'travel',
      sellingPrice: price,
      lodging: {
        nights: 1,
        checkInHour: '23',
        hotel: { name: 'H', country: 'DE', city: 'B' },
        numberOfKids: 0,
      },
      firstWayDestination: 'BER',
      notShown: 1,
    },
  ],
  customerInfo: [
    schema.customerInfo,
    {},
    { name: 'N', lat: '1' },
    { firstName: 'A', lastName: 'B', dob: '1999-12-31' },
  ],
  customPayInFee: [
    schema.customPayInFee,
    { fee: { cents: 10.5, currency: 'USD' }, lineItemLabel: 'Fee' },
    { fee: { percent: 1, isFixed: true }, lineItemLabel: 'Fee' },
    { fee: { cents: 30, currency: null, percent: 2.5 }, lineItemLabel: 'Fee' },
    { fee: { cents: 30, percent: 2.5, isFixed: true }, lineItemLabel: 'Fee' },
  ],
  wireTokenBody: [
    schema.wireTokenBody,
    { ...checkout, merchantId: 'm', token: 't', customerUsdcTransferData: v1 },
    {
      ...checkout,
      merchantId: 'm',
      token: 't',
      customerUsdcTransferData: v1,
      orderKey: `0x${'8f'.repeat(12)}`,
      salt: `0x${'5a'.repeat(32)}`,
    },
  ],
  wireTokenResponse: [
    schema.wireTokenResponse,
    {
      address: { address1: 'a', city: 'c', state: 's', zip: 'z', country: 'US' },
      account_number: '1',
      wireRoutingNumber: '2',
      paymentId: 'p',
      recipientName: 'r',
      memo: 'm',
      amount: { cents: 1, currency: 'USD' },
      expires: '2026-11-20T12:00:00Z',
    },
  ],
  pixBody: [
    schema.pixBody,
    { ...checkout, merchantId: 'm', email: 'e@x.test', customerUsdcTransferDataV2: v2 },
  ],
  pixResponse: [
    schema.pixResponse,
    { paymentId: 'p', brCode: 'b', quote: { cents: 1, currency: 'BRL' }, expires: '2026-11-20T12:00:00Z' },
  ],
  mobileAppBody: [schema.mobileAppBody, checkout],
  mobileAppResponse: [
    schema.mobileAppResponse,
    { expiresAt: '2026-11-20T12:00:00.000Z', appLink: 'https://x.test', paymentId: 'p' },
  ],
  cardCheckoutBody: [
    schema.cardCheckoutBody,
    {
      ...checkout,
      card: { cardToken: 't', expYear: '30' },
      authOnly: true,
      authentication3DS: { transactionId: 'x' },
    },
  ],
  cardCheckoutResponse: [schema.cardCheckoutResponse, { paymentId: 'p', status: 'settled', hash: b32 }],
  mintResponse: [schema.mintResponse, { jobId: 'j' }, { jobId: 42 }],
  contractAddressQuery: [
    schema.contractAddressQuery,
    { blockchain: 'base' },
    { blockchain: 'base', _: '1795320000000' },
  ],
  checkoutJwtBody: [
    schema.checkoutJwtBody,
    {},
    { subtotal: { cents: 1 }, settlementType: 'Bank', email: 'e' },
  ],
  checkoutJwtResponse: [schema.checkoutJwtResponse, { checkoutJwtToken: 'ey' }],
  cardToken: [
    schema.cardToken,
    { token: 't', firstSix: '1', lastFour: '2', referenceNumber: '3', success: true, error: '', message: '' },
  ],
  subscriptionPlan: [
    schema.subscriptionPlan,
    {
      id: '1',
      name: 'Gold',
      code: 'gold',
      interval: 'Monthly',
      amount: usd,
      active: true,
      settlementChain: 'tempo',
      merchantInitiated: false,
    },
  ],
  subscription: [schema.subscription, { ...subscription, blockchain: 'user', nextPaymentAt: at }],
  purchaseSubscriptionBody: [
    schema.purchaseSubscriptionBody,
    { planCode: 'gold', token: 't', customerInfo: { name: 'A' }, chargebackProtectionData: [baseItem] },
  ],
  chargebackResponseBody: [schema.chargebackResponseBody, { response: 'no' }, { fileKey: 'f' }],
  usdcWithdrawBody: [schema.usdcWithdrawBody, { destination: a, amount: { cents: 1 } }],
  kycValidateBody: [
    schema.kycValidateBody,
    { firstName: 'A', lastName: 'B', dob: '1990-01-31', country: 'DE', matchThreshold: 0 },
  ],
  kycValidateResponse: [schema.kycValidateResponse, { invalidFields: ['dob'], valid: false }],
  ibanBody: [
    schema.ibanBody,
    { number: 'DE02120300000000202051', bic: 'BYLADEM1001' },
    { number: '12345678', sortCode: '123456' },
  ],
  kybBody: [
    schema.kybBody,
    { merchantId: 'm', country: 'US', email: 'e', additionalWallets: [{ blockchain: 'eth', wallet: a }] },
    {
      merchantId: 'm',
      info: {
        name: 'N',
        tin: '123456789',
        website: 'w',
        business: { country: 'US', zip: '1', state: 'NY', city: 'c', address1: 'a' },
        person: { email: 'e', lastName: 'l', firstName: 'f' },
      },
    },
  ],
  withdrawer: [schema.withdrawer, withdrawer],
  kybResponse: [schema.kybResponse, { withdrawer }],
  verification: [schema.verification, verification],
  owner: [schema.owner, { ...verification, ownershipPct: 50.5 }],
  merchant: [schema.merchant, { _id: '1', merchantId: 'shop' }, merchant],
  cardSettings: [schema.cardSettings, cardSettings],
  velocitySettings: [schema.velocitySettings, {}, { limitMode: 'custom', customLimit: 1.5 }],
  payment: [schema.payment, { paymentId: 'p', status: 'settled' }, payment],
  totals: [schema.totals, totals],
  totalsBody: [schema.totalsBody, checkout],
  totalsResponse: [schema.totalsResponse, {}, { card: totals, wire: totals, pix: totals, mobileapp: totals }],
  zeroAuthorizationBody: [
    schema.zeroAuthorizationBody,
    { card },
    { token: 't', webhookInfo: {}, authentication3DS: { transactionId: 'x' } },
  ],
  zeroAuthorizationResponse: [
    schema.zeroAuthorizationResponse,
    { paymentId: 'p', token: 't', status: 'authorized' },
  ],
  savedCardBody: [schema.savedCardBody, { ...checkout, token: 't', customerUsdcTransferDataV2: v2 }],
  cardOnFileBody: [schema.cardOnFileBody, { ...checkout, originalPaymentId: 'p' }],
  savedCard: [schema.savedCard, { token: 't', lastFour: '4242', expMonth: '10', expYear: '30' }],
  refundBody: [
    schema.refundBody,
    {},
    { refundReason: 'buyerFraud', partialAmount: { cents: 1 }, idempotencyKey: 'k' },
  ],
  refund: [schema.refund, { id: 'r', paymentId: 'p', amount: usd, status: 'pending', createdAt: at }],
  refundResponse: [
    schema.refundResponse,
    { id: 'r', paymentId: 'p', amount: usd, status: 'completed', createdAt: at },
  ],
  authentication3DS: [
    schema.authentication3DS,
    { transactionId: 'x' },
    { colorDepth: 24, screenHeight: 900, screenWidth: 1440, timeZone: -300 },
  ],
  cardAddress: [schema.cardAddress, { address1: 'a', city: 'c', country: 'US' }],
  purchaseSubscriptionResponse: [
    schema.purchaseSubscriptionResponse,
    { subscriptionId: 's', paymentId: 'p' },
  ],
  purchasesQuery: [schema.purchasesQuery, {}, { limit: '100', after: 'p' }],
  purchasesResponse: [
    schema.purchasesResponse,
    {
      purchases: [
        { paymentId: 'p', status: 'settled', rail: 'pix', subtotal: usd, total: usd, createdAt: at },
      ],
      next: 'p',
    },
  ],
  burnBody: [schema.burnBody, { wallet: a, blockchain: 'base', amount: { cents: 5 } }],
  burnResponse: [schema.burnResponse, { jobId: 'j' }],
  challengeDetails: [schema.challengeDetails, { transactionId: 'x', url: 'https://x.test', creq: 'c' }],
  verificationDetails: [
    schema.verificationDetails,
    { verificationLink: 'https://x.test', redirectLink: 'https://y.test' },
  ],
  webhookEvent: [
    schema.webhookEvent,
    { id: 'e', createdAt: at, type: 'payment.settled', data: payment },
    {
      id: 'e',
      createdAt: at,
      type: 'redeem.redeemed',
      data: { merchantId: 'shop', wallet: a, blockchain: 'base', nonce: b32, hash: b32, charged: '1' },
    },
    {
      id: 'e',
      createdAt: at,
      type: 'redeem.redeemed',
      data: {
        merchantId: 'shop',
        wallet: a,
        blockchain: 'base',
        chainId: 8453,
        creditsContract: a,
        creditSeed: 'shop',
        nonce: b32,
        orderKey: b32.slice(0, 26),
        kind: 'token',
        receiver: a,
        amount: '1',
        usdcAmount: '0',
        charged: '1',
        refunded: '0',
        gasFee: '0',
        hash: b32,
        blockNumber: 1,
        logIndex: 0,
        purchaseId: 'order 1',
        webhookInfo: { cart: ['book'] },
      },
    },
    { id: 'e', createdAt: at, type: 'subscription.failed', data: { ...subscription, status: 'Failed' } },
    {
      id: 'e',
      createdAt: at,
      type: 'credits.burned',
      data: { jobId: 'j', wallet: a, blockchain: 'tempo', amount: { cents: 5 } },
    },
    {
      id: 'e',
      createdAt: at,
      type: 'withdrawal.verification',
      data: { userId: 'u', verification: 'expired' },
    },
    {
      id: 'e',
      createdAt: at,
      type: 'whitelist.approved',
      data: { blockchain: 'eth', programId: a, selector: '0x12345678', status: 'approved' },
    },
  ],
}

/** A schema, an invalid value, and the field that the error must name. */
const bad: [z.core.$ZodType, unknown, string][] = [
  [schema.subtotal, { cents: 1.5 }, 'cents'],
  [schema.subtotal, { cents: -1 }, 'cents'],
  [schema.subtotal, { cents: 2 ** 53 }, 'cents'],
  [schema.subtotal, { cents: '1' }, 'cents'],
  [schema.subtotal, { cents: 1, currency: 'usd' }, 'currency'],
  [schema.subtotal, { cents: 1, decimals: 6 }, 'decimals'],
  [schema.subtotal, { address: a, amount: '1e3' }, 'amount'],
  [schema.subtotal, { address: a, amount: '-1' }, 'amount'],
  [schema.subtotal, { address: a, amount: '' }, 'amount'],
  [schema.subtotal, { address: a, amount: Number.NaN }, 'amount'],
  // rejected, because JSON.parse may have rounded the number
  [schema.subtotal, { address: a, amount: 2 ** 53 }, 'amount'],
  [schema.subtotal, { address: 'a b', amount: 1 }, 'address'],
  [schema.subtotal, JSON.parse('{"cents":1,"__proto__":{}}'), '__proto__'],
  [schema.transactionData, { transaction: { ...transaction, value: '0' } }, 'transaction.value'],
  [schema.transactionData, { transaction, value: 0 }, 'value'],
  [schema.transactionData, { transaction: { to: a, data: '0x123' } }, 'transaction.data'],
  [schema.transactionData, { transaction: { to: a, data: '12' } }, 'transaction.data'],
  [schema.transactionData, { transaction: { to: a.slice(2), data: '0x' } }, 'transaction.to'],
  [schema.transactionData, { transaction: { to: a, data: '0x\n' } }, 'transaction.data'],
  [schema.transactionData, { type: 'normal', transaction }, 'type'],
  [schema.transactionData, { type: null, transaction }, 'type'],
  [schema.transactionData, { type: 'token', destination: `${a}00` }, 'destination'],
  [schema.transactionData, { type: 'token' }, 'destination'],
  [schema.transactionData, { type: 'safeMint', transaction, nftId: '1' }, 'nftId'],
  [schema.transactionData, { transaction, nftContract: a }, 'nftId'],
  [schema.transactionData, { transaction, nftId: '1' }, 'nftContract'],
  [schema.transactionData, { transaction, nftContract: a, nftId: '042' }, 'nftId'],
  [schema.transactionData, { transaction, nftContract: a, nftId: (2n ** 256n).toString() }, 'nftId'],
  [schema.transactionData, { transaction, nftContract: a, nftId: `0x1${'0'.repeat(64)}` }, 'nftId'],
  [schema.transactionData, { transaction, nftContract: a, nftId: 1 }, 'nftId'],
  [
    schema.transactionData,
    {
      type: 'decent',
      dstChainId: 1,
      dstToken: a,
      contractAddress: a,
      contractData: '0x',
      cost: { isNative: true, amount: '1' },
    },
    'dstToken',
  ],
  [schema.usdcAuthorizationV1, { ...v1, v: 256 }, 'v'],
  [schema.usdcAuthorizationV1, { ...v1, v: '27' }, 'v'],
  [schema.usdcAuthorizationV1, { ...v1, validBefore: 1.5 }, 'validBefore'],
  [schema.usdcAuthorizationV1, { ...v1, signature: '0x' }, 'signature'],
  [schema.usdcAuthorizationV2, { ...v2, value: '01' }, 'value'],
  [schema.usdcAuthorizationV2, { ...v2, value: 4_000_000 }, 'value'],
  [
    schema.signedMessages,
    { permitCredits: '0x', customerUsdcAuthData: v1, customerUsdcAuthDataV2: v2 },
    'customerUsdcAuthDataV2',
  ],
  [schema.sendGaslessTxBody, { ...redeem, creditsRawAmount: 2 ** 53 }, 'creditsRawAmount'],
  [schema.sendGaslessTxBody, { ...redeem, creditsRawAmount: '1' }, 'creditsRawAmount'],
  [schema.sendGaslessTxBody, { ...redeem, validBefore: 1_800_000_000 }, 'validBefore'],
  [schema.sendGaslessTxBody, { ...redeem, validBefore: '1.5' }, 'validBefore'],
  [schema.sendGaslessTxBody, { ...redeem, nonce: '0x12' }, 'nonce'],
  [schema.sendGaslessTxBody, { ...redeem, salt: b32 }, 'salt'],
  [
    schema.sendGaslessTxBody,
    { ...redeem, chargebackProtectionData: [baseItem, { ...baseItem, quantity: '1' }] },
    'chargebackProtectionData[1].quantity',
  ],
  [schema.cartItem, { ...baseItem, itemClass: 'spaceship' }, 'itemClass'],
  [schema.cartItem, { ...baseItem, productType: 'sword' }, 'productType'],
  [schema.jobStatus, { status: 'completed' }, 'value'],
  [schema.jobStatus, { status: 'done' }, 'status'],
  [schema.customPayInFee, { fee: { cents: 30 }, lineItemLabel: 'Fee' }, 'fee.currency'],
  [schema.customerInfo, { firstName: 'A' }, 'lastName'],
  [schema.customerInfo, { name: 'A', dob: '2001-02-29' }, 'dob'],
  [
    schema.wireTokenBody,
    {
      ...checkout,
      merchantId: 'm',
      token: 't',
      customerUsdcTransferData: v1,
      customerUsdcTransferDataV2: v2,
    },
    'customerUsdcTransferDataV2',
  ],
  [schema.savedCardBody, { ...checkout, token: 't', orderKey: `0x${'8f'.repeat(32)}` }, 'orderKey'],
  [schema.savedCardBody, { ...checkout, token: 't', salt: `0x${'5a'.repeat(12)}` }, 'salt'],
  [schema.usdcAuthorizationBody, { amount: { cents: 1 }, nonce: '0x01' }, 'nonce'],
  [schema.checkoutJwtBody, { jwtToken: 'ey' }, 'jwtToken'],
  [schema.chargebackResponseBody, { response: 'no', fileKey: 'f' }, 'response'],
  [schema.chargebackResponseBody, {}, 'response'],
  [schema.kycValidateBody, { firstName: 'A', lastName: 'B', matchThreshold: 101 }, 'matchThreshold'],
  [schema.ibanBody, { number: '12345678', sortCode: '12-34-56' }, 'sortCode'],
  [schema.kybBody, { merchantId: 'm', country: 'US' }, 'email'],
  [schema.usdcWithdrawBody, { destination: a, amount: { cents: 0.5 } }, 'amount.cents'],
  [schema.pixBody, { ...checkout, merchantId: 'm', email: 'e', webhookInfo: 'order 7' }, 'webhookInfo'],
  [schema.pixBody, { ...checkout, merchantId: 'm', email: 'e', webhookInfo: [1] }, 'webhookInfo'],
  [schema.mintResponse, { jobId: '' }, 'jobId'],
  [schema.mintResponse, { jobId: 2 ** 53 }, 'jobId'],
  [schema.mintResponse, { jobId: 1.5 }, 'jobId'],
  [schema.cardCheckoutResponse, { paymentId: 'p' }, 'status'],
  [schema.payment, { paymentId: 'p', status: 'SETTLED' }, 'status'],
  [schema.authentication3DS, {}, 'colorDepth'],
  [schema.authentication3DS, { transactionId: 'x', colorDepth: 24 }, 'colorDepth'],
  [schema.totalsBody, { subtotal: { cents: 1 }, bin: '4111111111111111' }, 'bin'],
  [schema.refundBody, { partialAmount: 5 }, 'partialAmount'],
  [schema.refundBody, { refundReason: 'bored' }, 'refundReason'],
  [schema.purchasesQuery, { limit: '0' }, 'limit'],
  [schema.purchasesQuery, { limit: '101' }, 'limit'],
  [schema.zeroAuthorizationBody, {}, 'card'],
  [schema.zeroAuthorizationBody, { token: 't', card }, 'card'],
  [schema.zeroAuthorizationResponse, { paymentId: 'p', status: 'authorized' }, 'token'],
  [schema.webhookEvent, { id: 'e', createdAt: at, type: 'payment.eaten', data: payment }, 'type'],
  [schema.webhookEvent, { id: 'e', createdAt: at, type: 'payment.settled', data: {} }, 'data.paymentId'],
  [schema.merchant, { ...merchant, fxFees: { EURO: 1 } }, 'fxFees.EURO'],
  [schema.merchant, { ...merchant, cardSettings: {} }, 'cardSettings.customerEmailNotifications'],
  [schema.withdrawer, { ...withdrawer, merchant: { _id: '1' } }, 'merchant'],
]

test.each([{ response: 'no', fileKey: 'f' }, {}])(
  'a response to a chargeback must have either a text or a file: %o is rejected',
  (value) => {
    expect(() => parseRecord(schema.chargebackResponseBody, value)).toThrow(
      /exactly one of response and fileKey/,
    )
  },
)

test('the merchant of a withdrawer may be the whole merchant record', () => {
  const whole = { ...withdrawer, merchant }
  expect(parseRecord(schema.withdrawer, whole)).toEqual(whole)
  expect(parseRecord(loose(schema.kybResponse), { withdrawer: whole })).toEqual({ withdrawer: whole })
})

describe('further values that other services use', () => {
  test("are accepted in responses: a payment's status, a fee's currency, an event's type", () => {
    const others = { paymentId: 'p', status: 'SETTLED', rail: 'ach', settlementType: 'Bank' }
    expect(parseRecord(loose(schema.payment), others)).toEqual(others)
    const event = { id: 'e', createdAt: at, type: 'kyc.created', data: { any: 1 } }
    expect(parseRecord(loose(schema.webhookEvent), event)).toEqual(event)
    expect(
      parseRecord(loose(schema.merchant), { _id: '1', merchantId: 'm', fxFees: { EURO: 1 } }).fxFees,
    ).toEqual({ EURO: 1 })
  })

  test('must be text', () => {
    expect(fieldOf(() => parseRecord(loose(schema.payment), { paymentId: 'p', status: 1 }))).toBe('status')
  })
})

describe('the schema', () => {
  for (const [name, [record, ...values]] of Object.entries(good))
    test(`${name} accepts valid values unchanged, also parsed from JSON`, () => {
      for (const value of values) {
        expect(parseRecord(record, value)).toEqual(value)
        expect(parseRecord(record, JSON.parse(JSON.stringify(value)))).toEqual(value)
        expect(parseRecord(loose(record), value)).toEqual(value)
      }
    })

  for (const [name, [record, ...values]] of Object.entries(good))
    test(`${name} rejects an unknown field at every depth; its loose version keeps the field`, () => {
      for (const value of values)
        for (const [path, spoilt] of withUnknownField(value)) {
          if (keepsUnknown(name, value, path)) continue
          expect
            .soft(
              fieldOf(() => parseRecord(record, spoilt)),
              `${name} ${path}`,
            )
            .toBe(path)
          expect.soft(parseRecord(loose(record), spoilt)).toEqual(spoilt)
        }
    })

  for (const [record, value, field] of bad)
    test(`names the invalid field ${field} of ${JSON.stringify(value).slice(0, 60)}`, () => {
      expect(fieldOf(() => parseRecord(record, value))).toBe(field)
      expect(fieldOf(() => parseRecord(record, value, { field: 'body' }))).toBe(`body.${field}`)
    })
})

/** Whether a record keeps unknown fields at this path. */
function keepsUnknown(name: string, value: unknown, path: string): boolean {
  if (/webhookInfo|raw\w+Data/.test(path)) return true
  if (/^(merchant|cardSettings|velocitySettings)$/.test(name))
    return /^(?:(?:cardSettings|velocitySettings|velocitySettingsByRail\.\w+|linkedBankAccount)\.)?unexpected$|^fxFees|\.(?:fixed|minimum|maximum)\./.test(
      path,
    )
  return (value as { itemClass?: string }).itemClass === 'travel' && /^(lodging|unexpected$)/.test(path)
}

function fieldOf(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRecordError)
    return (error as InvalidRecordError).field
  }
  return 'nothing was refused'
}

/** Returns copies of a value, each with one unknown field in one of its objects, and the path of that field. */
function withUnknownField(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value))
    return value.flatMap((one, index) =>
      withUnknownField(one, `${path}[${index}]`).map(([at, spoilt]): [string, unknown] => [
        at,
        value.map((other, place) => (place === index ? spoilt : other)),
      ]),
    )
  if (typeof value !== 'object' || value === null) return []
  const dot = path && '.'
  return [
    [`${path}${dot}unexpected`, { ...value, unexpected: 1 }],
    ...Object.entries(value).flatMap(([key, one]) =>
      withUnknownField(one, `${path}${dot}${key}`).map(([at, spoilt]): [string, unknown] => [
        at,
        { ...value, [key]: spoilt },
      ]),
    ),
  ]
}
