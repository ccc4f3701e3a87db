import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { isServiceError, PaymentOutcomeUnknownError } from './errors.ts'
import type { Call, HasSessionKey, PaymentsClient } from './paymentsClient.ts'

/**
 * Sends a call with the session key. `needsUserId` also sends the user id: the call's, or by default the client's (PROTOCOL.md 1.3, 2.1).
 */
export async function sessionCall<answer>(
  client: PaymentsClient<HasSessionKey>,
  call: sessionCall.Options<answer>,
): Promise<answer> {
  const { needsUserId, userId = client.userId, clientIp, ...rest } = call
  // JavaScript callers can pass a client without a session key
  if (!client.hasSessionKey)
    throw missing(
      'sessionKey',
      'Get one on your own server (GET /api/auth/session-key) and pass it to the client.',
    )
  if (needsUserId && userId === undefined)
    throw missing('userId', 'Pass your own id for the customer to the client or the call.')
  return client.request({
    ...rest,
    headers: 'session',
    more: { userId: needsUserId ? userId : undefined, clientIp },
  })
}

export declare namespace sessionCall {
  type Options<answer> = Omit<Call<answer>, 'headers' | 'more'> & {
    needsUserId?: boolean | undefined
    userId?: string | undefined
    clientIp?: string | undefined
  }
}

function missing(field: string, fix: string): InvalidOptionError {
  return new InvalidOptionError(`This call needs ${field}.`, { field, fix })
}

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
