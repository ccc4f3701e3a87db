import {
  type Answer,
  type Attempt,
  attemptsOf,
  callsOf,
  challengeOf,
  codeOf,
  fieldsOfCodes,
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
import { fill, sentenceOf, type Words } from './messages.ts'
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

/** One purchase, from the form to its end. */
export type Purchase = {
  settings: Settings
  start: Start
  channel: Channel
  /** Those of the moment. */
  words: () => Words
  /** Whether no other one has been started in its place. */
  isCurrent: () => boolean
  /** Runs what takes time. Whatever was asked for meanwhile begins after it. */
  act: (what: (on: Purchase) => void | Promise<void>) => void
  post: Post
  /** The merchant in a path. */
  merchant: string
  order: Order
  attempt: Attempt
  attempts: ReturnType<typeof attemptsOf>
  price: Price | undefined
  /** Whether a payment may be under way. */
  isBusy: boolean
  /** Whether it is asked what became of the challenge. */
  isChecking: boolean
  /** Whether the challenge's page has loaded since that was asked. */
  hasLoadedAgain: boolean
  /** Whether the customer wants another card, and only the answer is waited for. */
  isLeaving: boolean
  /** Whether a checkout left of which no answer came: until one comes that is about it, it may have been paid. */
  isLost: boolean
  /** When the checkout left, for whoever looks for it among the customer's purchases. */
  sentAt: number
  /** Draws what is shown, also anew in another language. */
  draw: () => void
}

export function createPurchase(
  parts: Pick<Purchase, 'settings' | 'start' | 'channel' | 'words' | 'isCurrent' | 'act'>,
): Purchase {
  const { settings, start, channel } = parts
  const order = readOrder(start)
  // A reload resumes a checkout only at the same price.
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
    // What stands in a kept checkout had left before the reload, and its answer was not seen.
    isLost: attempt.body !== undefined,
    sentAt: attempt.sentAt ?? Date.now(),
    draw: () => show('loading'),
  }
}

/** Begins, or begins anew where nothing was to be had: the price, and what was made of the purchase before. */
export async function openPurchase(run: Purchase): Promise<void> {
  const { start, settings, post, merchant, words } = run
  present(run, () => show('loading'))
  tell(run, 'shown')
  if (start.environment !== undefined && start.environment !== settings.environment) {
    const sentence = words().otherEnvironment
    return stop(run, { code: 'FORBIDDEN', message: `The service is ${settings.environment}.` }, sentence)
  }
  const [totals, earlier] = await Promise.all([
    post(`/api/checkout/totals/${merchant}`, priceFields(run.order)),
    look(run, run.order.fields),
  ])
  // What another price belongs to is never drawn beside this one.
  if (!run.isCurrent()) return
  if (totals === undefined || earlier === undefined || isUndecided(totals) || isUndecided(earlier))
    return stop(run, noAnswer)
  run.price = totals.status === 200 ? readPrice(totals.body.card) : undefined
  const found = totals.status === 200 ? earlier : totals
  if (found.status !== 200 || run.price === undefined) return stop(run, refusalOf(found))
  const { payment } = earlier.body
  const isPaid = isRecord(payment) && isMade(payment)
  showPrice(run.price, { words: words(), isTest: settings.environment === 'sandbox' })
  if (!isPaid && run.attempt.challenge !== undefined) showChallenge(run, run.attempt.challenge)
  // A reload pays nothing by itself; what was sent before it is answered at the next press.
  else if (!isPaid) showForm(run)
  tell(run, 'ready')
  if (isPaid) await settle(run, payment)
}

