import type { Context } from 'hono'
import type { Service } from '../service.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'
import { serviceOrigin } from './serviceOrigin.ts'

/**
 * Refuses whoever is not a page of this service itself, pages of this machine and programs included (PROTOCOL.md 10.8). Browsers say
 * which page asks, and no page can say otherwise.
 *
 * @throws a 403
 */
export function checkOwnPage(service: Service, context: Context<AppEnv>): void {
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isOwn = site === undefined ? origin === serviceOrigin(service, context) : site === 'same-origin'
  if (!isOwn)
    throw problem('FORBIDDEN', 'This call is for the service’s own card form.', {
      issues: [site === undefined ? 'origin' : 'sec-fetch-site'],
    })
}
