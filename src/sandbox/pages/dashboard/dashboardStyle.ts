/** Light and dark by the person's system; a table becomes cards on a narrow screen. */
export const dashboardStyle = `:root {
  color-scheme: light dark;
  --back: #fbfbfd; --card: #fff; --text: #16181d; --faint: #5b6270; --line: #dfe2e8;
  --accent: #1f54c9; --good: #146c37; --bad: #ab1f2b; --open: #7a5200; --note: #e9f3ec; --alarm: #fbe9ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14161a; --card: #1c1f25; --text: #eceef2; --faint: #a4abb8; --line: #343944;
    --accent: #8fb4ff; --good: #7fd6a0; --bad: #ff9aa2; --open: #f0c26a; --note: #18301f; --alarm: #3a1b1e;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
body.away::after {
  content: 'The service does not answer: what is shown may be old.'; position: fixed; inset: auto 1rem 1rem;
  padding: .6rem 1rem; border-radius: .5rem; background: var(--alarm); color: var(--bad);
}
header { padding: 1rem clamp(1rem, 4vw, 3rem) 0; border-bottom: 1px solid var(--line); background: var(--card); }
.title { margin: 0 0 .5rem; color: var(--faint); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .4rem 0; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { border-color: var(--line); }
nav a[aria-current] { border-color: var(--accent); font-weight: 600; }
main { padding: 1rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 100rem; }
main:focus { outline: none; }
h1 { margin: .5rem 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem; background: var(--card); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#note { margin: .5rem 0; }
#note.success, #note.failure { padding: .6rem 1rem; border-radius: .5rem; overflow-wrap: anywhere; }
#note.success { background: var(--note); color: var(--good); }
#note.failure { background: var(--alarm); color: var(--bad); }
table { width: 100%; margin: .5rem 0 1.5rem; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
caption { padding: .4rem 0; text-align: left; color: var(--faint); }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { font-size: .85rem; color: var(--faint); font-weight: 600; white-space: nowrap; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--back); max-width: min(60rem, 85vw); }
pre.wide { width: max-content; min-width: 100%; max-width: none; overflow: visible; }
.scrolls { overflow-x: auto; }
.state { font-weight: 600; white-space: nowrap; }
.state.good { color: var(--good); } .state.bad { color: var(--bad); } .state.open { color: var(--open); }
.reason, .empty { color: var(--faint); }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; }
.choices { display: grid; gap: .4rem; padding: 0; list-style: none; }
.choices .action { display: flex; flex-direction: row-reverse; justify-content: flex-end; gap: .75rem; align-items: baseline; }
.merchant { display: flex; gap: .5rem; align-items: end; padding: .5rem 0; }
button, select { font: inherit; color: inherit; padding: .25rem .7rem; border: 1px solid var(--faint); border-radius: .4rem; background: var(--card); }
button { cursor: pointer; }
button:hover { border-color: var(--accent); color: var(--accent); }
button.danger:hover { border-color: var(--bad); color: var(--bad); }
@media (max-width: 45rem) {
  table, caption, tbody, tr, td { display: block; }
  caption { padding: .4rem .75rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  td { display: grid; grid-template-columns: 7rem 1fr; gap: .5rem; border: 0; padding: .25rem .75rem; }
  td::before { content: attr(data-column); color: var(--faint); font-size: .85rem; }
}
`
