import { BaseError } from '../core/errors/baseError.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { HasSessionKey, PaymentsClient } from './paymentsClient.ts'
import { isServiceError } from './serviceError.ts'
import { sessionCall } from './sessionCall.ts'

/**
 * Sends a card payment once, without retries (PROTOCOL.md 7.6). A second click while the call is pending returns that call's result.
 *
 * A 4xx other than 408 throws the service's error: nothing was charged. Any other failure throws a {@link PaymentOutcomeUnknownError}.
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
  // the same path has the same schema
  return payment as Promise<answer>
}

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
 * A card payment was sent, and its outcome is unknown: no response arrived, or the response does not show whether the service charged the
 * card (PROTOCOL.md 7.6). Repeating the call would be a second payment: check first.
 */
export class PaymentOutcomeUnknownError extends BaseError {
  override readonly name = 'PaymentOutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** Unix milliseconds when it was sent, by the client's clock. */
  readonly sentAt: number
  /** The call that lists the payment or the card, if it was made. */
  readonly lookUp: 'getPurchases' | 'getSavedCards'
  /** The call's error. Not a `cause`, because its own fix would be to repeat the call. */
  readonly failure: { name: string; status: number | undefined; requestId: string | undefined }

  constructor(error: unknown, options: Pick<PaymentOutcomeUnknownError, 'sentAt' | 'lookUp'>) {
    const { sentAt, lookUp } = options
    super(
      `The outcome of the payment is unknown. ${error instanceof BaseError ? error.shortMessage : 'The call failed.'}`,
      {
        fix: `Do not pay again yet. If the payment was made, ${lookUp} lists it, and the merchant's webhooks report it. If it is not there, check again after a minute.`,
        source: 'PROTOCOL.md 7.6',
      },
    )
    this.sentAt = sentAt
    this.lookUp = lookUp
    // only errors of a response have these two fields
    const { status, requestId } = Object(error) as { status?: number; requestId?: string }
    this.failure = { name: error instanceof Error ? error.name : 'unknown', status, requestId }
  }
}
