import type { Context } from 'hono'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** Headers that a request may have at most, and their names and values together in characters. */
const maxHeaders = 100
const maxHeaderCharacters = 16 * 1024

/**
 * Refuses requests with too many or too large headers. Node's own server answers some of them before they come here, with a 431.
 *
 * @throws a 400
 */
export function checkHeaders(context: Context<AppEnv>): void {
  let count = 0
  let characters = 0
  for (const [name, value] of context.req.raw.headers) {
    count++
    characters += name.length + value.length
  }
  if (count > maxHeaders || characters > maxHeaderCharacters)
    throw problem(
      'INVALID_REQUEST',
      `A request has at most ${maxHeaders} headers, and ${maxHeaderCharacters} characters in them.`,
      { issues: ['headers'] },
    )
}
