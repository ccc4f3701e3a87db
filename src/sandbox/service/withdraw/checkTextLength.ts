import { problem } from '../http/problem.ts'

const most = 200

/**
 * Refuses a name or the like that nobody has: names are compared letter by letter.
 *
 * @throws a 400
 */
export function checkTextLength(text: string, field: string): void {
  if (text.length > most)
    throw problem('INVALID_REQUEST', `${field} has more than ${most} characters.`, { issues: [field] })
}
