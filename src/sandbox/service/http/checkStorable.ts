import { problem } from './problem.ts'
import { isStorableText } from './storableText.ts'

/**
 * Refuses text that the database cannot keep, wherever it stands in a body, names of fields included.
 *
 * @throws ServiceProblem, 400 with the path
 */
export function checkStorable(value: unknown, path = ''): void {
  if (typeof value === 'string' && !isStorableText(value))
    throw problem('INVALID_REQUEST', 'There is text that is not well-formed.', { issues: [path || 'body'] })
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (!isStorableText(name))
      throw problem('INVALID_REQUEST', 'There is a name that is not well-formed.', {
        issues: [path || 'body'],
      })
    checkStorable(part, path === '' ? name : `${path}.${name}`)
  }
}
