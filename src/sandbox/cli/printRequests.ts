import { styleText } from 'node:util'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { jsonText } from '../../redeemkit/core/parseJson.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import { printWarning } from './printError.ts'

/** Adds the reason of an internal error, which the response lacks. A repeated error of background work is printed once. */
export function printRequests(options: { json?: boolean | undefined }): {
  onError: (error: unknown, request?: { requestId: string }) => void
  onLog: (entry: RequestLogEntry) => void
} {
  const reasons = new Map<string, string>()
  const printed = new Set<string>()
  return {
    onError: (error, request) => {
      const reason = error instanceof BaseError ? `${error.name}: ${error.shortMessage}` : 'An unknown error.'
      if (request !== undefined) {
        // The service does not log the dashboard's requests, so their reasons would accumulate.
        if (reasons.size >= mostReasons) reasons.clear()
        reasons.set(request.requestId, reason)
      } else if (!printed.has(reason)) {
        printed.add(reason)
        printWarning(reason)
      }
    },
    onLog: (entry) => {
      const reason = entry.status < 500 ? undefined : reasons.get(entry.id)
      reasons.delete(entry.id)
      console.error(options.json ? jsonText({ request: entry, reason }) : logLine(entry, reason))
    },
  }
}

const mostReasons = 100

function logLine(entry: RequestLogEntry, reason: string | undefined): string {
  const { time, method, route, status, ms, merchantId, code, id } = entry
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const line = [
    styleText('dim', time.slice(11, 19)),
    styleText(colour, String(status)),
    `${method} ${route ?? '(unknown path)'}`,
    styleText('dim', `${Math.round(ms)} ms`),
    ...(merchantId === undefined ? [] : [merchantId]),
    ...(code === undefined ? [] : [styleText(colour, code), styleText('dim', id)]),
    ...(reason === undefined ? [] : [`(${reason})`]),
  ]
  return `  ${line.join(' ')}`
}
