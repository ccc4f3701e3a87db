/** The API reference: Swagger UI over `/openapi.json`, in the user's colour scheme. */
export const referenceHtml = `<!doctype html>
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

/** Renders it, without the online validator, which is a third-party server. */
export const referenceScript = `SwaggerUIBundle({
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
