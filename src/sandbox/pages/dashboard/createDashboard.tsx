/** @jsxImportSource hono/jsx */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { headerNames } from '../../../redeemkit/core/headerNames.ts'
import { isForwarded, isOwnHost } from '../../servers/findRefusal.ts'
import { type Action, type Ask, actions, createAsk } from './actions.ts'
import { dashboardScript, dashboardStyle } from './dashboardFiles.ts'
import { faults } from './faults.tsx'
import { Layout } from './layout.tsx'
import { overview } from './overview.tsx'
import { messageOfError, orError, type View } from './parts.tsx'
import { payments } from './payments.tsx'
import { redeemReport, redeems } from './redeems.tsx'
import { subscriptions } from './subscriptions.tsx'
import { webhooks } from './webhooks.tsx'

/** In the order of the navigation. */
const views: readonly View[] = [overview, redeems, redeemReport, payments, subscriptions, webhooks, faults]

/**
 * Serves the pages below `/dashboard`. Returns undefined for other paths.
 *
 * The pages act with the merchant's API key, which does not leave this process. Therefore, pages are served only to this machine, under one
 * of its own host names. A form is accepted only from a page of the same origin with this process's token.
 */
export function createDashboard(options: createDashboard.Options): Dashboard {
  const { merchants, accounts, headerPrefix } = options
  const names = headerNames(headerPrefix)
  const token = randomBytes(24).toString('base64url')
  /** Results of recent actions, shown on the next page load. */
  const notes = new Map<string, Note>()

  const app = new Hono()
  app.use(async ({ req }, next) => {
    const refusal = findRefusal(req.raw, new URL(req.url))
    if (refusal !== undefined) return Response.json({ message: refusal }, { status: 403 })
    return next()
  })
  for (const [path, { type, text }] of Object.entries(files))
    app.all(path, () => new Response(text, { headers: headersOf(type) }))
  for (const view of views)
    app.all(`/dashboard/${view.path}`.replace(/\/$/, ''), ({ req }) =>
      answer(req.raw, { view, params: req.param() }),
    )
  app.all('*', ({ req }) => answer(req.raw, { view: undefined, params: {} }))
  app.onError(() => Response.json({ message: 'The page could not be rendered.' }, { status: 500 }))
  return (request) =>
    /^\/dashboard(\/|$)/.test(new URL(request.url).pathname) ? app.fetch(request) : undefined

  async function answer(request: Request, found: Pick<Page, 'view' | 'params'>): Promise<Response> {
    const url = new URL(request.url)
    const merchant =
      merchants.find(({ merchantId }) => merchantId === url.searchParams.get('merchant')) ?? merchants[0]
    if (merchant === undefined)
      return Response.json({ message: 'The service has no merchant.' }, { status: 404 })
    const ask = createAsk(options.service, { apiKey: merchant.apiKey, origin: url.origin })
    const page: Page = { ...found, url, ask, merchantId: merchant.merchantId }
    if (request.method === 'POST') return act(request, page)
    if (!/^(GET|HEAD)$/.test(request.method))
      return Response.json({ message: 'Use GET or POST.' }, { status: 405 })
    return draw(page, notes.get(url.searchParams.get('note') ?? ''))
  }

  async function draw({ view, params, url, ask, merchantId }: Page, note: Note | undefined, status = 200) {
    const context = {
      ask,
      merchantId,
      token,
      params,
      query: url.searchParams,
      accounts,
      walletHeaders: ({ blockchain, address }: { blockchain: string; address: string }) => ({
        [names.blockchain]: blockchain,
        [names.wallet]: address,
      }),
    }
    const [content, faults] = await Promise.all([
      view === undefined ? noSuchPage : orError(() => view.draw(context)),
      countFaults(ask),
    ])
    const page = (
      <Layout
        view={view}
        views={views}
        merchants={merchants.map((one) => one.merchantId)}
        merchantId={merchantId}
        note={note}
        faults={faults}
      >
        {content}
      </Layout>
    )
    return new Response(`<!doctype html>${await page}`, {
      status: view === undefined ? 404 : status,
      headers: headersOf('text/html'),
    })
  }

  async function act(request: Request, page: Page): Promise<Response> {
    const { url, ask } = page
    if (request.headers.get('origin') !== url.origin)
      return Response.json({ message: 'Only the dashboard itself may send this form.' }, { status: 403 })
    const fields = Object.fromEntries(
      [...new URLSearchParams(await request.text())].map(([name, value]) => [name, value]),
    )
    const { action: name = '', token: given = '', ...rest } = fields
    // The page that the redirect loads contains the current token.
    if (!isEqual(given, token))
      return draw(
        page,
        {
          text: 'Nothing was changed: the service restarted after the page was loaded. Try again.',
          isFailure: true,
        },
        403,
      )
    const action: Action | undefined = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) return draw(page, { text: 'The action does not exist.', isFailure: true }, 400)
    const id = randomBytes(9).toString('base64url')
    notes.set(id, await outcomeOf(action, rest, ask))
    for (const old of [...notes.keys()].slice(0, -mostNotes)) notes.delete(old)
    url.searchParams.set('note', id)
    return new Response(null, { status: 303, headers: { location: `${url.pathname}${url.search}` } })
  }
}

export declare namespace createDashboard {
  type Options = {
    service: (request: Request) => Response | Promise<Response>
    merchants: readonly { merchantId: string; apiKey: string }[]
    accounts: Readonly<Record<string, string>>
    headerPrefix: string | undefined
  }
}

/** Returns undefined for paths outside the dashboard. */
export type Dashboard = (request: Request) => Response | Promise<Response> | undefined

type Page = {
  /** Undefined for an unknown path. */
  view: View | undefined
  params: Readonly<Record<string, string>>
  url: URL
  ask: Ask
  merchantId: string
}

type Note = { text: string; isFailure: boolean }

const mostNotes = 20

const files: Readonly<Record<string, { type: string; text: string }>> = {
  '/dashboard/style.css': { type: 'text/css', text: dashboardStyle },
  '/dashboard/script.js': { type: 'text/javascript', text: dashboardScript },
}

/** Rejects other host names, even those that resolve to this machine (DNS rebinding). */
function findRefusal(request: Request, url: URL): string | undefined {
  const host = request.headers.get('host') ?? url.host
  if (!isOwnHost(host) || isForwarded(request.headers))
    return 'The dashboard is available on this machine only.'
  const site = request.headers.get('sec-fetch-site')
  const isLink = request.headers.get('sec-fetch-mode') === 'navigate' && request.method === 'GET'
  return site === null || site === 'same-origin' || site === 'none' || isLink
    ? undefined
    : 'Pages of other origins may not use the dashboard.'
}

async function outcomeOf(action: Action, fields: Record<string, string>, ask: Ask): Promise<Note> {
  try {
    const { path, body } = action.call(fields)
    await ask(path, { body })
    return { text: action.done(fields), isFailure: false }
  } catch (error) {
    return { text: messageOfError(error), isFailure: true }
  }
}

/** Returns 0 if the request fails, because the page itself shows the error. */
async function countFaults(ask: Ask): Promise<number> {
  try {
    const { faults } = await ask<{ faults: { times?: number; triggered: number }[] }>('/sandbox/fault')
    return faults.filter(({ times, triggered }) => times === undefined || triggered < times).length
  } catch {
    return 0
  }
}

const noSuchPage = (
  <p class="empty">
    The page does not exist. Go to <a href="/dashboard">the overview</a>.
  </p>
)

function headersOf(type: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // With `no-referrer`, browsers would send the form with the origin "null".
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
