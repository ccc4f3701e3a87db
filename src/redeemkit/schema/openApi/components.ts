import * as z from 'zod/mini'
import * as auth from '../auth.ts'
import * as card from '../card.ts'
import * as cartItem from '../cartItem.ts'
import * as checkout from '../checkout.ts'
import * as contractAddress from '../contractAddress.ts'
import * as customerInfo from '../customerInfo.ts'
import type { Endpoint } from '../endpoints/routes.ts'
import * as errorBody from '../errorBody.ts'
import * as merchant from '../merchant.ts'
import * as merchantOperations from '../merchantOperations.ts'
import * as payment from '../payment.ts'
import * as purchase from '../purchase.ts'
import * as redeemRecords from '../redeem.ts'
import * as sendGaslessTxBody from '../sendGaslessTxBody.ts'
import * as subscription from '../subscription.ts'
import * as subtotal from '../subtotal.ts'
import * as totals from '../totals.ts'
import * as transactionData from '../transactionData.ts'
import * as usdcAuthorization from '../usdcAuthorization.ts'
import * as values from '../values.ts'
import * as verification from '../verification.ts'
import * as webhookEvent from '../webhookEvent.ts'
import * as withdrawal from '../withdrawal.ts'

/** A part of the OpenAPI document. */
export type JsonObject = { [key: string]: unknown }

export function refTo(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

export function schemasIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].flatMap(
    ([, name]) => name ?? [],
  )
}

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The local service's test account Alice, who has credits. */
const wallet = '0x556B62CD6010aF05a45c546c5C8374E4998798BE'
const bytes32 = `0x${'5a'.repeat(32)}`
const usd = { cents: 1000, currency: 'USD' }
const email = 'ada@shop.example'
const merchantId = 'sandbox-shop'
const credits = { wallet, blockchain: 'base', amount: { cents: 500 } }
const redeem = {
  merchantId,
  subtotal: { cents: 1000 },
  transactionData: { type: 'token', destination: address },
}

/** Among optional headers, only those of the wallet have examples. */
export const parameterExamples: Readonly<Record<string, string>> = {
  wallet,
  blockchain: 'base',
  userId: 'user-81',
  merchantId,
  merchantIdOrCreditSeed: merchantId,
  paymentId: 'id of a payment',
  planId: 'gold-monthly',
  jobId: 'id of a job',
}

/** Example bodies by the endpoint's id. Readers of the API explorer edit and send them. */
export const examples: Record<string, JsonObject> = {
  creditsAuthMsg: { ...redeem, salt: bytes32, purchaseId: 'order 1', webhookInfo: { cart: 7 } },
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
  cardOnFileCheckout: { subtotal: usd, originalPaymentId: 'id of a payment by card' },
  purchaseSubscription: { planCode: 'gold-monthly', token: 'token of a card on file' },
  mintCredits: credits,
  burnCredits: credits,
  requestWhitelist: { blockchain: 'base', programId: address, selector: '0x12345678' },
  respondToChargeback: { response: 'It was delivered on the same day.' },
  refundPayment: { refundReason: 'userCancellation', partialAmount: { cents: 500 } },
  withdrawUsdc: { destination: address, amount: { cents: 500 } },
  validateKyc: { firstName: 'Ada', lastName: 'Lovelace', dob: '1990-12-10', country: 'GB' },
  createIban: { number: 'DE89370400440532013000', accountHolder: 'Ada Lovelace' },
  registerBusiness: { merchantId, country: 'GB', email },
}

/** The first exported name of a schema names its component, so files of plain values come first. */
// biome-ignore format: names only, which read better in rows
const files: readonly object[] = [
  values, subtotal, auth, purchase, card, cartItem, checkout, contractAddress, redeemRecords, customerInfo,
  totals, errorBody, merchantOperations, merchant, payment, sendGaslessTxBody, subscription,
  transactionData, usdcAuthorization, verification, webhookEvent, withdrawal,
]

/** Examples, and descriptions of checks that JSON Schema cannot express. */
const remarks = new Map<z.core.$ZodType, JsonObject>([
  [values.dateText, { format: 'date' }],
  [values.dateTimeText, { format: 'date-time' }],
  [values.dateOrYearText, { description: 'A day as YYYY-MM-DD, or a year as YYYY.' }],
  [
    values.uintText,
    {
      examples: ['1800000000'],
      pattern: '^(0|[1-9]\\d{0,77})$',
      description: 'A whole number below 2^256 in decimal digits.',
    },
  ],
  // without an example, API explorers would show the longest text and the largest number
  [values.wholeCents, { examples: [1000] }],
  [values.anyAddress, { examples: [address] }],
  [values.evmAddress, { examples: [address] }],
  [values.bytes32, { examples: [`0x${'5a'.repeat(32)}`] }],
  [values.hexData, { examples: ['0x12345678'] }],
  [values.selector, { examples: ['0x12345678'] }],
  [values.decimalText, { examples: ['10.25'] }],
  [
    values.tokenId,
    {
      examples: ['7'],
      description: 'A token id below 2^256, in decimal digits or as 0x and up to 64 hex digits.',
    },
  ],
])

export function createComponents(endpoints: readonly Endpoint[]): Components {
  const registry = z.registry<{ id: string }>()
  const names = new Map<z.core.$ZodType, string>()
  const add = (schema: z.core.$ZodType, id: string) => {
    if (names.has(schema)) return
    names.set(schema, id)
    registry.add(schema, { id })
  }
  for (const [name, schema] of files.flatMap((file) => Object.entries(file)))
    if (isSchema(schema)) add(schema, name)
  for (const { id, body, query, answer } of endpoints) {
    if (body) add(body, `${id}Body`)
    if (query) add(query, `${id}Query`)
    add(answer, `${id}Answer`)
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, remarks.get(zodSchema)),
  })
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
    ),
    // the loop above named every schema of an endpoint
    nameOf: (schema) => names.get(schema) as string,
  }
}

export type Components = {
  schemas: Record<string, JsonObject>
  nameOf: (schema: z.core.$ZodType) => string
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value
}
