import type { Context } from 'hono'
import type { WireErrorCode } from '../../../redeemkit/core/errors/wireErrors.ts'
import { endpoints } from '../../../redeemkit/schema/endpoints/endpoints.ts'
import type { Service } from '../service.ts'

export type AppEnv = {
  /** Node's server passes its `incoming` request here. */
  Bindings: object
  Variables: {
    requestId: string
    /** The merchant to which the API key or session key belongs, once known. */
    merchantId: string
    code: WireErrorCode
  }
}

/** One endpoint. Its result is sent as the JSON body of a 200. A `Response`, such as a page, is sent unchanged. */
export type Route = {
  method: 'GET' | 'POST'
  /** A second accepted method, which clients of deployed services use. */
  alsoAs?: 'PUT'
  path: `/${string}`
  handle: (service: Service, context: Context<AppEnv>) => Promise<object> | object
}

/** Creates a route that only the sandbox has. */
export function route(method: Route['method'], path: Route['path'], handle: Route['handle']): Route {
  return { method, path, handle }
}

/** Creates the route of an endpoint in the endpoint table. */
export function endpoint(id: (typeof endpoints)[number]['id'], handle: Route['handle']): Route {
  const found = endpoints.find((entry) => entry.id === id)
  if (found === undefined) throw new Error(`The endpoint table has no ${id}.`)
  // Hono writes parameters as `:name`.
  const path = found.path.replace(/\{(\w+)\}/g, ':$1') as `/${string}` // the table's paths start with a slash
  return { method: found.method, path, handle }
}
