import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'

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
