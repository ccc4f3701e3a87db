import type { Context } from 'hono'
import type { WireErrorCode } from '../../../redeemkit/core/errors/wireErrors.ts'
import type { Service } from '../service.ts'

/** What travels with a request. */
export type AppEnv = {
  /** What the server hands over: with Node, its `incoming` request. */
  Bindings: object
  Variables: {
    requestId: string
    /** Whose API key or session key came along, once it is known. */
    merchantId: string
    /** Code of the error that is answered. */
    code: WireErrorCode
  }
}

/** One endpoint: what it answers becomes the JSON body of a 200; a `Response`, such as a page, goes out as it is. */
export type Route = {
  method: 'GET' | 'POST'
  /** Taken as well: what clients of other services send. */
  alsoAs?: 'PUT'
  path: `/${string}`
  handle: (service: Service, context: Context<AppEnv>) => Promise<object> | object
}
