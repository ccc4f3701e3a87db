import { cardCheckout, getTotals } from '../../../../redeemkit/schema/endpoints/routes.ts'
import {
  type Answer,
  type Attempt,
  attemptsOf,
  callsOf,
  challengeOf,
  codeOf,
  fieldsOfCodes,
  isCode,
  isOfPayment,
  isUndecided,
  noAnswer,
  type Post,
  type Refusal,
  readPrice,
  refusalOf,
} from './calls.ts'
import { cardOf, findProblems } from './cardFields.ts'
import { type Channel, isRecord, type Settings, type Start, textOf } from './channel.ts'
import { fill, messageOf, type Texts } from './messages.ts'
import { type Order, priceFields, readOrder } from './order.ts'
import {
  fieldNames,
  inputOf,
  type Price,
  part,
  readFields,
  say,
  setBusy,
  show,
  showAlert,
  showOutcome,
  showPrice,
  showProblems,
  withTotal,
} from './view.ts'

export type Purchase = {
  settings: Settings
  start: Start
  channel: Channel
  texts: () => Texts
  /** Whether no other purchase has replaced it. */
  isCurrent: () => boolean
  /** Runs an action that takes time. A new start waits for its end. */
  act: (what: (on: Purchase) => void | Promise<void>) => void
  post: Post
  /** The merchant, encoded for paths. */
  merchant: string
  order: Order
  attempt: Attempt
  attempts: ReturnType<typeof attemptsOf>
  price: Price | undefined
  /** Whether a payment may be pending. */
  isBusy: boolean
  /** Whether the challenge's state is being checked. */
  isChecking: boolean
  /** Whether the challenge's page has loaded again since that check started. */
  hasLoadedAgain: boolean
  /** Whether the customer chose another card while a response is pending. */
  isLeaving: boolean
  /** Whether a checkout was sent without a response: it may have been paid until a response says otherwise. */
  isLost: boolean
  /** Time of the checkout, to find it among the customer's purchases. */
  sentAt: number
  /** Renders the current state, also after a change of language. */
  draw: () => void
}

export function createPurchase(
  parts: Pick<Purchase, 'settings' | 'start' | 'channel' | 'texts' | 'isCurrent' | 'act'>,
): Purchase {
  const { settings, start, channel } = parts
  const order = readOrder(start)
  // A reload only resumes a checkout with the same price.
  const attempts = attemptsOf(JSON.stringify([settings.merchantId, start.purchaseId, order.name]))
  const attempt = attempts.read()
  return {
    ...parts,
    post: callsOf(settings, { start, channel }),
    merchant: encodeURIComponent(settings.merchantId),
    order,
    attempt,
    attempts,
    price: undefined,
    isBusy: false,
    isChecking: false,
    hasLoadedAgain: false,
    isLeaving: false,
    // A stored checkout was sent before the reload, and its response was not received.
    isLost: attempt.body !== undefined,
    sentAt: attempt.sentAt ?? Date.now(),
    draw: () => show('loading'),
  }
}

/** Loads the price and earlier payments of the purchase; also used to retry. */
export async function openPurchase(run: Purchase): Promise<void> {
  const { start, settings, post, merchant, texts } = run
  present(run, () => show('loading'))
  tell(run, 'shown')
  if (start.environment !== undefined && start.environment !== settings.environment) {
    const sentence = texts().otherEnvironment
    return stop(run, { code: 'FORBIDDEN', message: `The service is ${settings.environment}.` }, sentence)
  }
  const [totals, earlier] = await Promise.all([
    post(getTotals.path.replace('{merchantId}', merchant), priceFields(run.order)),
    look(run, run.order.fields),
  ])
  // Never shows a price beside the result for another one.
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
  // A reload never pays; a checkout sent before it is repeated at the next click.
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
  // Without a token nothing was sent now, but an earlier checkout may have paid.
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
    // A pending check may still complete the payment.
    present(run, () => show('loading'))
    return
  }
  endAttempt(run)
  showForm(run)
  inputOf('number').focus()
}

/** The challenge's page has loaded, perhaps because it was answered. */
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
  // Another tab paid at another price, so the message must not say that nothing was charged.
  if (isCode(codeOf(answer), 'AMBIGUOUS_INTENT')) {
    endAttempt(run)
    return stop(run, refusalOf(answer))
  }
  if (answer.status !== 200) return refuse(run, refusalOf(answer))
  await settle(run, answer.body)
}

/** The form's token pays once, so the request can be repeated until there is a response. */
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
    // A refusal of this request says nothing about the one before.
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
  for (let turn = 0; !isEnd(seen.status) && !(order.authOnly && seen.status === 'authorized'); turn++) {
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
  // Another payment of this purchase may have succeeded.
  if (isMade(seen))
    return showDone(run, { payment: seen, paymentId: textOf(seen.paymentId, 256) ?? paymentId })
  refuse(run, { code: 'PAYMENT_FAILED', paymentId, message: 'The payment did not settle.' })
}

