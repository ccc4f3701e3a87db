import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Authentication3DS, CardCheckoutResponse } from '../../../redeemkit/schema/checkout.ts'
import type { DatabaseWork } from '../../store/database.ts'
import type { CardBehaviour } from '../../store/states.ts'
import { cardChallenges, type cardTokens, payments } from '../../store/tables/index.ts'
import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { type AppEnv, type Route, route } from '../http/route.ts'
import { readAnswer, sandboxPage } from '../http/sandboxPage.ts'
import { checkOpen, createPayment, movePayment, paymentWork } from '../payments/movePayment.ts'
import { type PaymentRow, wrongState } from '../payments/paymentRecord.ts'

function cardOutcome(
  behaviour: CardBehaviour,
  options: { attended: boolean; threeDs?: Pick<ThreeDs, 'isDone' | 'isWanted'> | undefined },
): CardOutcome {
  const { attended, threeDs: { isDone, isWanted } = { isDone: false, isWanted: false } } = options
  if (behaviour === 'declinedLater') return attended ? 'approved' : 'declined'
  if (behaviour === 'unknown') return 'notATestCard'
  if (behaviour !== 'challenge' && behaviour !== 'approved') return behaviour
  const isAsked = behaviour === 'challenge' || isWanted
  return isAsked && attended && !isDone ? 'challenge' : 'approved'
}

type CardOutcome = 'approved' | 'challenge' | CardRefusal
export type CardRefusal = keyof typeof refusalMessages

/** Messages for a declined card, by the `reason` in the error's details. */
export const refusalMessages = {
  declined: 'The card was declined.',
  insufficientFunds: 'The card was declined: insufficient funds.',
  fraud: 'The card was declined: suspected fraud.',
  notATestCard: 'The card was declined: the sandbox accepts only its test cards (testCards).',
  challengeFailed: 'The card was declined: the 3DS challenge was not passed.',
} as const

/** `hash` is set once the purchase is settled on chain. */
export function cardAnswer({ paymentId, status, hash }: PaymentRow): CardCheckoutResponse {
  return { paymentId, status, ...(hash !== null && { hash }) }
}

/** The 3DS settings of a checkout (PROTOCOL.md 10.3, 11.10). */
export type ThreeDs = {
  /** Transaction id of a challenge of this service that the customer answered. */
  transactionId: string | undefined
  /** Whether no challenge is needed: the body proves an authentication elsewhere, or the merchant has switched off 3DS. */
  isDone: boolean
  /** Whether the merchant requests a challenge, for every card or for this amount. */
  isWanted: boolean
}

export function threeDs(
  body: {
    authentication3DS?: Authentication3DS | undefined
    threeDsChallengePreference?: string | undefined
  },
  { merchant: { settings }, usdCents }: { merchant: Pick<Merchant, 'settings'>; usdCents: number },
): ThreeDs {
  const { authentication3DS, threeDsChallengePreference } = body
  const hasProof = authentication3DS !== undefined && 'cavv' in authentication3DS
  const isDone = hasProof || settings.threeDs === false
  return {
    transactionId: isDone ? undefined : authentication3DS?.transactionId,
    isDone,
    isWanted:
      threeDsChallengePreference === 'Challenge' ||
      usdCents > (settings.threeDsAboveCents ?? Number.POSITIVE_INFINITY),
  }
}

export type CardRow = typeof cardTokens.$inferSelect

/** The payment becomes `authorized` or `failed`, or stays `created` if the bank asks for a challenge. */
export async function chargeCard(
  work: DatabaseWork,
  charge: { payment: createPayment.New; card: CardRow; attended: boolean; threeDs?: ThreeDs | undefined },
): Promise<{ payment: PaymentRow; refusal: CardRefusal | undefined }> {
  const { card, payment } = charge
  const outcome = cardOutcome(card.behaviour, charge)
  const created = await createPayment(work, {
    ...payment,
    cardToken: card.token,
    // An unanswered challenge expires together with its payment.
    expiresAt: outcome === 'challenge' ? new Date(payment.at.getTime() + challengeMs) : null,
  })
  if (outcome === 'challenge') return { payment: created, refusal: undefined }
  const { paymentId } = created
  const { at } = payment
  if (outcome === 'approved') {
    const authorized = await movePayment(work, { paymentId, to: 'authorized', at })
    return { payment: authorized, refusal: undefined }
  }
  return { payment: await refuseCard(work, { paymentId, refusal: outcome, at }), refusal: outcome }
}

function refuseCard(
  work: DatabaseWork,
  { paymentId, refusal, at }: { paymentId: string; refusal: CardRefusal; at: Date },
): Promise<PaymentRow> {
  const reason = refusalMessages[refusal]
  return movePayment(work, { paymentId, to: 'failed', at, reason, change: { error: reason } })
}

const challengeMs = 10 * 60_000

const path = '/sandbox/3ds/:transactionId'

/**
 * The bank's page (PROTOCOL.md 10.3). The link is the only credential, as with real banks. Programs post `{ "answer": "approve" }` or
 * `"fail"`.
 */
export const challengePages: readonly Route[] = [
  route('GET', path, async (service, context) => {
    const { challenge, payment } = await (await service.database()).transaction((work) => find(work, context))
    if (challenge.status !== 'pending') return done()
    const price = `${(payment.chargedCents / 100).toFixed(2)} ${payment.chargedCurrency}`
    return sandboxPage({
      title: 'Confirm your purchase',
      text: `${payment.merchantId} requests ${price}. This is a sandbox: no bank is involved.`,
      answers: [
        ['approve', 'Approve'],
        ['fail', 'Fail the challenge'],
      ],
    })
  }),
  route('POST', path, async (service, context) => {
    const { answer, isForm } = await readAnswer(context, ['approve', 'fail'])
    await paymentWork(service, async (work) => {
      const { challenge, payment, isIt } = await find(work, context)
      if (challenge.status !== 'pending')
        throw wrongState(payment, 'The challenge has already been answered.')
      checkOpen(service, payment)
      const status = answer === 'approve' ? 'approved' : 'failed'
      await work.update(cardChallenges).set({ status }).where(isIt)
      if (status === 'approved') return
      const { paymentId } = payment
      await refuseCard(work, { paymentId, refusal: 'challengeFailed', at: new Date(service.now()) })
    })
    return isForm ? done() : {}
  }),
]

const done = () =>
  sandboxPage({ title: 'Thank you', text: 'The challenge is complete. You can return to the shop.' })

async function find(work: DatabaseWork, context: Context<AppEnv>) {
  const transactionId = context.req.param('transactionId') ?? ''
  const isIt = eq(cardChallenges.transactionId, transactionId)
  const [row] = await work
    .select({ challenge: cardChallenges, payment: payments })
    .from(cardChallenges)
    .innerJoin(payments, eq(payments.paymentId, cardChallenges.paymentId))
    .where(isIt)
    .for('update')
  if (row === undefined) throw problem('NOT_FOUND', 'The challenge does not exist.')
  return { ...row, isIt }
}
