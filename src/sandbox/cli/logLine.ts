import { styleText } from 'node:util'
import type { RequestLogEntry } from '../requestLog.ts'

/** One answered request, as a line for a person. */
export function logLine({ time, method, route, status, ms, merchantId, code, id }: RequestLogEntry): string {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const line = [
    styleText('dim', time.slice(11, 19)),
    styleText(colour, String(status)),
    `${method} ${route ?? '(no such path)'}`,
    styleText('dim', `${Math.round(ms)} ms`),
    ...(merchantId === undefined ? [] : [merchantId]),
    ...(code === undefined ? [] : [styleText(colour, code), styleText('dim', id)]),
  ]
  return `  ${line.join(' ')}`
}
