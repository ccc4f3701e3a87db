import { userMessage } from '../core/userMessage/userMessage.ts'
import type { Redeemkit } from './kit.ts'
import { reportMistake } from './reportMistake.ts'

/** Returns the customer's message, in the kit's language; `undefined` without an error. */
export function messageOf(
  { messages }: Redeemkit,
  error: unknown,
  options: Omit<userMessage.Options, 'messages'> = {},
): string | undefined {
  if (error === null || error === undefined) return undefined
  reportMistake(error)
  return userMessage(error, { messages, ...options })
}
