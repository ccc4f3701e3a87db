import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { Refusal } from './errorAnswer.ts'

/**
 * Allows pages of the merchant's own origin and of the allowed origins, and programs that are not browsers. Only the browser sets the
 * origin headers, not a page's scripts. A page of another site cannot send JSON without a preflight request.
 *
 * @returns the allowed origin, which may read the response
 */
export function checkOrigin(request: Request, allowed: ReadonlySet<string>): string | undefined {
  const origin = request.headers.get('origin')
  if (origin !== null && allowed.has(origin)) return origin
  const site = request.headers.get('sec-fetch-site')
  const isOwn =
    site === null ? origin === null || origin === new URL(request.url).origin : site === 'same-origin'
  if (isOwn) return undefined
  throw new Refusal('FORBIDDEN', 'Pages of other sites may not call this server.', {
    issues: [origin === null ? 'sec-fetch-site' : 'origin'],
  })
}

/**
 * @throws {@link InvalidOptionError} for text that is not an origin, such as `*` and `null`
 */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins)
    if (typeof origin !== 'string' || !/^https?:\/\/[^*]+$/.test(origin) || !isOrigin(origin))
      throw new InvalidOptionError('One of the allowedOrigins is not an origin.', {
        field: 'allowedOrigins',
        fix: 'Pass each as a browser writes it: "https://shop.example", without a path or trailing slash.',
      })
  return new Set(origins)
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin === undefined
    ? {}
    : {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'retry-after',
      }
}

export function preflightAnswer(origin: string, extra: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      vary: 'origin',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': ['content-type', 'authorization', ...extra].join(', '),
      'access-control-max-age': '600',
    },
  })
}
