import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { Call, HasSessionKey, PaymentsClient } from './paymentsClient.ts'

/**
 * Sends a call of a customer whom a session key names (PROTOCOL.md 1.3 and 2.1).
 *
 * @param call.needsUserId whether the user id goes along: the call's own, else the client's
 * @throws {@link InvalidOptionError} naming what is missing, before anything is sent
 */
export async function sessionCall<answer>(
  client: PaymentsClient<HasSessionKey>,
  call: sessionCall.Options<answer>,
): Promise<answer> {
  const { needsUserId, userId = client.userId, clientIp, ...rest } = call
  // The types say so; plain JavaScript may not obey them.
  if (!client.hasSessionKey)
    throw missing(
      'sessionKey',
      'Get one on your own server (GET /api/auth/session-key) and give it to the client.',
    )
  if (needsUserId && userId === undefined)
    throw missing('userId', 'Give your own name of the customer to the client or to the call.')
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
  return new InvalidOptionError(`This call needs ${field}, and there is none.`, { field, fix })
}
