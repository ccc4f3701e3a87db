/** @jsxImportSource hono/jsx */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { BaseError } from '../../../core/errors/baseError.ts'
import { headerNames } from '../../../core/headerNames.ts'
import { isThisMachine } from '../../servers/isThisMachine.ts'
import { type Action, actions } from './actions.ts'
import { type Ask, createAsk, ServiceRefusalError } from './ask.ts'
import { dashboardScript } from './dashboardScript.ts'
import { dashboardStyle } from './dashboardStyle.ts'
import { Layout } from './layout.tsx'
import { views } from './views/index.ts'
import type { View } from './views/view.ts'

/**
 * Answers the pages below `/dashboard`, and nothing else.
 *
 * They act with the merchant's API key, which stays here. So they answer this machine only, under a name of its own, and a form
 * counts only from a page of the same origin that was given this process's token.
 */
export function createDashboard(options: createDashboard.Options): Dashboard {
  const { merchants, people, headerPrefix } = options
  const names = headerNames(headerPrefix)
  const token = randomBytes(24).toString('base64url')
  /** What came of the last actions, told by the page that follows. */
  const notes = new Map<string, Note>()

  const app = new Hono()
  app.all('*', ({ req }) => answer(req.raw))
  app.onError(() => Response.json({ message: 'The page could not be drawn.' }, { status: 500 }))
  return (request) =>
    /^\/dashboard(\/|$)/.test(new URL(request.url).pathname) ? app.fetch(request) : undefined

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const refusal = findRefusal(request, url)
    if (refusal !== undefined) return Response.json({ message: refusal }, { status: 403 })
    const file = files[url.pathname]
    if (file !== undefined) return new Response(file.text, { headers: headersOf(file.type) })
    const merchant =
      merchants.find(({ merchantId }) => merchantId === url.searchParams.get('merchant')) ?? merchants[0]
    const found = findView(url.pathname)
    if (found === undefined || merchant === undefined)
      return Response.json(
        { message: 'There is no such page. The first one is /dashboard.' },
        { status: 404 },
      )
    const ask = createAsk(options.service, { apiKey: merchant.apiKey, origin: url.origin })
    if (request.method === 'POST') return act(request, { url, ask })
    if (!/^(GET|HEAD)$/.test(request.method))
      return Response.json({ message: 'It is read, or posted to.' }, { status: 405 })
    const content = await found.view
      .draw({
        ask,
        merchantId: merchant.merchantId,
        token,
        params: found.params,
        people,
        walletHeaders: ({ blockchain, address }) => ({
          [names.blockchain]: blockchain,
          [names.wallet]: address,
        }),
      })
      .catch((error: unknown) => <p class="empty">{wordsOf(error)}</p>)
    const note = notes.get(url.searchParams.get('note') ?? '')
    const page = (
      <Layout
        view={found.view}
        views={views}
        merchants={merchants.map(({ merchantId }) => merchantId)}
        merchantId={merchant.merchantId}
        note={note}
      >
        {content}
      </Layout>
    )
    return new Response(request.method === 'HEAD' ? null : `<!doctype html>${await page}`, {
      headers: headersOf('text/html'),
    })
  }

  async function act(request: Request, { url, ask }: { url: URL; ask: Ask }): Promise<Response> {
    if (request.headers.get('origin') !== url.origin)
      return Response.json({ message: 'Only this page may act here.' }, { status: 403 })
    const fields = Object.fromEntries(
      [...new URLSearchParams(await request.text())].map(([name, value]) => [name, value]),
    )
    const { action: name = '', token: given = '', ...rest } = fields
    if (!isEqual(given, token))
      return Response.json({ message: 'The page is of an earlier start: load it again.' }, { status: 403 })
    const action: Action | undefined = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) return Response.json({ message: 'There is no such action.' }, { status: 400 })
    const id = randomBytes(9).toString('base64url')
    notes.set(id, await outcomeOf(action, rest, ask))
    for (const old of [...notes.keys()].slice(0, -mostNotes)) notes.delete(old)
    url.searchParams.set('note', id)
    return new Response(null, { status: 303, headers: { location: `${url.pathname}${url.search}` } })
  }
}

export declare namespace createDashboard {
  type Options = {
    /** Answers a request in this process. */
    service: (request: Request) => Response | Promise<Response>
    merchants: readonly { merchantId: string; apiKey: string }[]
    /** Addresses by name. */
    people: Readonly<Record<string, string>>
    headerPrefix: string | undefined
  }
  type ErrorType = never
}

/** Undefined for a path that is not its own. */
export type Dashboard = (request: Request) => Response | Promise<Response> | undefined

type Note = { text: string; isFailure: boolean }

const mostNotes = 20

const files: Readonly<Record<string, { type: string; text: string }>> = {
  '/dashboard/style.css': { type: 'text/css', text: dashboardStyle },
  '/dashboard/script.js': { type: 'text/javascript', text: dashboardScript },
}

/** A tunnel or a proxy on this machine says whom it speaks for; a name that was pointed here is not this machine's own. */
function findRefusal(request: Request, url: URL): string | undefined {
  const host = request.headers.get('host') ?? url.host
  const { hostname } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '' }
  const behind = request.headers.get('x-forwarded-for')
  if (!isThisMachine(hostname) || behind !== null) return 'The dashboard is answered on this machine only.'
  const site = request.headers.get('sec-fetch-site')
  const isLink = request.headers.get('sec-fetch-mode') === 'navigate' && request.method === 'GET'
  return site === null || site === 'same-origin' || site === 'none' || isLink
    ? undefined
    : 'Pages of other origins are not answered.'
}

async function outcomeOf(action: Action, fields: Record<string, string>, ask: Ask): Promise<Note> {
  try {
    const { path, body } = action.call(fields)
    await ask(path, { body })
    return { text: action.done(fields), isFailure: false }
  } catch (error) {
    return { text: wordsOf(error), isFailure: true }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof ServiceRefusalError) return error.shortMessage
  if (error instanceof BaseError) return [error.shortMessage, error.fix].filter(Boolean).join(' ')
  // Not ours: its words may quote what was sent.
  return 'The service could not be asked. Its own log says why.'
}

/** The page of a path, with the values of its segments that begin with a colon. */
function findView(pathname: string): { view: View; params: Record<string, string> } | undefined {
  const given = pathname.split('/').slice(2)
  for (const view of views) {
    const wanted = view.path === '' ? [] : view.path.split('/')
    if (wanted.length !== given.length) continue
    const params: Record<string, string> = {}
    const fits = wanted.every((segment, at) => {
      const value = given[at] ?? ''
      if (!segment.startsWith(':')) return segment === value
      params[segment.slice(1)] = value
      return value !== ''
    })
    if (fits) return { view, params }
  }
  return undefined
}

function headersOf(type: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    // With none at all a browser sends its form from the origin "null".
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
