/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import type { View } from './parts.tsx'

export function Layout(options: {
  view: View | undefined
  views: readonly View[]
  merchants: readonly string[]
  merchantId: string
  note: { text: string; isFailure: boolean } | undefined
  faults: number
  children?: Child
}) {
  const { view, views, merchants, merchantId, note, faults, children } = options
  const title = view?.title ?? view?.name ?? 'Page not found'
  const query = `?merchant=${encodeURIComponent(merchantId)}`
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {note === undefined ? '' : `${note.isFailure ? 'Not done' : 'Done'}: `}
          {title}, payments service on this machine
        </title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/dashboard/style.css" />
        <script src="/dashboard/script.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <div class="top">
            <p class="title">
              <strong>Payments service</strong> on this machine
            </p>
            {merchants.length > 1 && (
              <form method="get" class="merchant">
                <label for="merchant">Merchant</label>
                <select name="merchant" id="merchant">
                  {merchants.map((id) => (
                    <option value={id} selected={id === merchantId}>
                      {oneLine(id)}
                    </option>
                  ))}
                </select>
                <button type="submit">Show</button>
              </form>
            )}
          </div>
          <nav aria-label="Pages">
            <ul>
              {views
                .filter(({ name }) => name !== undefined)
                .map(({ path, name }) => (
                  <li>
                    <a
                      href={`/dashboard${path && `/${path}`}${query}`}
                      aria-current={path === view?.path ? 'page' : path === view?.within ? 'true' : undefined}
                    >
                      {name}
                    </a>
                  </li>
                ))}
              <li>
                <a href="/reference">API reference</a>
              </li>
            </ul>
          </nav>
        </header>
        <main id="main" tabindex={-1}>
          <h1>{title}</h1>
          {/* Receives the focus after an action, so that screen readers start here. */}
          <div
            id="note"
            role="status"
            tabindex={-1}
            autofocus={note !== undefined}
            class={note === undefined ? '' : note.isFailure ? 'failure' : 'success'}
          >
            {note?.text}
          </div>
          <div id="content">
            {faults > 0 && view?.path !== 'faults' && (
              <p class="banner">
                {faults === 1 ? '1 fault is active' : `${faults} faults are active`}.{' '}
                <a href={`/dashboard/faults${query}`}>See the faults</a>
              </p>
            )}
            {children}
          </div>
        </main>
        <footer>
          Times are from the service's clock, in <span id="zone">UTC</span>.
        </footer>
      </body>
    </html>
  )
}