/**
 * Looks up the purchase's payment, from any tab.
 *
 * @param order what is being bought: another purchase with the same id is refused
 */
function look(
  { post, merchant, start }: Purchase,
  order?: Record<string, unknown>,
): Promise<Answer | undefined> {
  const { purchaseId } = start
  return post(`/card/${merchant}/purchase`, { purchaseId, ...(order && { order }) })
}

/** Nothing was charged; another card may work. */
function refuse(run: Purchase, refusal: Refusal): void {
  const wasLate = run.attempt.challenge !== undefined && isCode(refusal.code, 'PAYMENT_STATE')
  const reported = wasLate ? { ...refusal, code: 'CHALLENGE_EXPIRED' } : refusal
  endAttempt(run)
  showForm(run, messageOf(run.texts(), reported))
  const field = fieldsOfCodes[reported.code]
  inputOf(field ?? 'number').focus()
  if (field !== undefined) inputOf(field).setAttribute('aria-invalid', 'true')
  tellRefusal(run, refusal)
}

/** Nothing can be paid here until something changes. */
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

function tellRefusal(
  run: Purchase,
  { code, message, paymentId, reason }: Refusal,
  outcome: 'nothingPaid' | 'notBegun' = 'nothingPaid',
): void {
  tell(run, 'error', {
    code,
    message: message.slice(0, 500),
    outcome,
    ...(paymentId !== undefined && { paymentId }),
    ...(reason !== undefined && { reason }),
  })
}

function showForm(run: Purchase, alert = ''): void {
  const { order, start, texts } = run
  run.isBusy = false
  present(run, () => {
    show('form')
    part('email-field').hidden = order.email !== undefined
    part('save-field').hidden = !start.offersSaving
    setBusy(false, withTotal(order.authOnly ? texts().authorize : texts().pay, run.price, texts()))
    showAlert(alert)
  })
}

function showWorking(run: Purchase): void {
  run.isBusy = true
  present(run, () => {
    show('form')
    setBusy(true, run.texts().paying)
    say(run.texts().paying)
  })
}

function showChallenge(run: Purchase, asked: { transactionId: string; url: string }): void {
  // The challenge is open and unanswered.
  if (run.attempt.challenge?.transactionId === asked.transactionId && !part('challenge').hidden) return
  keep(run, { ...run.attempt, challenge: asked })
  run.isBusy = true
  tell(run, 'challenge', { open: true })
  part<HTMLIFrameElement>('challenge-page').src = asked.url
  present(run, () => show('challenge'))
  part('challenge-title').focus()
  say(run.texts().challengeText)
}

function closeChallenge(run: Purchase): void {
  if (run.attempt.challenge === undefined) return
  part<HTMLIFrameElement>('challenge-page').src = 'about:blank'
  tell(run, 'challenge', { open: false })
}

/** The checkout is complete or abandoned; nothing of it is sent again. */
function endAttempt(run: Purchase): void {
  closeChallenge(run)
  keep(run, {})
  run.isLost = false
}

function showDone(run: Purchase, made: { payment: Record<string, unknown>; paymentId: string }): void {
  const { texts, attempts } = run
  const { payment, paymentId } = made
  const isHeld = payment.status === 'authorized'
  attempts.write(undefined)
  run.isBusy = false
  for (const name of fieldNames) inputOf(name).value = ''
  present(run, () => {
    const { heldTitle, heldText, paidTitle, paidText, reference } = texts()
    showOutcome({
      kind: 'done',
      title: withTotal(isHeld ? heldTitle : paidTitle, run.price, texts()),
      text: isHeld ? heldText : paidText,
      reference: fill(reference, { paymentId }),
    })
  })
  part('outcome-title').focus()
  const hash = textOf(payment.hash, 256)
  tell(run, isHeld ? 'authorized' : 'success', { paymentId, ...(hash !== undefined && { hash }) })
}

/** The checkout was sent, and there was no response. */
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

/** Includes the purchase, because the page may have started another one. */
function tell({ channel, start }: Purchase, type: string, facts: Record<string, unknown> = {}): void {
  channel.tell(type, { ...facts, purchaseId: start.purchaseId })
}

function present(run: Purchase, draw: () => void): void {
  run.draw = draw
  draw()
}

function keep(run: Purchase, attempt: Attempt): void {
  run.attempt = attempt
  run.attempts.write(attempt)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Delays before each attempt. */
const waitsMs = [0, 700, 2_000, 4_000]

const isMade = ({ status }: Record<string, unknown>) =>
  ['authorized', 'settled', 'disputed', 'won', 'lost'].includes(String(status))
const isEnd = (status: unknown) =>
  ['settled', 'disputed', 'won', 'lost', 'failed', 'expired', 'voided'].includes(String(status))
