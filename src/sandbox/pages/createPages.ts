import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { openApiDocument } from '../../redeemkit/schema/openApi/openApiDocument.ts'
import manifest from '../package.json' with { type: 'json' }
import { findRefusal } from '../servers/findRefusal.ts'
import { referenceHtml, referenceScript } from './referenceHtml.ts'

/**
 * Serves `/openapi.json`, `/reference` and its files, and redirects `/` to the reference. Returns undefined for other paths.
 *
 * @param options.headerPrefix prefix of the service's headers
 * @param options.merchantId the merchant of the examples
 */
export function createPages(
  options: findRefusal.Options & { headerPrefix: string | undefined; merchantId: string },
): (request: Request) => Promise<Response> | undefined {
  const pages = new Map<string, { type: string; read: (url: URL) => string | Promise<string> }>([
    [
      '/openapi.json',
      {
        type: 'application/json',
        read: ({ origin }) => localDocument(origin, options),
      },
    ],
    ['/reference', { type: 'text/html', read: () => referenceHtml }],
    ['/reference/page.js', { type: 'text/javascript', read: () => referenceScript }],
    ['/reference/swagger-ui.css', { type: 'text/css', read: () => readSwagger('swagger-ui.css') }],
    [
      '/reference/swagger-ui-bundle.js',
      { type: 'text/javascript', read: () => readSwagger('swagger-ui-bundle.js') },
    ],
  ])
  return (request) => {
    const url = new URL(request.url)
    const page = pages.get(url.pathname)
    if ((page === undefined && url.pathname !== '/') || !/^(GET|HEAD)$/.test(request.method)) return undefined
    return answer(request, { page, url, options })
  }
}

/** The document with the sandbox's version and merchant, and where its API key is. */
function localDocument(
  baseUrl: string,
  { headerPrefix, merchantId }: { headerPrefix: string | undefined; merchantId: string },
): string {
  const { info, ...document } = openApiDocument({ headerPrefix, baseUrl })
  const description = `${info.description} The sandbox printed its API key when it started.`
  return JSON.stringify({
    ...document,
    info: { ...info, version: manifest.version, description },
  }).replaceAll('"sandbox-shop"', JSON.stringify(merchantId))
}

async function answer(
  request: Request,
  parts: {
    page: { type: string; read: (url: URL) => string | Promise<string> } | undefined
    url: URL
    options: findRefusal.Options
  },
): Promise<Response> {
  const { page, url, options } = parts
  const origin = request.headers.get('origin')
  const refusal = findRefusal({ host: request.headers.get('host') ?? url.host, origin }, options)
  if (refusal !== undefined) return Response.json({ message: refusal }, { status: 403 })
  if (page === undefined) return new Response(null, { status: 302, headers: { location: '/reference' } })
  return new Response(request.method === 'HEAD' ? null : await page.read(url), {
    headers: {
      'content-type': `${page.type}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(origin !== null && { 'access-control-allow-origin': origin, vary: 'origin' }),
    },
  })
}

/** Swagger UI needs inline styles; other origins and frames are blocked. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function readSwagger(file: string): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`), 'utf8')
}
