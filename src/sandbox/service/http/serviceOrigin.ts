import type { Context } from 'hono'
import type { Service } from '../service.ts'
import type { AppEnv } from './route.ts'

/** Where a browser reaches the service: as it was told, else as this request did. */
export function serviceOrigin(service: Service, context: Context<AppEnv>): string {
  return new URL(service.settings.publicUrl ?? context.req.url).origin
}
