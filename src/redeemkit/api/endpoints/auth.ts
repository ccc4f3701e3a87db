import type { AuthMessageResponse } from '../../schema/auth.ts'
import * as routes from '../../schema/endpoints/routes.ts'
import { lightAuthMessageAnswer, lightEmptyAnswer } from '../../schema/light.ts'
import type { CallOptions, PaymentsClient } from '../paymentsClient.ts'
import type { send } from '../send.ts'

/**
 * Gets the message that a customer signs to prove that they own the wallet: `GET /api/auth`. Check the message before the wallet signs it,
 * as `login` does.
 *
 * @returns `message`, and a `transaction` for wallets that cannot sign text
 * @see PROTOCOL.md 2.4 and 8
 * @example
 * ```ts
 * import { createPaymentsClient, getAuthMessage } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const ask = () => getAuthMessage(client, { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * ```
 */
export async function getAuthMessage(
  client: PaymentsClient,
  options: getAuthMessage.Options = {},
): Promise<AuthMessageResponse> {
  const { message, transaction } = await client.request({
    ...options,
    ...routes.getAuthMessage,
    answer: lightAuthMessageAnswer,
    headers: 'wallet',
    repeatable: true,
  })
  // unknown fields are dropped, because callers spread the result next to their own options
  return transaction === undefined ? { message } : { message, transaction }
}

export declare namespace getAuthMessage {
  type Options = CallOptions
  type ReturnType = AuthMessageResponse
  type ErrorType = send.ErrorType
}

/**
 * Verifies a signed message: `GET /api/auth/verify`. The first call, which must come within 10 minutes after the message was issued, makes
 * the signed message a credential. Resolves if the message is valid; a 401 is an `UnauthenticatedError`.
 *
 * @see PROTOCOL.md 2.4 and 8
 * @example
 * ```ts
 * import { createPaymentsClient, verifyAuth } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const check = (signedMessage: string, wallet: string) => verifyAuth(client, { signedMessage, wallet })
 * ```
 */
export async function verifyAuth(client: PaymentsClient, options: verifyAuth.Options = {}): Promise<void> {
  await client.request({
    ...options,
    ...routes.verifyAuth,
    answer: lightEmptyAnswer,
    repeatable: true,
  })
}

export declare namespace verifyAuth {
  type Options = CallOptions & {
    /** Default: the signed message that the client stored for the wallet. */
    signedMessage?: string | undefined
  }
  type ErrorType = send.ErrorType
}
