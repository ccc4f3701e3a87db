import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { openApiDocument } from '../../redeemkit/schema/openApi/openApiDocument.ts'
import { defaultMerchantId } from '../merchantOptions.ts'
import manifest from '../package.json' with { type: 'json' }
import { findRefusal } from '../servers/findRefusal.ts'

/** Returns undefined for paths other than `/`, `/openapi.json`, and `/reference` with its files. */
export function createPages(
  options: findRefusal.Options & { headerPrefix: string | undefined; merchantId: string },
): (request: Request) => Promise<Response> | undefined {
  const pages: Readonly<Record<string, Page>> = {
    '/': {},
    '/openapi.json': { type: 'application/json', read: ({ origin }) => localDocument(origin, options) },
    '/reference': { type: 'text/html', read: () => referenceHtml },
    '/reference/page.js': { type: 'text/javascript', read: () => referenceScript },
    '/reference/swagger-ui.css': { type: 'text/css', read: () => readSwagger('swagger-ui.css') },
    '/reference/swagger-ui-bundle.js': {
      type: 'text/javascript',
      read: () => readSwagger('swagger-ui-bundle.js'),
    },
  }
  return (request) => {
    const url = new URL(request.url)
    const page = Object.hasOwn(pages, url.pathname) ? pages[url.pathname] : undefined
    if (page === undefined || !/^(GET|HEAD)$/.test(request.method)) return undefined
    return answer(request, { page, url, options })
  }
}

/** A page without content redirects to the reference. */
type Page =
  | { type?: undefined; read?: undefined }
  | { type: string; read: (url: URL) => string | Promise<string> }

/** Returns the OpenAPI document with the sandbox's version and merchant, and a note about the API key. */
function localDocument(
  baseUrl: string,
  { headerPrefix, merchantId }: { headerPrefix: string | undefined; merchantId: string },
): string {
  const { info, ...document } = openApiDocument({ headerPrefix, baseUrl })
  const description = `${info.description} The sandbox printed its API key when it started.`
  return JSON.stringify({
    ...document,
    info: { ...info, version: manifest.version, description },
  }).replaceAll(JSON.stringify(defaultMerchantId), JSON.stringify(merchantId))
}

async function answer(
  request: Request,
  { page, url, options }: { page: Page; url: URL; options: findRefusal.Options },
): Promise<Response> {
  const origin = request.headers.get('origin')
  const refusal = findRefusal({ host: request.headers.get('host') ?? url.host, origin }, options)
  if (refusal !== undefined) return Response.json({ message: refusal }, { status: 403 })
  if (page.read === undefined) return new Response(null, { status: 302, headers: { location: '/reference' } })
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

/** Allows the inline styles that Swagger UI needs, and blocks other origins and frames. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function readSwagger(file: string): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`), 'utf8')
}

const referenceHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference: redeemkit payments API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/reference/swagger-ui.css">
<style>
html { background: #fff; }
body { margin: 0; }
noscript { display: block; padding: 1rem; font-family: system-ui, sans-serif; }
.swagger-ui .operation-servers { display: none; }
.swagger-ui .info { margin: 30px 0; }
.swagger-ui .info table { width: auto; max-width: 60rem; }
.swagger-ui .info td, .swagger-ui .info th { padding: 6px 16px 6px 0; vertical-align: top; }
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; word-break: normal; }
@media (prefers-color-scheme: dark) {
  html { background: #16181d; }
  .swagger-ui { filter: invert(0.92) hue-rotate(180deg); }
  .swagger-ui .highlight-code, .swagger-ui pre:not(.highlight-code pre) { filter: invert(1) hue-rotate(180deg); }
}
@media (min-width: 641px) { .swagger-ui .info td:nth-child(2) { white-space: nowrap; } }
@media (max-width: 640px) {
  .swagger-ui .info td { overflow-wrap: anywhere; min-width: 5rem; }
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; }
  .swagger-ui table, .swagger-ui .model-box { display: block; max-width: 100%; overflow-x: auto; }
}
</style>
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<main id="reference"></main>
<script src="/reference/swagger-ui-bundle.js"></script>
<script src="/reference/page.js"></script>
</body>
</html>
`

/** Disables Swagger UI's online validator, which is a third-party server. */
const referenceScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
  tryItOutEnabled: true,
})
`