/** A press of the button. */
export async function pay(run: Purchase): Promise<void> {
  const { order, post, merchant, words } = run
  if (run.isBusy) return
  const fields = readFields()
  const problems = findProblems(fields, { now: Date.now(), asksEmail: order.email === undefined })
  showAlert('')
  showProblems(problems, words())
  const first = fieldNames.find((name) => problems[name] !== undefined)
  if (first !== undefined) return inputOf(first).focus()
  showWorking(run)
  // Whoever gets no token has sent nothing now; what left before a reload may have paid.
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

/** Away from a challenge, back to the form. */
export function leaveChallenge(run: Purchase): void {
  run.isLeaving = run.isChecking
  if (run.isLeaving) {
    // What is asked already may be answered with a charge.
    present(run, () => show('loading'))
    return
  }
  endAttempt(run)
  showForm(run)
  inputOf('number').focus()
}

/** The challenge's page has loaded: perhaps it was answered. */
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

/** Writes everything anew, in the language of the moment. */
export function redraw(run: Purchase): void {
  const { price, settings, words, draw } = run
  if (price !== undefined) showPrice(price, { words: words(), isTest: settings.environment === 'sandbox' })
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
  const isAsked = answer.status === 412 && codeOf(answer) === 'CHALLENGE_REQUIRED'
  const asked = isAsked ? challengeOf(answer) : undefined
  if (asked !== undefined) return run.isLeaving ? undefined : showChallenge(run, asked)
  run.isLeaving = false
  // Another tab has paid, at another price: the customer is not told that nothing was paid.
  if (codeOf(answer) === 'AMBIGUOUS_INTENT') {
    endAttempt(run)
    return stop(run, refusalOf(answer))
  }
  if (answer.status !== 200) return refuse(run, refusalOf(answer))
  await settle(run, answer.body)
}

/** The token of the form pays once, so the same may be sent as often as no answer comes. */
async function sendSurely(run: Purchase): Promise<Answer | undefined> {
  const { post, merchant, words, order } = run
  const { body = {}, challenge } = run.attempt
  const proof = challenge && { authentication3DS: { transactionId: challenge.transactionId } }
  for (const [at, waitMs] of waitsMs.entries()) {
    await wait(waitMs)
    if (at === 1) say(words().still)
    const answer = await post(`/api/checkout/card/${merchant}`, { ...order.fields, ...body, ...proof })
    const isDecided = answer !== undefined && !isUndecided(answer)
    // Whoever is not let in now may have paid by the try before.
    if (isDecided && (!run.isLost || isOfPayment(answer))) return answer
    run.isLost = true
  }
  return undefined
}

/** Success is told when the funds have settled, and not before. */
async function settle(run: Purchase, payment: Record<string, unknown>): Promise<void> {
  const { order, words } = run
  const paymentId = textOf(payment.paymentId, 256)
  if (paymentId === undefined) return showUnknown(run)
  closeChallenge(run)
  run.isBusy = true
  let seen = payment
  let isHeard = true
  for (let turn = 0; !isEnd(seen.status) && !(order.authOnly && seen.status === 'authorized'); turn++) {
    if (turn === 0)
      present(run, () =>
        showOutcome({ kind: 'waiting', title: words().settlingTitle, text: words().settlingText }),
      )
    await wait(isHeard && turn < 60 ? 500 : 3_000)
    const answer = await look(run)
    const found = answer?.status === 200 ? answer.body.payment : undefined
    isHeard = isRecord(found)
    if (isRecord(found)) seen = found
  }
  // It may be another one of this purchase that has its money.
  if (isMade(seen))
    return showDone(run, { payment: seen, paymentId: textOf(seen.paymentId, 256) ?? paymentId })
  refuse(run, { code: 'PAYMENT_FAILED', paymentId, message: 'The payment did not settle.' })
}

/**
 * What became of the purchase, whoever paid it.
 *
 * @param order what is to be bought: something else that is paid under the same id is refused
 */
function look(
  { post, merchant, start }: Purchase,
  order?: Record<string, unknown>,
): Promise<Answer | undefined> {
  const { purchaseId } = start
  return post(`/card/${merchant}/purchase`, { purchaseId, ...(order && { order }) })
}

/** Nothing was paid, and another card may do. */
function refuse(run: Purchase, refusal: Refusal): void {
  const wasLate = run.attempt.challenge !== undefined && refusal.code === 'PAYMENT_STATE'
  const told = wasLate ? { ...refusal, code: 'CHALLENGE_EXPIRED' } : refusal
  endAttempt(run)
  showForm(run, sentenceOf(run.words(), told))
  const field = fieldsOfCodes[told.code]
  inputOf(field ?? 'number').focus()
  if (field !== undefined) inputOf(field).setAttribute('aria-invalid', 'true')
  tellRefusal(run, refusal)
}

/** Nothing can be paid here before something changes. */
function stop(run: Purchase, refusal: Refusal, sentence?: string): void {
  run.isBusy = false
  const { words } = run
  present(run, () =>
    showOutcome({
      kind: 'bad',
      title: words().stoppedTitle,
      text: sentence ?? sentenceOf(words(), refusal),
      again: { label: words().again, run: () => run.act(openPurchase) },
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
  const { order, start, words } = run
  run.isBusy = false
  present(run, () => {
    show('form')
    part('email-field').hidden = order.email !== undefined
    part('save-field').hidden = !start.offersSaving
    setBusy(false, withTotal(order.authOnly ? words().authorize : words().pay, run.price, words()))
    showAlert(alert)
  })
}

function showWorking(run: Purchase): void {
  run.isBusy = true
  present(run, () => {
    show('form')
    setBusy(true, run.words().paying)
    say(run.words().paying)
  })
}

function showChallenge(run: Purchase, asked: { transactionId: string; url: string }): void {
  // It is open, and not answered yet.
  if (run.attempt.challenge?.transactionId === asked.transactionId && !part('challenge').hidden) return
  keep(run, { ...run.attempt, challenge: asked })
  run.isBusy = true
  tell(run, 'challenge', { open: true })
  part<HTMLIFrameElement>('challenge-page').src = asked.url
  present(run, () => show('challenge'))
  part('challenge-title').focus()
  say(run.words().challengeText)
}

function closeChallenge(run: Purchase): void {
  if (run.attempt.challenge === undefined) return
  part<HTMLIFrameElement>('challenge-page').src = 'about:blank'
  tell(run, 'challenge', { open: false })
}

/** The checkout has been answered, or is left: nothing of it is sent again. */
function endAttempt(run: Purchase): void {
  closeChallenge(run)
  keep(run, {})
  run.isLost = false
}

function showDone(run: Purchase, made: { payment: Record<string, unknown>; paymentId: string }): void {
  const { words, attempts } = run
  const { payment, paymentId } = made
  const isHeld = payment.status === 'authorized'
  attempts.write(undefined)
  run.isBusy = false
  for (const name of fieldNames) inputOf(name).value = ''
  present(run, () => {
    const { heldTitle, heldText, paidTitle, paidText, reference } = words()
    showOutcome({
      kind: 'done',
      title: withTotal(isHeld ? heldTitle : paidTitle, run.price, words()),
      text: isHeld ? heldText : paidText,
      reference: fill(reference, { paymentId }),
    })
  })
  part('outcome-title').focus()
  const hash = textOf(payment.hash, 256)
  tell(run, isHeld ? 'authorized' : 'success', { paymentId, ...(hash !== undefined && { hash }) })
}

/** The checkout left, and no answer came. */
function showUnknown(run: Purchase): void {
  const { words, sentAt } = run
  const checkAgain = () => {
    present(run, () => showOutcome({ kind: 'waiting', title: words().unknownTitle, text: words().still }))
    run.act(send)
  }
  present(run, () =>
    showOutcome({
      kind: 'bad',
      title: words().unknownTitle,
      text: words().unknownText,
      again: { label: words().check, run: checkAgain },
    }),
  )
  part('outcome-title').focus()
  const { message } = noAnswer
  tell(run, 'error', { code: 'OUTCOME_UNKNOWN', message, outcome: 'unknown', sentAt })
}

/** With the purchase that it is about: the page may have gone on to another one. */
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

/** Waits before each try. */
const waitsMs = [0, 700, 2_000, 4_000]

const isMade = ({ status }: Record<string, unknown>) =>
  ['authorized', 'settled', 'disputed', 'won', 'lost'].includes(String(status))
const isEnd = (status: unknown) =>
  ['settled', 'disputed', 'won', 'lost', 'failed', 'expired', 'voided'].includes(String(status))
