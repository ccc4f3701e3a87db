import { userMessage } from '../../core/userMessage/userMessage.ts'
import type { Redeemkit } from './createRedeemkit.ts'

/** What a person is told of an error, in the kit's language; `undefined` where there is none. */
export function messageOf(
  { messages }: Redeemkit,
  error: unknown,
  about: userMessage.Options['about'] = 'payment',
): string | undefined {
  return error === null || error === undefined ? undefined : userMessage(error, { messages, about })
}
