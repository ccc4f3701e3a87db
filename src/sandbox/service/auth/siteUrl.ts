import { isThisMachine } from '../../servers/findRefusal.ts'
import type { Service } from '../service.ts'

/**
 * The site that a request comes from: the page, where this service allows it to stand in a sign-in text, else the service.
 *
 * A page is allowed by `allowedOrigins`, and on this machine when the service is there, too. Any other could have its visitor
 * sign in here for itself.
 *
 * @param request.origin the `Origin` header; browsers leave it out where page and service are one
 */
export function siteUrl(
  { publicUrl, allowedOrigins }: Pick<Service['settings'], 'publicUrl' | 'allowedOrigins'>,
  request: { url: string; origin: string | undefined },
): URL {
  const own = new URL(publicUrl ?? request.url)
  const { origin } = request
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined
  if (page === undefined || page.origin !== origin || !/^https?:$/.test(page.protocol)) return own
  return allowedOrigins.includes(origin) || (isThisMachine(own.hostname) && isThisMachine(page.hostname))
    ? page
    : own
}
