import { cardCheckout, getTotals } from '../../../../redeemkit/schema/endpoints/routes.ts'
import { type PaymentMeaning, paymentMeanings } from '../../../service/payments/paymentMeanings.ts'
import {
  type Answer,
  challengeOf,
  codeOf,
  isCode,
  isOfPayment,
  isUndecided,
  noAnswer,
  type Refusal,
  readPrice,
  refusalOf,
} from './calls.ts'
import { cardOf, fieldNames, findProblems } from './cardFields.ts'
import { isRecord, textOf } from './channel.ts'
import { messageOf } from './messages.ts'
import {
  closeChallenge,
  endAttempt,
  keep,
  type Purchase,
  present,
  priceFields,
  refuse,
  showChallenge,
  showDone,
  showForm,
  showWorking,
  tell,
  tellRefusal,
} from './purchaseState.ts'
import {
  inputOf,
  part,
  readFields,
  say,
  show,
  showAlert,
  showOutcome,
  showPrice,
  showProblems,
} from './view.ts'

/** Loads the price and earlier payments of the purchase. The retry button calls this function too. */
export async function openPurchase(run: Purchase): Promise<void> {
  const { start, settings, post, merchant, texts } = run
  present(run, () => show('loading'))
  tell(run, 'shown')
  if (start.environment !== undefined && start.environment !== settings.environment) {
    const sentence = texts().otherEnvironment
    return stop(run, { code: 'FORBIDDEN', message: `The service runs in ${settings.environment}.` }, sentence)
  }
  const [totals, earlier] = await Promise.all([
    post(getTotals.path.replace('{merchantId}', merchant), priceFields(run.order)),
    look(run, run.order.fields),
  ])
  // If another purchase has replaced this one, its price must not be shown.
  if (!run.isCurrent()) return
  if (totals === undefined || earlier === undefined || isUndecided(totals) || isUndecided(earlier))
    return stop(run, noAnswer)
  run.price = totals.status === 200 ? readPrice(totals.body.card) : undefined
  const found = totals.status === 200 ? earlier : totals
  if (found.status !== 200 || run.price === undefined) return stop(run, refusalOf(found))
  const { payment } = earlier.body
  const isPaid = isRecord(payment) && isMade(payment)
  showPrice(run.price, { texts: texts(), isTest: settings.environment === 'sandbox' })
  if (!isPaid && run.attempt.challenge !== undefined) showChallenge(run, run.attempt.challenge)
  // A reload does not pay. A checkout sent before the reload is repeated at the next click.
  else if (!isPaid) showForm(run)
  tell(run, 'ready')
  if (isPaid) await settle(run, payment)
}

export async function pay(run: Purchase): Promise<void> {
  const { order, post, merchant, texts } = run
  if (run.isBusy) return
  const fields = readFields()
  const problems = findProblems(fields, { now: Date.now(), asksEmail: order.email === undefined })
  showAlert('')
  showProblems(problems, texts())
  const first = fieldNames.find((name) => problems[name] !== undefined)
  if (first !== undefined) return inputOf(first).focus()
  showWorking(run)
  // Without a card token, this click has sent no checkout, but an earlier click may have paid.
  const giveUp = (refusal: Refusal) => (run.isLost ? showUnknown(run) : refuse(run, refusal))
  const { purchaseId } = run.start
  const made = await post(`/card/${merchant}/token`, { ...cardOf(fields), purchaseId })
  if (made === undefined || isUndecided(made)) return giveUp(noAnswer)
  const cardToken = textOf(made.body.token, 256)
  if (made.status !== 200 || cardToken === undefined) return giveUp(refusalOf(made))
  run.isLost = false
  const [firstName = '', ...others] = fields.name.trim().split(/\s+/)
  const holder = { firstName, ...(others.length > 0 && { lastName: others.join(' ') }) }
  const card = { cardToken, email: order.email ?? fields.email.trim(), ...holder }
  const isSaved = run.start.offersSaving && part<HTMLInputElement>('save').checked
  const body = { card, ...(isSaved && { saveCard: true }) }
  keep(run, { body, sentAt: Date.now() })
  await send(run)
}

export function leaveChallenge(run: Purchase): void {
  run.isLeaving = run.isChecking
  if (run.isLeaving) {
    // A check that is running may still complete the payment.
    present(run, () => show('loading'))
    return
  }
  endAttempt(run)
  showForm(run)
  inputOf('number').focus()
}

/** Runs when the challenge's page has loaded, perhaps because the customer has completed the challenge. */
export async function challengeLoaded(run: Purchase): Promise<void> {
  const isOpen = () => run.attempt.challenge !== undefined && !part('challenge').hidden
  if (!isOpen()) return
  run.hasLoadedAgain = true
  if (run.isChecking) return
  run.isChecking = true
  while (run.hasLoadedAgain && isOpen()) {
    run.hasLoadedAgain = false
    await send(run)
  }
  run.isChecking = false
  if (run.isLeaving) leaveChallenge(run)
}

