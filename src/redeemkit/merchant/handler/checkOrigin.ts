import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { Refusal } from './errorAnswer.ts'

/**
 * Lets pages of the merchant's own origin pass, those of the origins that were named, and programs that are no browser. A browser
 * says itself where a page is from, and no page can change what it says; a page of another site can send no JSON without asking first.
 *
 * @returns the named origin, which may read the answer
 * @throws {@link Refusal} with a 403 for a page of any other site
 */
export function checkOrigin(request: Request, allowed: ReadonlySet<string>): string | undefined {
  const origin = request.headers.get('origin')
  if (origin !== null && allowed.has(origin)) return origin
  const site = request.headers.get('sec-fetch-site')
  const isOwn =
    site === null ? origin === null || origin === new URL(request.url).origin : site === 'same-origin'
  if (isOwn) return undefined
  throw new Refusal('FORBIDDEN', 'Pages of another site may not ask this server.', {
    issues: [origin === null ? 'sec-fetch-site' : 'origin'],
  })
}

/**
 * The origins that were named, each as a browser writes it.
 *
 * @throws {@link InvalidOptionError} for anything else, `*` and `null` included
 */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins)
    if (typeof origin !== 'string' || !/^https?:\/\/[^*]+$/.test(origin) || !isOrigin(origin))
      throw new InvalidOptionError('One of the allowedOrigins is no origin.', {
        field: 'allowedOrigins',
        fix: 'Give each as a browser writes it: "https://shop.example", without a path or a slash at its end.',
      })
  return new Set(origins)
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** What lets a page of a named origin read an answer, with its cookies. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin === undefined
    ? {}
    : {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'retry-after',
      }
}

/** The answer to the question that a browser asks before it sends a page's request to another origin. */
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
