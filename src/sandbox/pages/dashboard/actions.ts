import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { parseFunction } from '../../parseSelector.ts'

/** Calls the service in this process, as the merchant's server would. */
export type Ask = <answer>(path: string, options?: AskOptions) => Promise<answer>

type AskOptions = {
  body?: object | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** The API key does not leave this process. */
export function createAsk(
  service: (request: Request) => Response | Promise<Response>,
  { apiKey, origin }: { apiKey: string; origin: string },
): Ask {
  return async <answer>(path: string, { body, headers }: AskOptions = {}) => {
    const response = await service(
      new Request(`${origin}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: apiKey,
          'x-request-id': dashboardCaller,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    // A service with random nonces may send an empty body, or its message in `details`.
    const text = await response.text()
    const answer = text === '' ? {} : JSON.parse(text)
    if (!response.ok) {
      const { message = `The service responded with ${response.status}.`, details } = answer
      throw new ServiceRefusalError(oneLine(String(typeof details === 'string' ? details : message)))
    }
    // The caller passes the type of the path's response (PROTOCOL.md 2).
    return answer as answer
  }
}

const dashboardCaller = 'dashboard'

export class ServiceRefusalError extends BaseError {
  override readonly name = 'ServiceRefusalError'
}

/** The dashboard's actions. Each calls the service once, with the fields of a form. */
export const actions: Readonly<Record<string, Action>> = {
  decideProgram: {
    done: ({ approved, was }) =>
      approved === 'true' ? 'Approved.' : was === 'approved' ? 'Removed from the whitelist.' : 'Rejected.',
    call: ({ blockchain, programId, selector = '', approved }) => ({
      path: '/sandbox/program',
      body: {
        blockchain,
        programId: programId?.trim(),
        ...(selector.trim() !== '' && parseFunction(selector.trim(), 'The function')),
        approved: approved === 'true',
      },
    }),
  },
  moveClock: {
    done: () => 'The clocks of the service and its chains were moved.',
    call: ({ count, unitSeconds }) => ({
      path: '/sandbox/clock',
      body: { advanceSeconds: numberOf(count) * numberOf(unitSeconds) },
    }),
  },
  setClock: {
    done: () => 'The clocks of the service and its chains were moved.',
    call: ({ now = '' }) => ({ path: '/sandbox/clock', body: { now: instantOf(now) } }),
  },
  pay: {
    done: () => 'The payment was received.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/pay`, body: {} }),
  },
  dispute: {
    done: () => 'The payment is disputed.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/dispute`, body: {} }),
  },
  decideDispute: {
    done: ({ won }) => (won === 'true' ? 'The dispute was won.' : 'The dispute was lost.'),
    call: ({ paymentId, won }) => ({
      path: `/sandbox/payments/${part(paymentId)}/decide`,
      body: { won: won === 'true' },
    }),
  },
  changeSubscription: {
    done: () => 'The subscription was changed.',
    call: ({ subscriptionId, change }) => ({
      path: `/sandbox/subscription/subscribers/${part(subscriptionId)}/${part(change)}`,
      body: {},
    }),
  },
  resend: {
    done: () => 'The event was sent again with the same id.',
    call: ({ id }) => ({ path: '/sandbox/webhooks/resend', body: { id } }),
  },
  switchFault: {
    done: () => 'The fault is active.',
    call: ({ path, kind, delayMs, status, times }) => ({
      path: '/sandbox/fault',
      body: {
        path,
        kind,
        ...(delayMs !== undefined && { delayMs: numberOf(delayMs) }),
        ...(status !== undefined && { status: numberOf(status) }),
        ...(times !== undefined && { times: numberOf(times) }),
      },
    }),
  },
  clearFault: {
    done: ({ faultId }) => (faultId === undefined ? 'All faults were cleared.' : 'The fault was cleared.'),
    call: ({ faultId }) => ({
      path: '/sandbox/fault/clear',
      body: faultId === undefined ? {} : { faultId },
    }),
  },
}

type Fields = Readonly<Record<string, string | undefined>>

export type Action = {
  done: (fields: Fields) => string
  call: (fields: Fields) => { path: string; body: object }
}

const part = (text: string | undefined) => encodeURIComponent(text ?? '')

/** Accepts only decimal digits: an empty field must not be 0, and 0x10 must not be 16. The service rejects NaN. */
const numberOf = (text = '') => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/** A date and time input has no time zone, and the dashboard asks for UTC. */
const instantOf = (text: string) => (/T[\d:.]+$/.test(text) ? `${text}Z` : text)
