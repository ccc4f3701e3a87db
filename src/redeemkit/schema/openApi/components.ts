import * as z from 'zod/mini'
import * as auth from '../auth.ts'
import * as balances from '../balances.ts'
import * as blockchain from '../blockchain.ts'
import * as cardToken from '../cardToken.ts'
import * as cartItem from '../cartItem.ts'
import * as checkout from '../checkout.ts'
import * as contractAddress from '../contractAddress.ts'
import * as creditsAuthMsg from '../creditsAuthMsg.ts'
import * as currency from '../currency.ts'
import * as customerInfo from '../customerInfo.ts'
import * as customPayInFee from '../customPayInFee.ts'
import * as dates from '../dates.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import * as errorBody from '../errorBody.ts'
import * as jobStatus from '../jobStatus.ts'
import * as merchant from '../merchant.ts'
import * as merchantOperations from '../merchantOperations.ts'
import * as mint from '../mint.ts'
import * as payment from '../payment.ts'
import * as program from '../program.ts'
import * as purchase from '../purchase.ts'
import * as refund from '../refund.ts'
import * as sendGaslessTx from '../sendGaslessTx.ts'
import * as sendGaslessTxBody from '../sendGaslessTxBody.ts'
import * as signedMessages from '../signedMessages.ts'
import * as subscription from '../subscription.ts'
import * as subtotal from '../subtotal.ts'
import * as threeDs from '../threeDsChallengePreference.ts'
import * as totals from '../totals.ts'
import * as transactionData from '../transactionData.ts'
import * as usdcAuthorization from '../usdcAuthorization.ts'
import * as values from '../values.ts'
import * as verification from '../verification.ts'
import * as webhookEvent from '../webhookEvent.ts'
import * as withdrawal from '../withdrawal.ts'
import type { JsonObject } from './json.ts'

/** The first name that a schema has is its component's: those of plain values come first. */
const files: readonly object[] = [
  values,
  dates,
  subtotal,
  auth,
  balances,
  blockchain,
  cardToken,
  cartItem,
  checkout,
  contractAddress,
  creditsAuthMsg,
  currency,
  customerInfo,
  customPayInFee,
  errorBody,
  jobStatus,
  merchant,
  merchantOperations,
  mint,
  payment,
  program,
  purchase,
  refund,
  sendGaslessTxBody,
  sendGaslessTx,
  signedMessages,
  subscription,
  threeDs,
  totals,
  transactionData,
  usdcAuthorization,
  verification,
  webhookEvent,
  withdrawal,
]

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** What a check says that JSON Schema knows otherwise, or not at all. */
const remarks = new Map<z.core.$ZodType, JsonObject>([
  [dates.dateText, { format: 'date' }],
  [dates.dateTimeText, { format: 'date-time' }],
  [dates.dateOrYearText, { description: 'A day as YYYY-MM-DD, or a year as YYYY.' }],
  [
    values.uintText,
    {
      examples: ['1800000000'],
      pattern: '^(0|[1-9]\\d{0,77})$',
      description: 'A whole number below 2^256 in decimal digits.',
    },
  ],
  // What a reader's tool shows of them, in the place of the longest text and the largest number.
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

/** Components of an OpenAPI document: every record of the calls, and what these are made of. */
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
    // Each schema of a call was given a name above.
    nameOf: (schema) => names.get(schema) as string,
  }
}

export type Components = {
  schemas: Record<string, JsonObject>
  /** Name of the component that a call's schema is. */
  nameOf: (schema: z.core.$ZodType) => string
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value
}
