/**
 * Shows times in the user's time zone and refreshes the content. The refresh pauses while the page is hidden and while the user selects,
 * types or points at a button, and keeps the focus. Without this script, the page does not change and shows UTC.
 */
export const dashboardScript = `const content = document.getElementById('content')
let shown = content.innerHTML
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
const localTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
const localise = () => {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime)
    if (!Number.isFinite(at.getTime())) continue
    time.title = time.dateTime
    time.textContent = localTime.format(at)
  }
  const zone = document.getElementById('zone')
  if (zone) zone.textContent = timeZone
}
localise()
const address = new URL(location.href)
if (address.searchParams.has('note')) {
  address.searchParams.delete('note')
  history.replaceState(null, '', address)
}
const isChanged = (field) =>
  field.type !== 'hidden' &&
  (field.options
    ? [...field.options].some((option) => option.defaultSelected && !option.selected)
    : field.value !== field.defaultValue)
const isBusy = () =>
  document.hidden ||
  content.querySelector('[data-final], button:hover') !== null ||
  (content.contains(document.activeElement) && document.activeElement.matches('input, select')) ||
  [...content.querySelectorAll('input, select')].some(isChanged) ||
  String(getSelection()) !== ''
const controls = 'a, button, summary, [tabindex]'
const nameOf = (element) =>
  element.localName + (element.getAttribute('aria-label') ?? element.getAttribute('href') ?? element.textContent)
const refresh = async () => {
  if (isBusy()) return
  // A failed request marks the page as offline.
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  document.body.classList.toggle('away', answer?.ok !== true)
  if (answer?.ok !== true) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.getElementById('content').innerHTML
  if (fresh === shown || isBusy()) return
  const focused = content.contains(document.activeElement) ? nameOf(document.activeElement) : undefined
  const open = [...content.querySelectorAll('details[open]')].map(({ id }) => id)
  content.innerHTML = fresh
  shown = fresh
  localise()
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  if (focused !== undefined)
    [...content.querySelectorAll(controls)].find((element) => nameOf(element) === focused)?.focus()
}
setInterval(refresh, 2000)
`

/** Styles that show a table as cards, one per row, with the column's name before each value. */
const cards = (
  of: string,
) => `  table${of}, ${of} caption, ${of} tbody, ${of} tr, ${of} td { display: block; }
  ${of} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${of} tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  ${of} tbody tr:first-child { border-top: 0; }
  ${of} td, ${of} td.right { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem; border: 0; padding: .2rem 0; text-align: left; }
  ${of} td::before { content: attr(data-column); color: var(--faint); font-size: .87rem; }
  ${of} td.wider, ${of} td:has(> div:empty, > div > .actions:empty) { display: none; }
`

