import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { orderMinutes } from '../../../redeemkit/core/limits.ts'
import {
  type MobileAppResponse,
  mobileAppBody,
  type PixResponse,
  pixBody,
  type WireTokenBody,
  type WireTokenResponse,
  wireTokenBody,
} from '../../../redeemkit/schema/checkout.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { payments, wireAccounts } from '../../store/tables/index.ts'
import { serviceOrigin } from '../http/checkCaller.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, endpoint, type Route, route } from '../http/route.ts'
import { readAnswer, sandboxPage } from '../http/sandboxPage.ts'
import { checkOpen, createPayment, movePayment, paymentWork, recordMove } from '../payments/movePayment.ts'
import { type PaymentRow, wrongState } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { prepareCheckout } from './prepareCheckout.ts'

/** Creates an order: a payment that expires if the customer does not pay it in time. */
async function openOrder(
  service: Service,
  payment: createPayment.New,
): Promise<PaymentRow & { expiresAt: Date }> {
  const expiresAt = new Date(payment.at.getTime() + orderMs)
  const row = await paymentWork(service, (work) => createPayment(work, { ...payment, expiresAt }))
  return { ...row, expiresAt }
}

const orderMs = orderMinutes * 60_000

const wireAccountBody = z.strictObject({
  routingNumber: z.string().check(z.regex(/^\d{9}$/, 'expected 9 digits')),
  accountNumber: z.string().check(z.regex(/^\d{4,17}$/, 'expected 4 to 17 digits')),
})

/** `POST /sandbox/wire-accounts`: saves a US bank account and returns its token for wire checkouts (PROTOCOL.md 2.10). */
export const wireAccount = route('POST', '/sandbox/wire-accounts', async (service, context) => {
  const { routingNumber, accountNumber } = await readBody(context, wireAccountBody)
  if (!isRoutingNumber(routingNumber))
    throw invalid('routingNumber', 'The check digit of the routing number is wrong.')
  const { merchantId } = await authorizedMerchant(service, context)
  const token = `wire_${randomBytes(24).toString('base64url')}`
  const lastFour = accountNumber.slice(-4)
  const database = await service.database()
  await database
    .insert(wireAccounts)
    .values({ token, merchantId, routingNumber, lastFour, createdAt: new Date(service.now()) })
  return { token, lastFour }
})

/** Checks the ABA check digit: weights 3, 7, 1. */
function isRoutingNumber(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  )
  return sum % 10 === 0
}

/** `POST /api/checkout/wire/token` (PROTOCOL.md 2.6). The customer has five minutes to pay. */
export const wireToken = endpoint(
  'wireTokenCheckout',
  async (service, context): Promise<WireTokenResponse> => {
    const body = await readBody(context, wireTokenBody)
    const { merchantId } = body
    const customer = await checkoutCustomer(service, context, { merchantId, needs: ['wallet'] })
    const payment = await prepareCheckout(service, { customer, rail: 'wire', body })
    await checkAccount(service, body)
    const memo = `RK${randomBytes(6).toString('hex').toUpperCase()}`
    const order = await openOrder(service, { ...payment, railReference: memo })
    return {
      ...receiver,
      paymentId: order.paymentId,
      memo,
      amount: { cents: order.chargedCents, currency: order.chargedCurrency },
      expires: order.expiresAt.toISOString(),
    }
  },
)

/** A fictitious bank. Its routing number has a valid ABA check digit and begins with 99, a prefix that is not assigned. */
const receiver = {
  address: { address1: '1 Sandbox Way', city: 'Wilmington', state: 'DE', zip: '19801', country: 'US' },
  account_number: '000123456789',
  wireRoutingNumber: '990000000',
  recipientName: 'Sandbox Payments Inc',
}

async function checkAccount(service: Service, body: WireTokenBody): Promise<void> {
  const database = await service.database()
  const [account] = await database
    .select()
    .from(wireAccounts)
    .where(and(eq(wireAccounts.token, body.token), eq(wireAccounts.merchantId, body.merchantId)))
  if (account === undefined) throw invalid('token', 'The merchant has no saved account with this token.')
  if (body.wireRoutingNumber !== undefined && body.wireRoutingNumber !== account.routingNumber)
    throw invalid('wireRoutingNumber', 'The routing number differs from that of the saved account.')
  if (body.accountNumber !== undefined && body.accountNumber.slice(-4) !== account.lastFour)
    throw invalid('accountNumber', 'The account number differs from that of the saved account.')
}

/** `POST /api/checkout/pix` (PROTOCOL.md 2.6): returns a Pix code in reais. */
export const pix = endpoint('pixCheckout', async (service, context): Promise<PixResponse> => {
  const body = await readBody(context, pixBody)
  const { merchantId } = body
  const customer = await checkoutCustomer(service, context, { merchantId, needs: ['wallet', 'userId'] })
  const payment = await prepareCheckout(service, { customer, rail: 'pix', body })
  if (payment.chargedCents > mostCents)
    throw invalid('subtotal', 'The total is above 9,999,999,999.99 reais, the maximum of a Pix code.')
  const txid = `RK${randomBytes(10).toString('hex').toUpperCase()}`
  const order = await openOrder(service, { ...payment, railReference: txid })
  return {
    paymentId: order.paymentId,
    brCode: brCode({
      key: receiverKey,
      cents: order.chargedCents,
      txid,
      name: merchantId,
      city: 'SAO PAULO',
    }),
    quote: { cents: order.chargedCents, currency: order.chargedCurrency },
    expires: order.expiresAt.toISOString(),
  }
})

