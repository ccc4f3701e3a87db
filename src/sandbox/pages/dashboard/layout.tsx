/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import type { View } from './views/view.ts'

/** The frame around each page. */
export function Layout(options: {
  view: View
  views: readonly View[]
  merchants: readonly string[]
  merchantId: string
  note: { text: string; isFailure: boolean } | undefined
  children?: Child
}) {
  const { view, views, merchants, merchantId, note, children } = options
  const title = view.name ?? 'Report'
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}: payments service</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/dashboard/style.css" />
        <script src="/dashboard/script.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <p class="title">Payments service, on this machine</p>
          <nav aria-label="Pages">
            <ul>
              {views
                .filter(({ name }) => name !== undefined)
                .map(({ path, name }) => (
                  <li>
                    <a
                      href={`/dashboard${path && `/${path}`}?merchant=${encodeURIComponent(merchantId)}`}
                      aria-current={path === view.path ? 'page' : undefined}
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
          {merchants.length > 1 && (
            <form method="get" class="merchant">
              <label>
                Merchant{' '}
                <select name="merchant">
                  {merchants.map((id) => (
                    <option value={id} selected={id === merchantId}>
                      {id}
                    </option>
                  ))}
                </select>
              </label>
              <button type="submit" class="plain">
                Show
              </button>
            </form>
          )}
        </header>
        <main id="main" tabindex={-1}>
          <h1>{title}</h1>
          <div
            id="note"
            role="status"
            class={note === undefined ? '' : note.isFailure ? 'failure' : 'success'}
          >
            {note?.text}
          </div>
          <div id="content">{children}</div>
        </main>
      </body>
    </html>
  )
}