/** Light or dark, as the user's system chooses. Tables become cards on narrow screens, and forms are not printed. */
export const dashboardStyle = `:root {
  color-scheme: light dark;
  --back: #f5f6f9; --card: #fff; --text: #16181d; --faint: #565d6b; --line: #dde1e8; --edge: #868e9c;
  --accent: #1f54c9; --on-accent: #fff; --good: #146c37; --bad: #ab1f2b; --open: #7a5200;
  --good-back: #e4f3ea; --bad-back: #fbe9ea; --open-back: #faf0d9; --code-back: #f5f6f9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #111318; --card: #1a1d23; --text: #eceef2; --faint: #a9b0bd; --line: #30353f; --edge: #7c8492;
    --accent: #8fb4ff; --on-accent: #0d1526; --good: #7fd6a0; --bad: #ff9aa2; --open: #f0c26a;
    --good-back: #163020; --bad-back: #3a1b1e; --open-back: #342a14; --code-back: #111318;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
body.away::after {
  content: 'The service does not respond. This page may be outdated.'; position: fixed; inset: auto 1rem 1rem;
  padding: .6rem 1rem; border: 1px solid; border-radius: .5rem; background: var(--bad-back); color: var(--bad);
}
header, main, footer { padding-inline: max(clamp(1rem, 4vw, 3rem), (100vw - 84rem) / 2); }
header { padding-top: .9rem; border-bottom: 1px solid var(--line); background: var(--card); }
.top { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; min-height: 2.2rem; }
.title { margin: 0; color: var(--faint); }
.title strong { color: var(--text); font-size: 1.05rem; }
.merchant { display: flex; gap: .5rem; align-items: center; max-width: 100%; }
.merchant select { max-width: 14rem; min-width: 0; flex: 1; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem; margin: .4rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .5rem 0 .45rem; color: var(--faint); text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { color: var(--text); border-color: var(--line); }
nav a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600; }
main { padding-top: 1.25rem; padding-bottom: 2rem; }
main:focus { outline: none; }
footer { padding-bottom: 2rem; color: var(--faint); font-size: .87rem; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; }
h3 { margin: 1rem 0 .4rem; font-size: .95rem; }
p { margin: .4rem 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem; background: var(--card); z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.panel { margin: 0 0 1.25rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .7rem; background: var(--card); }
#note:empty { display: none; }
#note, .banner { margin: 0 0 1rem; padding: .6rem 1rem; border: 1px solid; border-radius: .5rem; overflow-wrap: anywhere; }
#note.success { background: var(--good-back); color: var(--good); }
#note.failure { background: var(--bad-back); color: var(--bad); }
.banner { background: var(--open-back); color: var(--open); }
.banner.good { background: var(--good-back); color: var(--good); } .banner.bad { background: var(--bad-back); color: var(--bad); }
.banner a { color: inherit; }
table { width: 100%; margin: .25rem 0 .5rem; border-collapse: collapse; }
caption { padding: 0 0 .3rem; text-align: left; color: var(--faint); }
th, td { padding: .45rem .9rem .45rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
th { font-size: .82rem; color: var(--faint); font-weight: 600; white-space: nowrap; border-top: 0; }
tbody tr:hover { background: var(--code-back); }
.right { text-align: right; }
.number, time { font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font: .87em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--code-back); max-width: min(60rem, 82vw); }
pre.wide { width: max-content; min-width: 100%; max-width: none; overflow: visible; }
.scrolls { overflow-x: auto; }
.id { display: inline-flex; max-width: 100%; white-space: nowrap; }
.id .head { overflow: hidden; text-overflow: ellipsis; width: 8ch; }
.line.good { color: var(--good); } .line.bad { color: var(--bad); } .line.open { color: var(--open); } .line.title { font-weight: 700; }
.state { display: inline-block; padding: 0 .5rem; border: 1px solid transparent; border-radius: 1rem; font-size: .87rem; font-weight: 600; white-space: nowrap; background: var(--open-back); color: var(--open); }
.state.good { background: var(--good-back); color: var(--good); } .state.bad { background: var(--bad-back); color: var(--bad); }
.reason { color: var(--faint); font-size: .87rem; overflow-wrap: anywhere; }
.empty { margin: .25rem 0; padding: 1rem; border: 1px dashed var(--edge); border-radius: .5rem; color: var(--faint); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 0; }
.facts dt { color: var(--faint); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.findings { display: grid; gap: .75rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.findings li { padding-left: .9rem; border-left: 4px solid var(--open); overflow-wrap: anywhere; }
.findings li.danger { border-color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; }
.choices { display: grid; gap: .5rem; margin: .25rem 0 1rem; padding: 0; list-style: none; }
.choices .action { display: flex; flex-direction: row-reverse; justify-content: flex-end; gap: .75rem; align-items: baseline; }
.fields { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin-top: .75rem; }
.fields .action { max-width: 100%; display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
.fields label { min-width: 0; max-width: 100%; display: grid; gap: .15rem; font-size: .87rem; color: var(--faint); }
td > div { min-width: 0; overflow-wrap: anywhere; }
.fields input { width: 100%; }
.fields .action { min-width: 0; }
button, select, input { font: inherit; color: inherit; padding: .25rem .7rem; border: 1px solid var(--edge); border-radius: .4rem; background: var(--card); max-width: 100%; min-height: 2.15rem; }
button { cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--accent); color: var(--accent); }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.main:hover { color: var(--on-accent); filter: brightness(1.1); }
button.danger { color: var(--bad); } button.danger:hover { border-color: var(--bad); }
summary { cursor: pointer; white-space: nowrap; }
details pre { white-space: pre-wrap; }
details[open] { max-width: min(60rem, 82vw); }
@media (max-width: 70rem) { .wider { display: none; } }
@media (max-width: 60rem) {
${cards('.many')}  .many tr { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; }}
@media (max-width: 45rem) {
  .panel { padding: .8rem .9rem; }
${cards('')}  .many tr { display: block; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .4rem; }
  .choices .action { flex-direction: column-reverse; gap: .25rem; }
}
@media (forced-colors: active) { .state, nav a[aria-current] { border-color: CanvasText; } nav a:not([aria-current]) { border-color: Canvas; } }
@media print {
  nav, .merchant, .actions, .fields, .choices, .action, .skip, .act { display: none !important; }
  body { background: none; } .panel { border: 0; padding: 0; } pre.wide { white-space: pre-wrap; width: auto; }
}
`