/** A random Pix key, in the format that banks issue. */
const receiverKey = '5a8d0c1e-7b36-4e4f-9d2a-0f6c3b1e8d47'
/** Maximum amount. A BR Code's amount has at most 13 characters, including the point and two decimals. */
const mostCents = 999_999_999_999

/** `POST /api/checkout/mobileapp/{merchantId}` (PROTOCOL.md 2.6). The link opens a page of the sandbox instead of a payment app. */
export const mobileApp = endpoint(
  'mobileAppCheckout',
  async (service, context): Promise<MobileAppResponse> => {
    const body = await readBody(context, mobileAppBody)
    const customer = await checkoutCustomer(service, context, { needs: ['wallet', 'userId', 'apiKey'] })
    const order = await openOrder(
      service,
      await prepareCheckout(service, { customer, rail: 'mobileapp', body }),
    )
    return {
      expiresAt: order.expiresAt.toISOString(),
      appLink: `${serviceOrigin(service, context)}/sandbox/mobileapp/${order.paymentId}`,
      paymentId: order.paymentId,
    }
  },
)

const path = '/sandbox/mobileapp/:paymentId'

/** The page behind the mobile app's link, on which the customer pays the order. The link is the only credential, as in real apps. */
export const mobileAppPages: readonly Route[] = [
  route('GET', path, async (service, context) => {
    const payment = await (await service.database()).transaction((work) => find(work, context))
    const price = `${(payment.chargedCents / 100).toFixed(2)} ${payment.chargedCurrency}`
    const isOpen = payment.status === 'created'
    return sandboxPage({
      title: isOpen ? 'Pay in the app' : 'Thank you',
      text: isOpen
        ? `${payment.merchantId} requests ${price}. This is a sandbox: no money moves.`
        : `The payment is ${payment.status}.`,
      answers: isOpen ? [['pay', 'Pay']] : [],
    })
  }),
  route('POST', path, async (service, context) => {
    const { isForm } = await readAnswer(context, ['pay'])
    await paymentWork(service, async (work) => payOrder(service, work, await find(work, context)))
    return isForm
      ? sandboxPage({ title: 'Thank you', text: 'The payment is complete. You can return to the shop.' })
      : {}
  }),
]

async function find(work: DatabaseWork, context: Context<AppEnv>): Promise<PaymentRow> {
  const paymentId = context.req.param('paymentId') ?? ''
  const [row] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  if (row?.rail !== 'mobileapp') throw problem('NOT_FOUND', 'The payment does not exist.')
  return row
}

/**
 * Builds a Pix code: a BR Code, the EMV merchant-presented QR code of Brazil's central bank.
 *
 * @param options.cents amount in centavos
 * @param options.txid 1 to 25 letters and digits
 */
export function brCode(options: {
  key: string
  cents: number
  txid: string
  name: string
  city: string
}): string {
  const { key, cents, txid, name, city } = options
  const whole = Math.floor(cents / 100)
  const fields: readonly (readonly [id: string, value: string])[] = [
    ['00', '01'],
    ['26', field('00', 'br.gov.bcb.pix') + field('01', key)],
    ['52', '0000'],
    ['53', currencyNumber],
    ['54', `${whole}.${String(cents - whole * 100).padStart(2, '0')}`],
    ['58', 'BR'],
    ['59', plainText(name, 25)],
    ['60', plainText(city, 15)],
    ['62', field('05', txid)],
  ]
  const text = `${fields.map(([id, value]) => field(id, value)).join('')}6304`
  return text + crc16(text)
}

/** The Brazilian real in ISO 4217. */
const currencyNumber = '986'

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

/** Converts a text to ASCII without accents, with at least one character. */
function plainText(text: string, length: number): string {
  const plain = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, length)
    .trim()
  return plain === '' ? 'SANDBOX' : plain
}

/** Returns the CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xffff) as four hex digits. */
function crc16(text: string): string {
  let crc = 0xffff
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

export async function payOrder(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  const { paymentId, rail } = payment
  if (rail === 'card') throw wrongState(payment, 'A card payment is paid at its checkout.')
  checkOpen(service, payment)
  const at = new Date(service.now())
  return settlePayment(service, work, await movePayment(work, { paymentId, to: 'authorized', at }))
}

/** Expires overdue orders. Several processes can run this at the same time. Returns whether any order is still open. */
export async function expirePayments(service: Pick<Service, 'now'>, database: Database): Promise<boolean> {
  const open = and(eq(payments.status, 'created'), isNotNull(payments.expiresAt))
  const at = new Date(service.now())
  const [next] = await database
    .select({ expiresAt: payments.expiresAt })
    .from(payments)
    .where(open)
    .orderBy(asc(payments.expiresAt))
    .limit(1)
  if (next === undefined) return false
  if (next.expiresAt === null || next.expiresAt > at) return true
  await database.transaction(async (work) => {
    const due = await work
      .select()
      .from(payments)
      .where(and(open, lte(payments.expiresAt, at)))
      .limit(50)
      .for('update', { skipLocked: true })
    for (const row of due) await recordMove(work, row, { to: 'expired', at })
  })
  return true
}