export function redraw(run: Purchase): void {
  const { price, settings, texts, draw } = run
  if (price !== undefined) showPrice(price, { texts: texts(), isTest: settings.environment === 'sandbox' })
  draw()
}

async function send(run: Purchase): Promise<void> {
  if (run.attempt.challenge === undefined) showWorking(run)
  run.sentAt = Date.now()
  const answer = await sendSurely(run)
  if (answer === undefined) {
    run.isLeaving = false
    return showUnknown(run)
  }
  const isAsked = answer.status === 412 && isCode(codeOf(answer), 'CHALLENGE_REQUIRED')
  const asked = isAsked ? challengeOf(answer) : undefined
  if (asked !== undefined) return run.isLeaving ? undefined : showChallenge(run, asked)
  run.isLeaving = false
  // Another tab paid a different price, so the message must not say that nothing was charged.
  if (isCode(codeOf(answer), 'AMBIGUOUS_INTENT')) {
    endAttempt(run)
    return stop(run, refusalOf(answer))
  }
  if (answer.status !== 200) return refuse(run, refusalOf(answer))
  await settle(run, answer.body)
}

/** Repeats the request until there is a response. This is safe, because the form's token pays only once. */
async function sendSurely(run: Purchase): Promise<Answer | undefined> {
  const { post, merchant, texts, order } = run
  const { body = {}, challenge } = run.attempt
  const proof = challenge && { authentication3DS: { transactionId: challenge.transactionId } }
  for (const [at, waitMs] of waitsMs.entries()) {
    await wait(waitMs)
    if (at === 1) say(texts().still)
    const answer = await post(cardCheckout.path.replace('{merchantId}', merchant), {
      ...order.fields,
      ...body,
      ...proof,
    })
    const isDecided = answer !== undefined && !isUndecided(answer)
    // The rejection of a repeated request does not reveal the outcome of the earlier request.
    if (isDecided && (!run.isLost || isOfPayment(answer))) return answer
    run.isLost = true
  }
  return undefined
}

/** Reports success only once the payment has settled. */
async function settle(run: Purchase, payment: Record<string, unknown>): Promise<void> {
  const { order, texts } = run
  const paymentId = textOf(payment.paymentId, 256)
  if (paymentId === undefined) return showUnknown(run)
  closeChallenge(run)
  run.isBusy = true
  let seen = payment
  let isHeard = true
  for (let turn = 0; !isEnd(seen) && !(order.authOnly && seen.status === 'authorized'); turn++) {
    if (turn === 0)
      present(run, () =>
        showOutcome({ kind: 'waiting', title: texts().settlingTitle, text: texts().settlingText }),
      )
    await wait(isHeard && turn < 60 ? 500 : 3_000)
    const answer = await look(run)
    const found = answer?.status === 200 ? answer.body.payment : undefined
    isHeard = isRecord(found)
    if (isRecord(found)) seen = found
  }
  // Another payment for this purchase may have succeeded.
  if (isMade(seen))
    return showDone(run, { payment: seen, paymentId: textOf(seen.paymentId, 256) ?? paymentId })
  refuse(run, { code: 'PAYMENT_FAILED', paymentId, message: 'The payment did not settle.' })
}

/** Looks up the purchase's payment, made in this or another tab. The service rejects a different `order` with the same purchase id. */
function look(
  { post, merchant, start }: Purchase,
  order?: Record<string, unknown>,
): Promise<Answer | undefined> {
  const { purchaseId } = start
  return post(`/card/${merchant}/purchase`, { purchaseId, ...(order && { order }) })
}

/** Shows that the customer cannot pay right now. */
function stop(run: Purchase, refusal: Refusal, sentence?: string): void {
  run.isBusy = false
  const { texts } = run
  present(run, () =>
    showOutcome({
      kind: 'bad',
      title: texts().stoppedTitle,
      text: sentence ?? messageOf(texts(), refusal),
      again: { label: texts().again, run: () => run.act(openPurchase) },
    }),
  )
  tellRefusal(run, refusal, 'notBegun')
}

/** Shows that the outcome is unknown: the checkout was sent, but no response arrived. */
function showUnknown(run: Purchase): void {
  const { texts, sentAt } = run
  const checkAgain = () => {
    present(run, () => showOutcome({ kind: 'waiting', title: texts().unknownTitle, text: texts().still }))
    run.act(send)
  }
  present(run, () =>
    showOutcome({
      kind: 'bad',
      title: texts().unknownTitle,
      text: texts().unknownText,
      again: { label: texts().check, run: checkAgain },
    }),
  )
  part('outcome-title').focus()
  const { message } = noAnswer
  tell(run, 'error', { code: 'OUTCOME_UNKNOWN', message, outcome: 'unknown', sentAt })
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Delay before each attempt, in milliseconds. */
const waitsMs = [0, 700, 2_000, 4_000]

const meanings: Readonly<Record<string, PaymentMeaning>> = paymentMeanings
const isMade = ({ status }: Record<string, unknown>) => meanings[String(status)]?.isPaid === true
const isEnd = ({ status }: Record<string, unknown>) => meanings[String(status)]?.isDecided === true
