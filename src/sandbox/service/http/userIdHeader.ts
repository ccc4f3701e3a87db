import type { Context } from 'hono'
import type { Service } from '../service.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'
import { isStorableText } from './storableText.ts'

/** Characters that a user id may have at most. */
const maxUserIdLength = 256

/**
 * The end user's id in the merchant's own numbering, from its header.
 *
 * @returns undefined when the request has no such header
 * @throws a 400 for one that is empty, or longer than 256 characters
 */
export function userIdHeader(service: Service, context: Context<AppEnv>): string | undefined {
  const name = service.headers.userId
  const userId = context.req.header(name)
  if (userId === undefined) return undefined
  if (userId.trim() === '' || userId.length > maxUserIdLength || !isStorableText(userId))
    throw problem(
      'INVALID_REQUEST',
      `Header ${name} must be a text of 1 to ${maxUserIdLength} characters that is not blank.`,
      { issues: [name] },
    )
  return userId
}
