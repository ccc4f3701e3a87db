import { PaymentOutcomeUnknownError } from '../api/sendPayment.ts'
import { CardFormError, CardRefusedError } from './errors.ts'
import { type FormMessage, textIn } from './formChannel.ts'
import type { PurchaseOptions } from './purchaseOptions.ts'

/**
 * What the form tells the page, as the page's own callbacks. Whatever else it says is left to whoever asks.
 *
 * @param optionsOf the options of the purchase that a message is about
 * @param onPaid that purchase has its money. Returns whether that is news
 */
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
  const words = textIn(message, 'message', 500) ?? 'The card form told of an error.'
  if (message.outcome === 'unknown')
    return new PaymentOutcomeUnknownError(new CardFormError(words), {
      sentAt: typeof message.sentAt === 'number' ? message.sentAt : Date.now(),
      lookUp: 'getPurchases',
    })
  if (message.outcome === 'notBegun') return new CardFormError(words, { code, docs: 'PROTOCOL.md 10.8' })
  const facts = { paymentId: textIn(message, 'paymentId'), reason: textIn(message, 'reason', 64) }
  return new CardRefusedError(words, { code, ...facts })
}
