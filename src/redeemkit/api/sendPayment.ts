import { BaseError } from '../core/errors/baseError.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { HasSessionKey, PaymentsClient } from './paymentsClient.ts'
import { isServiceError } from './serviceError.ts'
import { sessionCall } from './sessionCall.ts'

/**
 * Sends a call that a card pays for: once, whatever is answered (PROTOCOL.md 7.6). The same one that is asked of the same client while
 * the first is under way, as by a second press, is not sent: both have the one end.
 *
 * A refusal of the service (a 4xx, but a 408) is that error: nothing was paid. Every other end after it has left is a
 * {@link PaymentOutcomeUnknownError}.
 */
export async function sendPayment<answer>(
  client: PaymentsClient<HasSessionKey>,
  call: Omit<sessionCall.Options<answer>, 'repeatable' | 'onSend'>,
  lookUp: PaymentOutcomeUnknownError['lookUp'],
): Promise<answer> {
  const payments = underWay.get(client) ?? new Map<string, Promise<unknown>>()
  underWay.set(client, payments)
  const { path, body, wallet, blockchain, clientIp } = call
  const name = JSON.stringify([path, body, wallet, blockchain, clientIp])
  const payment = payments.get(name) ?? sendAnyway(client, call, lookUp).finally(() => payments.delete(name))
  payments.set(name, payment)
  // Of the same path, and so of the same schema.
  return payment as Promise<answer>
}

/** Payments that nobody has the answer of yet, by what they ask. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>()

async function sendAnyway<answer>(
  client: PaymentsClient<HasSessionKey>,
  call: Omit<sessionCall.Options<answer>, 'repeatable' | 'onSend'>,
  lookUp: PaymentOutcomeUnknownError['lookUp'],
): Promise<answer> {
  let sentAt: number | undefined
  try {
    return await sessionCall(client, {
      ...call,
      repeatable: 'never',
      onSend: () => {
        sentAt = client.now()
      },
    })
  } catch (error) {
    if (sentAt === undefined || isRefusal(error)) throw error
    throw new PaymentOutcomeUnknownError(error, { sentAt, lookUp })
  }
}

function isRefusal(error: unknown): boolean {
  return isServiceError(error) && error.status < 500 && error.status !== 408
}

/**
 * A payment by card has left, and what became of it is not known: no answer came, or one that decides nothing (PROTOCOL.md 7.6).
 * The card may have been charged. The same call again would be a second payment: look first.
 */
export class PaymentOutcomeUnknownError extends BaseError {
  override readonly name = 'PaymentOutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** Unix milliseconds, by the client's clock, at which it left. */
  readonly sentAt: number
  /** The call that tells whether it was done. */
  readonly lookUp: 'getPurchases' | 'getSavedCards'
  /** What the call ended with. It is no `cause`, whose own advice would be to make the call again. */
  readonly failure: { name: string; status: number | undefined; requestId: string | undefined }

  constructor(error: unknown, options: Pick<PaymentOutcomeUnknownError, 'sentAt' | 'lookUp'>) {
    const { sentAt, lookUp } = options
    super(
      `It is not known whether the payment was made. ${error instanceof BaseError ? error.shortMessage : 'The call failed.'}`,
      {
        fix: `Do not pay again before you know: ${lookUp} lists it once it is made, and the merchant's webhooks tell of it. Look again after a minute when it is not there yet.`,
        docs: 'PROTOCOL.md 7.6',
      },
    )
    this.sentAt = sentAt
    this.lookUp = lookUp
    // Errors of answers have these two; others leave them undefined.
    const { status, requestId } = Object(error) as { status?: number; requestId?: string }
    this.failure = { name: error instanceof Error ? error.name : 'unknown', status, requestId }
  }
}
