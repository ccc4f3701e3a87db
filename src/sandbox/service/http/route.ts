import type { Context } from 'hono'
import type { Service } from '../service.ts'

/** What travels with a request. */
export type AppEnv = { Variables: { requestId: string } }

/** One endpoint: what it answers becomes the JSON body of a 200; a `Response`, such as a page, goes out as it is. */
export type Route = {
  method: 'GET' | 'POST'
  path: `/${string}`
  handle: (service: Service, context: Context<AppEnv>) => Promise<object> | object
}
