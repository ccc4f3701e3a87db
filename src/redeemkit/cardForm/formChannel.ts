import { PaymentOutcomeUnknownError } from '../api/errors.ts'
import { CardFormError, CardRefusedError } from './errors.ts'
import type { PurchaseOptions } from './purchaseOptions.ts'

/** Only the type was checked (PROTOCOL.md 10.8). */
export type FormMessage = { type: string } & Record<string, unknown>

const mark = { svc: 'card-form', version: 1 } as const

/** Exchanges messages with the form's window and the service's origin only, never with `*`. */
export function openFormChannel(
  frame: HTMLIFrameElement,
  options: { origin: string; onMessage: (message: FormMessage) => void },
): { send: (type: string, facts: Record<string, unknown>) => void; close: () => void } {
  const { origin, onMessage } = options
  const listener = (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== origin) return
    const message = Object(event.data) as Record<string, unknown> // each field is checked
    if (message.svc !== mark.svc || message.version !== mark.version || typeof message.type !== 'string')
      return
    onMessage({ ...message, type: message.type })
  }
  window.addEventListener('message', listener)
  return {
    send: (type, facts) => frame.contentWindow?.postMessage({ ...mark, ...facts, type }, origin),
    close: () => window.removeEventListener('message', listener),
  }
}

/** Returns a text field, truncated; `undefined` if it is missing or empty. */
export function textIn(message: FormMessage, name: string, most = 256): string | undefined {
  const value = message[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined
}

/** `optionsOf`: the purchase that a message is about. `onPaid` returns false if the purchase was paid already. */
export function formEvents(
  optionsOf: (message: FormMessage) => PurchaseOptions,
  onPaid: (message: FormMessage, paymentId: string) => boolean,
): Readonly<Record<string, (message: FormMessage) => void>> {
  return {
    challenge: (message) => optionsOf(message).onChallenge?.(message.open === true),
    authorized: (message) => {
      const paymentId = textIn(message, 'paymentId')
      if (paymentId === undefined || !onPaid(message, paymentId)) return
      optionsOf(message).onAuthorized?.(paymentId)
    },
    success: (message) => {
      const paymentId = textIn(message, 'paymentId')
      if (paymentId === undefined || !onPaid(message, paymentId)) return
      optionsOf(message).onSuccess?.(paymentId, { hash: textIn(message, 'hash') })
    },
    error: (message) => optionsOf(message).onError?.(errorOf(message)),
  }
}

function errorOf(message: FormMessage): CardFormError | CardRefusedError | PaymentOutcomeUnknownError {
  const code = textIn(message, 'code', 40) ?? 'INTERNAL'
  const text = textIn(message, 'message', 500) ?? 'The card form reported an error.'
  if (message.outcome === 'notBegun') return new CardFormError(text, { code, source: 'PROTOCOL.md 10.8' })
  if (message.outcome === 'nothingPaid') {
    const facts = { paymentId: textIn(message, 'paymentId'), reason: textIn(message, 'reason', 64) }
    return new CardRefusedError(text, { code, ...facts })
  }
  return new PaymentOutcomeUnknownError(new CardFormError(text), {
    sentAt: typeof message.sentAt === 'number' ? message.sentAt : Date.now(),
    lookUp: 'getPurchases',
  })
}
