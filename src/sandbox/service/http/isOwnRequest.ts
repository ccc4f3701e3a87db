import type { Context } from 'hono'
import type { AppEnv } from './route.ts'

/** Handed over beside a request by a page that this process draws. It is no part of HTTP: nobody else can give it. */
export const ownRequest = { isOwn: true } as const

/**
 * Whether a page of this process asks, such as the dashboard. It looks on: it takes nobody's turn, and no fault strikes it, since the
 * faults are switched off there.
 */
export function isOwnRequest({ env }: Pick<Context<AppEnv>, 'env'>): boolean {
  return env === ownRequest
}
