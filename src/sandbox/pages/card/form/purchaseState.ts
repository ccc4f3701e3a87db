import { fillIn } from '../../../../redeemkit/core/userMessage/buttonEnglish.ts'
import { type Attempt, attemptsOf, callsOf, fieldsOfCodes, isCode, type Post, type Refusal } from './calls.ts'
import { fieldNames } from './cardFields.ts'
import { type Channel, isRecord, type Settings, type Start, textOf } from './channel.ts'
import { messageOf, type Texts } from './messages.ts'
import { inputOf, type Price, part, say, setBusy, show, showAlert, showOutcome, withTotal } from './view.ts'

export type Purchase = {
  settings: Settings
  start: Start
  channel: Channel
  texts: () => Texts
  isCurrent: () => boolean
  /** Runs an asynchronous action. The next purchase starts only after the action has ended. */
  act: (what: (on: Purchase) => void | Promise<void>) => void
  post: Post
  /** Encoded for paths. */
  merchant: string
  order: Order
  attempt: Attempt
  attempts: ReturnType<typeof attemptsOf>
  price: Price | undefined
  /** Whether a payment may be pending. */
  isBusy: boolean
  /** Whether the challenge's state is being checked. */
  isChecking: boolean
  /** Whether the challenge's page has loaded again since the check started. */
  hasLoadedAgain: boolean
  /** Whether the customer chose another card while a response is pending. */
  isLeaving: boolean
  /** Whether a checkout was sent but no response arrived. The payment may have been made. */
  isLost: boolean
  /** Time when the checkout was sent, to find it among the customer's purchases. */
  sentAt: number
  /** Renders the current state. Called again after a change of language. */
  draw: () => void
}

export function createPurchase(
  parts: Pick<Purchase, 'settings' | 'start' | 'channel' | 'texts' | 'isCurrent' | 'act'>,
): Purchase {
  const { settings, start, channel } = parts
  const order = readOrder(start)
  // After a reload, only a checkout with the same price is resumed.
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
    // A stored attempt means that a checkout was sent before the reload and its response was not received.
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
  // The challenge is shown, but not yet completed.
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

/** Deletes the stored attempt, so that a completed or abandoned checkout is not sent again. */
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

/** Shows that nothing was charged and that another card may work. */
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

/** Names the purchase, because the embedding page may have started another one. */
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

type Order = {
  fields: Record<string, unknown>
  /** Identifies the order: equal for the same order even if its JWT was signed again. */
  name: string
  /** Whether the bank only authorizes the amount and does not capture it. */
  authOnly: boolean
  email: string | undefined
}

/** Reads the page's request with the values of its checkout JWT, for display only. The service verifies the JWT. */
function readOrder({ order, jwtToken, email }: Start): Order {
  const pinned = readPinned(jwtToken)
  const token = jwtToken === undefined ? {} : { jwtToken }
  return {
    fields: { ...(pinned.subtotal !== undefined && { subtotal: pinned.subtotal }), ...order, ...token },
    name: JSON.stringify([pinned, order]),
    authOnly: (order.authOnly ?? pinned.authOnly) === true,
    email: email ?? emailOf(pinned) ?? emailOf(order),
  }
}

export function priceFields({ fields }: Order): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ofCards.has(name)))
}

const ofCards = new Set([
  'authOnly',
  'statementDescriptor',
  'threeDsChallengePreference',
  'accountFundingTransaction',
  'chargebackProtectionAccountType',
])

function readPinned(jwtToken: string | undefined): Record<string, unknown> {
  try {
    const [, payload = ''] = jwtToken?.split('.') ?? []
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (one) =>
      one.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isRecord(claims) && isRecord(claims.checkout) ? claims.checkout : {}
  } catch {
    // The service reports what is wrong with the JWT.
    return {}
  }
}

function emailOf({ email, customerInfo }: Record<string, unknown>): string | undefined {
  return textOf(email, 256) ?? (isRecord(customerInfo) ? textOf(customerInfo.email, 256) : undefined)
}
