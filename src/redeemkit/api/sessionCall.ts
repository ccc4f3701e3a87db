import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { Call, HasSessionKey, PaymentsClient } from './paymentsClient.ts'

/** `needsUserId` also sends the user id: the call's, or by default the client's (PROTOCOL.md 1.3, 2.1). */
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
