import { randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { passesLuhn } from '../../../redeemkit/core/passesLuhn.ts'
import { type CardToken, type TokenizeBody, tokenizeBody } from '../../../redeemkit/schema/card.ts'
import type { CardCheckoutBody, SavedCard } from '../../../redeemkit/schema/checkout.ts'
import { paymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { DatabaseWork } from '../../store/database.ts'
import type { CardBehaviour } from '../../store/states.ts'
import { cardsOnFile, cardTokens, payments } from '../../store/tables/index.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem, type ServiceProblem } from '../http/problem.ts'
import { readPrivateBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import { paymentMeanings } from '../payments/paymentMeanings.ts'
import { ofCustomer, type PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { type CardRefusal, type CardRow, refusalMessages } from './chargeCard.ts'

/**
 * The sandbox's test cards, named by their effect; `docs/pages/reference/sandbox.md` explains each. All other numbers are
 * declined. Any expiry month that has not passed works. The numbers pass the Luhn check and belong to no bank.
 *
 * @example
 * ```ts
 * import { testCards } from '@redeemkit/sandbox'
 * const { number, cvv } = testCards.challenge
 * ```
 */
export const testCards = {
  approved: { number: '4000009900000012', cvv: '123' },
  declined: { number: '4000009900000020', cvv: '123' },
  insufficientFunds: { number: '4000009900000038', cvv: '123' },
  fraud: { number: '4000009900000046', cvv: '123' },
  challenge: { number: '4000009900000053', cvv: '123' },
  declinedLater: { number: '4000009900000061', cvv: '123' },
} as const satisfies Record<Exclude<CardBehaviour, 'unknown'>, { number: string; cvv: string }>

export function cardProblem(
  refusal: CardRefusal,
  { paymentId }: Pick<PaymentRow, 'paymentId'>,
): ServiceProblem {
  const code = refusal === 'fraud' ? 'FRAUD_SUSPECTED' : 'CARD_DECLINED'
  return problem(code, refusalMessages[refusal], { details: { paymentId, reason: refusal } })
}

/** A card is valid until the end of its expiry month, UTC. */
export function hasExpired(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  now: number,
): boolean {
  // Months count from 0, so this is the start of the next month.
  return now >= Date.UTC(expYear, expMonth)
}

export function checkExpiry(card: { expMonth: number; expYear: number }, now: number): void {
  if (hasExpired(card, now))
    throw problem('CARD_EXPIRED', 'The card has expired.', { issues: ['expMonth', 'expYear'] })
}

export function checkSameExpiry({ expMonth, expYear }: CardCheckoutBody['card'], card: CardRow): void {
  const isMonth = expMonth === undefined || Number(expMonth) === card.expMonth
  const isYear = expYear === undefined || Number(expYear) % 100 === card.expYear % 100
  if (!isMonth || !isYear)
    throw invalid(
      isMonth ? 'card.expYear' : 'card.expMonth',
      'The expiry date differs from that of the tokenized card.',
    )
}

/** Returns a card's fields to store: all except number and CVV. Errors quote neither. */
export function readCard(body: TokenizeBody, now: number): CardFacts {
  const number = body.number.replace(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
    throw problem('INVALID_CARD_NUMBER', 'The card number is invalid: its length or check digit is wrong.', {
      issues: ['number'],
    })
  const expiry = readExpiry(body)
  checkExpiry(expiry, now)
  const known = knownBehaviours.find((behaviour) => testCards[behaviour].number === number)
  const isCvv = known === undefined ? /^\d{3,4}$/.test(body.cvv) : body.cvv === testCards[known].cvv
  const { cvv } = testCards.approved
  if (!isCvv)
    throw problem('INVALID_CVV', `The CVV is wrong. The test cards have ${cvv}.`, { issues: ['cvv'] })
  return {
    firstSix: number.slice(0, 6),
    lastFour: number.slice(-4),
    ...expiry,
    behaviour: known ?? 'unknown',
  }
}

type CardFacts = {
  firstSix: string
  lastFour: string
  expMonth: number
  expYear: number
  behaviour: CardBehaviour
}

// `Object.keys` loses the type of the keys.
const knownBehaviours = Object.keys(testCards) as (keyof typeof testCards)[]

function readExpiry({ expMonth, expYear }: { expMonth: string; expYear: string }) {
  const month = Number(expMonth)
  if (!/^\d{1,2}$/.test(expMonth) || month < 1 || month > 12)
    throw invalid('expMonth', 'expMonth must be 1 to 12.')
  if (!/^(?:\d{2}|20\d{2})$/.test(expYear)) throw invalid('expYear', 'expYear must have two or four digits.')
  return { expMonth: month, expYear: expYear.length === 2 ? 2000 + Number(expYear) : Number(expYear) }
}

/** Finds a card by a merchant's token or this customer's saved-card token. Errors never quote the token: it may be a card number. */
export async function findCard(
  service: Service,
  wanted: { customer: CheckoutCustomer; token: string; field: string; onFile?: boolean },
): Promise<CardRow> {
  const { field, onFile = false } = wanted
  const card =
    (await cardOnFile(service, wanted)) ?? (onFile ? undefined : await tokenizedCard(service, wanted))
  if (card === undefined)
    throw invalid(field, `No card has this ${field}. Ask the customer to enter the card again.`)
  return card
}

/**
 * The earlier payment must have been approved or have saved the card.
 *
 * @throws ServiceProblem a 410 if there is no such payment: the customer must enter a card again
 */
export async function cardOfPayment(
  service: Service,
  { customer, paymentId }: { customer: CheckoutCustomer; paymentId: string },
): Promise<CardRow> {
  const database = await service.database()
  const [row] = await database
    .select({ card: cardTokens })
    .from(payments)
    .innerJoin(cardTokens, eq(cardTokens.token, payments.cardToken))
    .where(
      and(
        eq(payments.paymentId, paymentId),
        inArray(payments.status, agreedStates),
        ofCustomer(payments, customer),
      ),
    )
  if (row !== undefined) return { ...row.card, purchaseId: null }
  throw problem('CARD_VALIDATION_EXPIRED', 'The customer has no earlier payment with this id and a card.', {
    issues: ['originalPaymentId'],
  })
}

const agreedStates = paymentStatus.options.filter(
  (status) => paymentMeanings[status].isPaid || status === 'voided',
)

type Wanted = { customer: CheckoutCustomer; token: string }

async function cardOnFile(service: Service, { customer, token }: Wanted): Promise<CardRow | undefined> {
  const database = await service.database()
  const [row] = await database
    .select({ card: cardTokens })
    .from(cardsOnFile)
    .innerJoin(cardTokens, eq(cardTokens.token, cardsOnFile.cardToken))
    .where(and(eq(cardsOnFile.cardId, token), ofCustomer(cardsOnFile, customer)))
  // A saved card is not tied to a purchase and can be charged any number of times.
  return row && { ...row.card, purchaseId: null }
}

async function tokenizedCard(service: Service, { customer, token }: Wanted): Promise<CardRow | undefined> {
  const database = await service.database()
  const [card] = await database
    .select()
    .from(cardTokens)
    .where(
      and(
        eq(cardTokens.token, token),
        eq(cardTokens.merchantId, customer.merchant.merchantId),
        or(isNull(cardTokens.purchaseId), ofCustomer(cardTokens, customer)),
      ),
    )
  return card
}

export async function keepToken(
  service: Service,
  { card, merchantId, of }: { card: CardFacts; merchantId: string; of?: CardPurchaser | undefined },
): Promise<CardToken> {
  const token = `tok_${randomBytes(24).toString('base64url')}`
  const referenceNumber = randomUUID()
  const database = await service.database()
  await database
    .insert(cardTokens)
    .values({ ...card, ...of, token, merchantId, referenceNumber, createdAt: new Date(service.now()) })
  const { firstSix, lastFour } = card
  return { token, firstSix, lastFour, referenceNumber, success: true, error: '', message: '' }
}

/** The owner of a token and, for a token of the card form, the one purchase that it can pay (PROTOCOL.md 10.8). */
type CardPurchaser = Pick<typeof cardTokens.$inferInsert, 'userId' | 'wallet' | 'blockchain'> & {
  purchaseId: string
}

/** Saves a card for a customer unless it is already saved, and returns the customer's token for the card. */
export async function putOnFile(
  work: DatabaseWork,
  { customer, cardToken, at }: { customer: CheckoutCustomer; cardToken: string; at: Date },
): Promise<string> {
  // The lock prevents concurrent requests from saving a card twice.
  await work
    .select({ token: cardTokens.token })
    .from(cardTokens)
    .where(eq(cardTokens.token, cardToken))
    .for('update')
  const [known] = await work
    .select({ cardId: cardsOnFile.cardId })
    .from(cardsOnFile)
    .where(and(eq(cardsOnFile.cardToken, cardToken), ofCustomer(cardsOnFile, customer)))
  if (known !== undefined) return known.cardId
  const cardId = `card_${randomBytes(24).toString('base64url')}`
  const { merchant, userId = null, wallet = null, blockchain = null } = customer
  await work.insert(cardsOnFile).values({
    cardId,
    merchantId: merchant.merchantId,
    userId,
    wallet,
    blockchain,
    cardToken,
    createdAt: at,
  })
  return cardId
}

/** `GET /api/customer/cards/{merchantId}` (PROTOCOL.md 2.11): lists the customer's saved cards, newest first. */
export const savedCards = endpoint('getSavedCards', async (service, context): Promise<SavedCard[]> => {
  const customer = await checkoutCustomer(service, context)
  const database = await service.database()
  const rows = await database
    .select()
    .from(cardsOnFile)
    .innerJoin(cardTokens, eq(cardTokens.token, cardsOnFile.cardToken))
    .where(ofCustomer(cardsOnFile, customer))
    .orderBy(desc(cardsOnFile.createdAt), desc(cardsOnFile.cardId))
  return rows.map(({ cards_on_file: onFile, card_tokens: card }) => ({
    token: onFile.cardId,
    firstSix: card.firstSix,
    lastFour: card.lastFour,
    expMonth: String(card.expMonth).padStart(2, '0'),
    expYear: String(card.expYear),
    createdAt: onFile.createdAt.toISOString(),
  }))
})

/** `POST /api/tokenize` (PROTOCOL.md 2.6, 10.3): replaces a card with a random token; the number is not stored. */
export const tokenize = endpoint('tokenizeCard', async (service, context): Promise<CardToken> => {
  const body = await readPrivateBody(context, tokenizeBody)
  const card = readCard(body, service.now())
  const { merchantId } = await authorizedMerchant(service, context)
  return keepToken(service, { card, merchantId })
})
