import { loose } from '../../../schema/loose.ts'
import { emptyAnswer } from '../../../schema/values.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(emptyAnswer)

/**
 * Asks whether the signed message is a good credential: `GET /api/auth/verify`. The first time, within 10 minutes of the
 * message's issue, makes it one.
 *
 * Resolves when it is good. The service's 401 is an `UnauthenticatedError`.
 *
 * Source: PROTOCOL.md 2.4 and 8.
 * @example
 * ```ts
 * import { createPaymentsClient, verifyAuth } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const check = (signedMessage: string, wallet: string) => verifyAuth(client, { signedMessage, wallet })
 * ```
 */
export async function verifyAuth(client: PaymentsClient, options: verifyAuth.Options = {}): Promise<void> {
  await client.request({ ...options, method: 'GET', path: '/api/auth/verify', answer, repeatable: true })
}

export declare namespace verifyAuth {
  type Options = CallOptions & {
    /** Default: the one that the client keeps for the wallet. */
    signedMessage?: string | undefined
  }
  type ErrorType = send.ErrorType
}
