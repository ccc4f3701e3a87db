import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { HeaderNames } from '../../../redeemkit/core/headerNames.ts'
import { escaped } from '../../service/http/sandboxPage.ts'

/** Renders the card form's page without texts. Its script inserts them in the language that the embedding page requests. */
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

/** Light or dark, as the user's system or the embedding page chooses. The page's CSS variables take precedence (PROTOCOL.md 10.8). */
export const cardStyle = `:root {
  color-scheme: light dark;
  --accent: var(--purchase-accent, light-dark(#1f54c9, #8fb4ff));
  --on-accent: var(--purchase-on-accent, light-dark(#ffffff, #0d1526));
  --back: var(--purchase-background, light-dark(#ffffff, #1a1d23));
  --field: var(--purchase-field, light-dark(#ffffff, #111318));
  --text: var(--purchase-text, light-dark(#16181d, #eceef2));
  --faint: var(--purchase-faint, light-dark(#565d6b, #a9b0bd));
  --line: var(--purchase-border, light-dark(#868e9c, #6d7583));
  --soft: light-dark(#e3e6ec, #30353f);
  --bad: var(--purchase-danger, light-dark(#ab1f2b, #ff9aa2));
  --bad-back: light-dark(#fbe9ea, #3a1b1e);
  --good: var(--purchase-success, light-dark(#146c37, #7fd6a0));
  --test-back: light-dark(#faf0d9, #342a14);
  --test: light-dark(#6d4900, #f0c26a);
  --round: var(--purchase-radius, 8px);
}
[data-scheme='light'] { color-scheme: light; }
[data-scheme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: transparent; }
body { margin: 0; color: var(--text); font: var(--purchase-font-size, 16px)/1.45 var(--purchase-font, system-ui, sans-serif); }
main { max-width: 36rem; margin: 0 auto; padding: clamp(1rem, 5vw, 1.5rem); background: var(--back); border: 1px solid var(--soft); border-radius: calc(var(--round) * 1.5); overflow: hidden; }
h2 { margin: 0 0 .35rem; font-size: 1.25em; line-height: 1.25; }
h2:focus { outline: none; }
p { margin: 0; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#loading { display: flex; gap: .75rem; align-items: center; justify-content: center; min-height: 14rem; color: var(--faint); }
#lines { margin: 0 0 1rem; }
#lines div { display: flex; gap: 1rem; justify-content: space-between; padding: .15rem 0; color: var(--faint); overflow-wrap: anywhere; }
#lines .total { padding: 0; color: var(--text); font-size: 1.35em; font-weight: 650; line-height: 1.3; }
#lines div + .total { margin-top: .5rem; padding-top: .6rem; border-top: 1px solid var(--soft); }
dd { margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
#test { margin: 0 0 1rem; padding: .45rem .75rem; border-radius: var(--round); background: var(--test-back); color: var(--test); font-size: .875em; }
#alert:not(:empty) { margin: 0 0 1rem; padding: .65rem .85rem; border-left: 4px solid; border-radius: var(--round); background: var(--bad-back); color: var(--bad); overflow-wrap: anywhere; }
.field { margin: 0 0 .9rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.4rem, 1fr)); column-gap: .9rem; }
.pair .field { display: grid; grid-row: span 3; grid-template-rows: subgrid; }
.pair label { align-self: end; }
label { display: block; margin-bottom: .25rem; font-size: .9em; font-weight: 550; }
input:not([type='checkbox']) { display: block; width: 100%; min-height: 2.9rem; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--field); color: var(--text); font: inherit; font-variant-numeric: tabular-nums; }
input::placeholder { color: var(--faint); opacity: 1; }
input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
input[aria-invalid='true'] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.wrong { display: block; color: var(--bad); font-size: .875em; }
.wrong:not(:empty) { margin-top: .25rem; }
.choice { display: flex; gap: .6rem; align-items: center; }
.choice label { margin: 0; font-weight: 400; }
input[type='checkbox'] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
button { min-height: 2.9rem; padding: .5rem 1.1rem; border: 1px solid var(--line); border-radius: var(--round); background: transparent; color: var(--text); font: inherit; font-weight: 600; cursor: pointer; }
button.main { display: flex; gap: .6rem; align-items: center; justify-content: center; width: 100%; border-color: transparent; background: var(--accent); color: var(--on-accent); }
button.main:hover { filter: brightness(1.08); }
button[aria-disabled='true'] { cursor: progress; }
.busy input { color: var(--faint); }
.note { display: flex; gap: .5rem; align-items: flex-start; margin-top: .8rem; color: var(--faint); font-size: .82em; }
.note svg { flex: none; width: 1rem; height: 1rem; margin-top: .15em; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linejoin: round; }
.spinner { display: none; width: 1.15em; height: 1.15em; border: 2px solid; border-right-color: transparent; border-radius: 50%; animation: turn 1s linear infinite; }
#loading .spinner, .busy .spinner { display: inline-block; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 4s; } }
#challenge p { color: var(--faint); }
#challenge-page { display: block; width: 100%; height: 24rem; margin: 1rem 0; border: 1px solid var(--soft); border-radius: var(--round); }
#challenge button { width: 100%; }
#outcome { padding: 1.5rem 0 1rem; text-align: center; }
#outcome p { max-width: 32rem; margin: 0 auto; color: var(--faint); overflow-wrap: anywhere; }
#outcome #reference { margin-top: .5rem; font-size: .82em; }
#outcome .main { max-width: 20rem; margin: 1.25rem auto 0; }
.mark { display: block; width: 3.5rem; height: 3.5rem; margin: 0 auto 1rem; fill: none; stroke: currentColor; stroke-width: 3.5; stroke-linecap: round; stroke-linejoin: round; }
.mark path { display: none; }
.done .mark { color: var(--good); } .done .mark .good, .bad .mark .bad { display: inline; }
.bad .mark { color: var(--bad); }
.waiting .mark { display: none; } .waiting .spinner.large { display: block; width: 3rem; height: 3rem; margin: 0 auto 1.25rem; border-width: 4px; color: var(--accent); }
#outcome .main[hidden] { display: none; }
@media (forced-colors: active) { button.main { border-color: ButtonText; } input[aria-invalid='true'] { outline: 2px solid; } }
`
