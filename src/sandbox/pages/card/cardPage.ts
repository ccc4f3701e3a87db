import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { HeaderNames } from '../../../redeemkit/core/headerNames.ts'
import { escaped } from '../../service/http/sandboxPage.ts'

/** The card form's page without texts. Its script inserts them in the language that the embedding page requests. */
export function cardPage(options: {
  merchantId: string
  /** Origin of the embedding page. The form exchanges messages with this origin only. */
  parent: string
  environment: Environment
  headers: HeaderNames
}): string {
  const { merchantId, parent, environment, headers } = options
  const { sessionKey, wallet, blockchain, userId, deviceId } = headers
  const base = `/card/${encodeURIComponent(merchantId)}`
  const settings = {
    merchantId,
    parent,
    environment,
    headers: { sessionKey, wallet, blockchain, userId, deviceId },
  }
  return `<!doctype html>
<html lang="en" data-settings="${escaped(JSON.stringify(settings))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Card payment</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/form.css">
<script src="${base}/form.js" defer></script>
</head>
<body>
<main id="card">
<h1 class="unseen" data-word="title">Card payment</h1>
<noscript>This form needs JavaScript.</noscript>
<p id="loading" role="status"><span class="spinner" aria-hidden="true"></span><span data-word="loading">Loading…</span></p>
<section id="price" hidden>
<h2 class="unseen" data-word="price">Price</h2>
<dl id="lines"></dl>
<p id="test" hidden data-word="testMode"></p>
</section>
<div id="alert" role="alert"></div>
<form id="form" hidden novalidate>
${field({ name: 'email', type: 'email', autocomplete: 'email', inputmode: 'email' })}
${field({ name: 'number', autocomplete: 'cc-number', inputmode: 'numeric', placeholder: '1234 5678 9012 3456' })}
<div class="pair">
${field({ name: 'expiry', autocomplete: 'cc-exp', inputmode: 'numeric' })}
${field({ name: 'cvv', autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: '123' })}
</div>
${field({ name: 'name', autocomplete: 'cc-name' })}
<p class="field choice" id="save-field" hidden><input id="save" type="checkbox"><label for="save" data-word="save"></label></p>
<button id="pay" class="main" type="submit"><span class="spinner" aria-hidden="true"></span><span id="pay-text"></span></button>
<p class="note"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v7H3z"/></svg><span data-word="safe"></span></p>
</form>
<section id="challenge" hidden aria-labelledby="challenge-title">
<h2 id="challenge-title" tabindex="-1" data-word="challengeTitle"></h2>
<p data-word="challengeText"></p>
<iframe id="challenge-page" title="" sandbox="allow-forms allow-scripts allow-same-origin"></iframe>
<button id="leave" type="button" data-word="challengeLeave"></button>
</section>
<section id="outcome" hidden aria-labelledby="outcome-title">
<svg class="mark" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path class="good" d="m15 25 6 6 12-13"/><path class="bad" d="M24 13v14m0 6v2"/></svg>
<span class="spinner large" aria-hidden="true"></span>
<h2 id="outcome-title" tabindex="-1"></h2>
<p id="outcome-text"></p>
<p id="reference"></p>
<button id="again" class="main" type="button" hidden></button>
</section>
<p id="status" class="unseen" role="status"></p>
</main>
</body>
</html>
`
}

export function refusedCardPage(reason: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Card payment</title><h1>The card form cannot be shown here</h1><p>${escaped(reason)}</p></html>`
}

function field(options: {
  name: string
  type?: string
  autocomplete: string
  inputmode?: string
  placeholder?: string
}): string {
  const { name, type = 'text', autocomplete, inputmode = 'text', placeholder = '' } = options
  return `<p class="field" id="${name}-field"><label for="${name}" data-word="${name}"></label><input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" inputmode="${inputmode}" placeholder="${placeholder}" aria-describedby="${name}-wrong" required spellcheck="false"><span class="wrong" id="${name}-wrong"></span></p>`
}
