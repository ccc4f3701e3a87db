import { centsToAmount } from '../core/amount.ts'
import { orderMinutes } from '../core/limits.ts'
import type {
  CardCheckoutBody,
  CardCheckoutResponse,
  MobileAppBody,
  MobileAppResponse,
  PixBody,
  PixResponse,
  SavedCardBody,
  TotalsBody,
  WireTokenBody,
  WireTokenResponse,
  ZeroAuthorizationResponse,
} from '../schema/checkout.ts'
import type { PaymentRail, PaymentStatus } from '../schema/payment.ts'
import type { Purchase } from '../schema/purchase.ts'
import type { PurchaseSubscriptionBody, PurchaseSubscriptionResponse } from '../schema/subscription.ts'
import type { Totals, TotalsResponse } from '../schema/totals.ts'
import { fundsOf, type MockWorld } from './mockWorld.ts'
import { Refusal } from './refusal.ts'

/** In percent of the subtotal. */
const railPercent: Readonly<Record<PaymentRail, number>> = { card: 2.9, wire: 0, pix: 1, mobileapp: 2.9 }
/** Flat fee for a payment that executes on chain. */
const gasCents = 2
const orderMs = orderMinutes * 60_000

/** `total` is the sum of the lines (PROTOCOL.md 11.21). */
export function totalsAnswer(body: TotalsBody): TotalsResponse {
  return {
    card: totalsOf(body, 'card'),
    wire: totalsOf(body, 'wire'),
    pix: totalsOf(body, 'pix'),
    mobileapp: totalsOf(body, 'mobileapp'),
  }
}

export function cardAnswer(
  world: MockWorld,
  body: CardCheckoutBody | SavedCardBody,
  wallet: string | undefined,
): CardCheckoutResponse | Refusal {
  if ('token' in body && !world.settings.cards.some(({ token }) => token === body.token))
    return new Refusal('NOT_FOUND', 'No saved card has this token.')
  const status = body.authOnly === true ? 'authorized' : 'settled'
  const { paymentId } = remember(world, { rail: 'card', status, body })
  if (status === 'settled' && body.settlementType === 'Credits' && wallet !== undefined)
    fundsOf(world, wallet).credits += centsToAmount(centsOf(body))
  return { paymentId, status }
}

export function zeroAnswer(world: MockWorld): ZeroAuthorizationResponse {
  const token = `mock-card-${world.settings.cards.length + 1}`
  const card = { token, lastFour: '4242', expMonth: '12', expYear: '2034' }
  world.settings = { ...world.settings, cards: [...world.settings.cards, card] }
  return { paymentId: nextId(world), token, status: 'authorized' }
}

export function wireAnswer(world: MockWorld, body: WireTokenBody): WireTokenResponse {
  const { paymentId, total, expires } = remember(world, { rail: 'wire', status: 'created', body })
  return {
    address: { address1: '1 Test Street', city: 'Springfield', state: 'NY', zip: '10001', country: 'US' },
    account_number: '000123456789',
    wireRoutingNumber: '021000021',
    paymentId,
    recipientName: 'Mock Payments',
    memo: paymentId.toUpperCase(),
    amount: total,
    expires,
  }
}

export function pixAnswer(world: MockWorld, body: PixBody): PixResponse {
  const { paymentId, total, expires } = remember(world, { rail: 'pix', status: 'created', body })
  return { paymentId, brCode: `00020126-${paymentId}`, quote: total, expires }
}

export function mobileAppAnswer(world: MockWorld, body: MobileAppBody): MobileAppResponse {
  const { paymentId, expires } = remember(world, { rail: 'mobileapp', status: 'created', body })
  return { expiresAt: expires, appLink: `https://pay.mock.redeemkit.test/${paymentId}`, paymentId }
}

export function subscribeAnswer(
  world: MockWorld,
  body: PurchaseSubscriptionBody,
): PurchaseSubscriptionResponse | Refusal {
  const plan = world.settings.plans.find(({ id, code }) => code === body.planCode || id === body.planCode)
  if (plan === undefined)
    return new Refusal('NOT_FOUND', `There is no plan ${JSON.stringify(body.planCode)}.`)
  const subscriptionId = `mock-subscription-${world.purchases.length + 1}`
  const order = { subtotal: plan.amount }
  const { paymentId } = remember(world, { rail: 'card', status: 'settled', body: order, subscriptionId })
  return { subscriptionId, paymentId }
}

type Order = Pick<TotalsBody, 'subtotal' | 'fixedFee' | 'feePercentage' | 'transactionData'>

function remember(
  { terms, purchases }: MockWorld,
  options: { rail: PaymentRail; status: PaymentStatus; body: Order; subscriptionId?: string },
): { paymentId: string; total: Purchase['total']; expires: string } {
  const { rail, status, body, subscriptionId } = options
  const now = terms.now()
  const paymentId = nextId({ purchases })
  const currency = currencyOf(body)
  const total = { cents: totalsOf(body, rail).total.cents, currency }
  purchases.unshift({
    paymentId,
    status,
    rail,
    subtotal: { cents: centsOf(body), currency },
    total,
    ...(subscriptionId !== undefined && { subscriptionId }),
    createdAt: new Date(now).toISOString(),
  })
  return { paymentId, total, expires: new Date(now + orderMs).toISOString() }
}

const nextId = ({ purchases }: Pick<MockWorld, 'purchases'>) => `mock-payment-${purchases.length + 1}`

function totalsOf(body: Order, rail: PaymentRail): Totals {
  const cents = centsOf(body)
  const currency = currencyOf(body)
  const line = (amount: number) => ({ cents: amount, currency })
  const railFee = percentOf(cents, railPercent[rail])
  const gas = body.transactionData === undefined ? 0 : gasCents
  const marketplace = percentOf(cents, body.feePercentage ?? 0) + (body.fixedFee?.cents ?? 0)
  return {
    subtotal: line(cents),
    creditCardFees: line(railFee),
    chargebackProtectionFees: line(0),
    gasFees: line(gas),
    marketplaceFees: line(marketplace),
    total: line(cents + railFee + gas + marketplace),
  }
}

/** In whole cents, rounded up. */
const percentOf = (cents: number, percent: number) =>
  Math.ceil((cents * Math.round(percent * 1_000)) / 100_000)

/** One token counts as one dollar. */
function centsOf({ subtotal }: Order): number {
  return 'cents' in subtotal ? subtotal.cents : Math.round(Number(subtotal.amount) * 100)
}

const currencyOf = ({ subtotal }: Order) => ('currency' in subtotal ? subtotal.currency : 'USD')
