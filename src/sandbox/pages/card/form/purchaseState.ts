import { fillIn } from '../../../../redeemkit/core/userMessage/buttonEnglish.ts'
import { type Attempt, attemptsOf, callsOf, fieldsOfCodes, isCode, type Post, type Refusal } from './calls.ts'
import { type Channel, type Settings, type Start, textOf } from './channel.ts'
import { messageOf, type Texts } from './messages.ts'
import { type Order, readOrder } from './order.ts'
import {
  fieldNames,
  inputOf,
  type Price,
  part,
  say,
  setBusy,
  show,
  showAlert,
  showOutcome,
  withTotal,
} from './view.ts'

export type Purchase = {
  settings: Settings
  start: Start
  channel: Channel
  texts: () => Texts
  /** False once another purchase has replaced it. */
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
  /** Whether a checkout was sent and its response is missing: it may have been paid. */
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

export function showForm(run: Purchase, alert = ''): void {
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

export function showWorking(run: Purchase): void {
  run.isBusy = true
  present(run, () => {
    show('form')
    setBusy(true, run.texts().paying)
    say(run.texts().paying)
  })
}

export function showChallenge(run: Purchase, asked: { transactionId: string; url: string }): void {
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

export function closeChallenge(run: Purchase): void {
  if (run.attempt.challenge === undefined) return
  part<HTMLIFrameElement>('challenge-page').src = 'about:blank'
  tell(run, 'challenge', { open: false })
}

/** Ends a complete or abandoned checkout, which is not sent again. */
export function endAttempt(run: Purchase): void {
  closeChallenge(run)
  keep(run, {})
  run.isLost = false
}

export function showDone(run: Purchase, made: { payment: Record<string, unknown>; paymentId: string }): void {
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
      reference: fillIn(reference, { paymentId }),
    })
  })
  part('outcome-title').focus()
  const hash = textOf(payment.hash, 256)
  tell(run, isHeld ? 'authorized' : 'success', { paymentId, ...(hash !== undefined && { hash }) })
}

/** Nothing was charged; another card may work. */
export function refuse(run: Purchase, refusal: Refusal): void {
  const wasLate = run.attempt.challenge !== undefined && isCode(refusal.code, 'PAYMENT_STATE')
  const reported = wasLate ? { ...refusal, code: 'CHALLENGE_EXPIRED' } : refusal
  endAttempt(run)
  showForm(run, messageOf(run.texts(), reported))
  const field = fieldsOfCodes[reported.code]
  inputOf(field ?? 'number').focus()
  if (field !== undefined) inputOf(field).setAttribute('aria-invalid', 'true')
  tellRefusal(run, refusal)
}

export function tellRefusal(
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

/** Includes the purchase, because the page may have started another one. */
export function tell({ channel, start }: Purchase, type: string, facts: Record<string, unknown> = {}): void {
  channel.tell(type, { ...facts, purchaseId: start.purchaseId })
}

export function present(run: Purchase, draw: () => void): void {
  run.draw = draw
  draw()
}

export function keep(run: Purchase, attempt: Attempt): void {
  run.attempt = attempt
  run.attempts.write(attempt)
}
