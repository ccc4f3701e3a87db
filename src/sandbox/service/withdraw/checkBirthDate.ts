import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/**
 * Refuses a day of birth that is still to come, or further back than anybody has lived.
 *
 * @param day `YYYY-MM-DD`, a day that exists
 * @throws a 400
 */
export function checkBirthDate(service: Service, day: string, field: string): void {
  const now = new Date(service.now())
  const age = now.getUTCFullYear() - Number(day.slice(0, 4))
  if (day > now.toISOString().slice(0, 10) || age > 130)
    throw problem('INVALID_REQUEST', `${field} is no day on which somebody who lives was born.`, {
      issues: [field],
    })
}
