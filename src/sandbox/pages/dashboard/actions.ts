import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { parseSelector } from '../../parseSelector.ts'

/** Asks the service in this process, as the merchant's own server would. */
export type Ask = <answer>(path: string, options?: AskOptions) => Promise<answer>

type AskOptions = {
  /** Makes it a POST. */
  body?: object | undefined
  /** Beside the API key. */
  headers?: Readonly<Record<string, string>> | undefined
}

/**
 * @param service answers a request
 * @param apiKey the merchant's; it stays in this process
 */
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
    // One that plays a service of the field has no body where there is nothing to say, and its words in `details`.
    const text = await response.text()
    const answer = text === '' ? {} : JSON.parse(text)
    if (!response.ok) {
      const { message = `The service answered ${response.status}.`, details } = answer
      throw new ServiceRefusalError(oneLine(String(typeof details === 'string' ? details : message)))
    }
    // What the service answers at its own path; PROTOCOL.md 2 says what.
    return answer as answer
  }
}

/** How the dashboard's own requests are known in the log. */
const dashboardCaller = 'dashboard'

export declare namespace createAsk {
  type ErrorType = never
}

/** The service said no, in its own words. */
export class ServiceRefusalError extends BaseError {
  override readonly name = 'ServiceRefusalError'
}

/** What the buttons of the dashboard do: each is one call of the service, made of the fields of its form. */
export const actions: Readonly<Record<string, Action>> = {
  decideProgram: {
    done: ({ approved, was }) =>
      approved === 'true' ? 'Approved.' : was === 'approved' ? 'Taken off the whitelist.' : 'Rejected.',
    call: ({ blockchain, programId, selector = '', approved }) => ({
      path: '/sandbox/program',
      body: {
        blockchain,
        programId: programId?.trim(),
        ...(selector.trim() !== '' && { selector: parseSelector(selector.trim(), 'The function') }),
        approved: approved === 'true',
      },
    }),
  },
  moveClock: {
    done: () => 'The clock has moved, on the service and on its chains.',
    call: ({ count, unitSeconds }) => ({
      path: '/sandbox/clock',
      body: { advanceSeconds: numberOf(count) * numberOf(unitSeconds) },
    }),
  },
  setClock: {
    done: () => 'The clock has moved, on the service and on its chains.',
    call: ({ now = '' }) => ({ path: '/sandbox/clock', body: { now: instantOf(now) } }),
  },
  pay: {
    done: () => 'The money has arrived.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/pay`, body: {} }),
  },
  dispute: {
    done: () => 'The payment is disputed.',
    call: ({ paymentId }) => ({ path: `/sandbox/payments/${part(paymentId)}/dispute`, body: {} }),
  },
  decideDispute: {
    done: ({ won }) => (won === 'true' ? 'The dispute is won.' : 'The dispute is lost.'),
    call: ({ paymentId, won }) => ({
      path: `/sandbox/payments/${part(paymentId)}/decide`,
      body: { won: won === 'true' },
    }),
  },
  changeSubscription: {
    done: () => 'The subscription has changed.',
    call: ({ subscriptionId, change }) => ({
      path: `/sandbox/subscription/subscribers/${part(subscriptionId)}/${part(change)}`,
      body: {},
    }),
  },
  resend: {
    done: () => 'It is sent again, under the same id.',
    call: ({ id }) => ({ path: '/sandbox/webhooks/resend', body: { id } }),
  },
  switchFault: {
    done: () => 'The fault is on.',
    call: ({ path, kind, delayMs, status, times }) => ({
      path: '/sandbox/fault',
      body: {
        path,
        kind,
        ...(kind === 'slow' && { delayMs: numberOf(delayMs) }),
        ...(kind === 'status' && { status: numberOf(status) }),
        ...(times !== undefined && times !== '' && { times: numberOf(times) }),
      },
    }),
  },
  clearFault: {
    done: ({ faultId }) => (faultId === undefined ? 'All faults are off.' : 'The fault is off.'),
    call: ({ faultId }) => ({
      path: '/sandbox/fault/clear',
      body: faultId === undefined ? {} : { faultId },
    }),
  },
}

type Fields = Readonly<Record<string, string | undefined>>

export type Action = {
  /** What is said when it went through. */
  done: (fields: Fields) => string
  call: (fields: Fields) => { path: string; body: object }
}

const part = (text: string | undefined) => encodeURIComponent(text ?? '')

/** What is no whole number is none, and is refused: an empty field is not 0, and 0x10 is no 16. */
const numberOf = (text = '') => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/** What a field for date and time gives has no zone; it is asked for in UTC. */
const instantOf = (text: string) => (/T[\d:.]+$/.test(text) ? `${text}Z` : text)
