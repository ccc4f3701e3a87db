import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'
import { createFront } from '../../src/sandbox/start/createFront.ts'
import { beforeAllInBrowser, openChromium } from './openChromium.ts'

/**
 * A page of another site in a real Chromium, with a service on this machine. Its requests must have no effect, and it must not read any
 * response, even if its own host name resolves to the service.
 */
let browser: Browser
let sandbox: Sandbox
let service: { url: string; close: () => Promise<void> }
/** The chains that run as separate servers. */
let others: Record<'Solana' | 'Stellar', { rpcUrl: string; stop: () => Promise<void> }>
let pages: Server
let pagesPort: number
/** Requests that reached the service's routes. */
let reached: string[] = []
/** Requests to the chain. */
let asked: string[] = []

beforeAllInBrowser(async () => {
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>a page</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pagesPort = (pages.address() as AddressInfo).port // it listens on TCP, so the address is an object
  sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'the key' }],
    allowedOrigins: [`http://friend.test:${pagesPort}`],
    onLog: ({ method, route, status }) => reached.push(`${method} ${route} ${status}`),
  })
  // As in a running sandbox: the service, and a chain under its name.
  const front = createFront({ headerPrefix: undefined, merchantId: 'sandbox-shop' })
  front.setService(sandbox.app.fetch)
  front.addNode('base', {
    ask: async (method) => {
      asked.push(method)
      return '"result":"0x1"}'
    },
  })
  service = await listen({ fetch: front.fetch, port: 0 })
  others = { Solana: await startSolana(), Stellar: await startStellar() }
  browser = await openChromium(['--host-resolver-rules=MAP *.test 127.0.0.1'])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  for (const chain of Object.values(others ?? {})) await chain.stop()
  await sandbox?.stop()
  pages?.close()
})

type Call = {
  url: string
  init?: { method?: string; headers?: Record<string, string>; body?: string; mode?: 'no-cors' }
}

/** Sends a request from the page, and returns what the page can read of the response. */
async function callFrom(host: string, call: Call, port = pagesPort): Promise<string> {
  reached = []
  asked = []
  const page = await browser.newPage()
  try {
    await page.goto(`http://${host}:${port}/`)
    return await page.evaluate(async ({ url, init }) => {
      try {
        const response = await fetch(url, init)
        return `${response.type} ${response.status}: ${await response.text()}`
      } catch (error) {
        return `blocked: ${error}`
      }
    }, call)
  } finally {
    await page.close()
  }
}

const json = { 'content-type': 'application/json' }
const move = (init: Call['init'] = {}): Call => ({
  url: `${service.url}/sandbox/clock`,
  init: { method: 'POST', headers: json, body: '{"advanceSeconds":1000}', ...init },
})
const moved = async (): Promise<number> =>
  (await (await fetch(`${service.url}/sandbox/clock`)).json()).movedSeconds

describe('a page of another site', () => {
  test('may not call the service: the CORS preflight is refused', async () => {
    expect(await callFrom('evil.test', move())).toMatch(/^blocked/)
    expect(reached).toEqual(['OPTIONS /sandbox/clock 403'])
    expect(await moved()).toBe(0)
  })

  test('changes nothing with a call that needs no preflight', async () => {
    const plain = { mode: 'no-cors' as const, headers: { 'content-type': 'text/plain' } }
    expect(await callFrom('evil.test', move(plain))).toBe('opaque 0: ')
    expect(reached).toEqual(['POST /sandbox/clock 403'])
    expect(await moved()).toBe(0)
  })

  test('reads nothing, even with a call without an origin', async () => {
    expect(await callFrom('evil.test', { url: `${service.url}/health` })).toMatch(/^blocked/)
    const image: Call = { url: `${service.url}/health`, init: { mode: 'no-cors' } }
    expect(await callFrom('evil.test', image)).toBe('opaque 0: ')
    expect(reached).toEqual(['GET /health 403'])
  })

  test('is refused when its own host name resolves to the service', async () => {
    const { port } = new URL(service.url)
    const page = await browser.newPage()
    const answer = await page.goto(`http://rebound.test:${port}/health`)
    expect(answer?.status()).toBe(403)
    const called = await page.evaluate(
      async () => (await fetch('/sandbox/clock', { method: 'POST', body: '{}' })).status,
    )
    expect(called).toBe(403)
    await page.close()
  })
})

describe('a form of another site', () => {
  const kinds = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

  test.each(kinds)('sent as %s does nothing', async (enctype) => {
    for (const path of ['/sandbox/clock', '/sandbox/3ds/any', '/rpc/base']) {
      reached = []
      asked = []
      const page = await browser.newPage()
      await page.goto(`http://evil.test:${pagesPort}/`)
      const [answer] = await Promise.all([
        page.waitForNavigation(),
        page.evaluate(
          ([action = '', type = '']) => {
            const form = document.createElement('form')
            Object.assign(form, { method: 'POST', action, enctype: type })
            const field = document.createElement('input')
            // Sent as plain text, but valid JSON: the equals sign is inside a string.
            field.name = '{"advanceSeconds":1000,"answer":"approve","id":1,"method":"anvil_mine","a":"'
            field.value = '"}'
            form.append(field)
            document.body.append(form)
            form.submit()
          },
          [`${service.url}${path}`, enctype],
        ),
      ])
      expect(answer?.status(), path).toBe(403)
      await page.close()
    }
    expect(await moved()).toBe(0)
    expect(asked).toEqual([])
  })
})

/** From a sandboxed frame: `Origin: null`. */
test('a sandboxed frame may not call the service', async () => {
  reached = []
  const page = await browser.newPage()
  await page.goto(`http://localhost:${pagesPort}/`)
  const said = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        window.addEventListener('message', ({ data }) => resolve(data))
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts')
        frame.srcdoc = `<script>fetch(${JSON.stringify(url)}).then((one) => one.text(), () => 'blocked').then((text) => parent.postMessage(text, '*'))</script>`
        document.body.append(frame)
      }),
    `${service.url}/health`,
  )
  expect(said).toBe('blocked')
  expect(reached).toEqual(['GET /health 403'])
  await page.close()
})

describe('the address of a chain', () => {
  const call = (init: Call['init'] = {}): Call => ({
    url: `${service.url}/rpc/base`,
    init: { method: 'POST', headers: json, body: '{"id":1,"method":"anvil_mine"}', ...init },
  })

  test('does not respond to a page of another site', async () => {
    expect(await callFrom('evil.test', call())).toMatch(/^blocked/)
    const plain = { mode: 'no-cors' as const, headers: { 'content-type': 'text/plain' } }
    expect(await callFrom('evil.test', call(plain))).toBe('opaque 0: ')
    expect(asked).toEqual([])
  })

  test('does not respond to a page whose host name resolves to it', async () => {
    const page = await browser.newPage()
    const { port } = new URL(service.url)
    await page.goto(`http://rebound.test:${port}/health`)
    const status = await page.evaluate(
      async (headers) =>
        (await fetch('/rpc/base', { method: 'POST', headers, body: '{"id":1,"method":"eth_chainId"}' }))
          .status,
      json,
    )
    expect(status).toBe(403)
    expect(asked).toEqual([])
    await page.close()
  })

  test.each(['evil.test', 'localhost'])('opens no websocket for a page of %s', async (host) => {
    asked = []
    const page = await browser.newPage()
    await page.goto(`http://${host}:${pagesPort}/`)
    const outcome = await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url)
          socket.onopen = () => resolve('open')
          socket.onerror = () => resolve('refused')
        }),
      `${service.url.replace('http', 'ws')}/rpc/base`,
    )
    expect(outcome).toBe('refused')
    expect(asked).toEqual([])
    await page.close()
  })

  test('responds to a page of this machine, with the allowed methods only', async () => {
    expect(await callFrom('localhost', call())).toMatch(/^cors 200: .*"result":"0x1"/)
    const reset = call({ body: '[{"id":1,"method":"eth_chainId"},{"id":2,"method":"anvil_reset"}]' })
    expect(await callFrom('localhost', reset)).toMatch(/is not allowed here/)
    expect(asked).toEqual(['eth_chainId'])
  })
})

describe.each(['Solana', 'Stellar'] as const)('the address of %s', (name) => {
  const call = (type = json['content-type']): Call => ({
    url: others[name].rpcUrl,
    init: {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    },
  })

  test('responds to a page of this machine, but to no page of another site', async () => {
    expect(await callFrom('localhost', call())).toMatch(/^cors 200: .*"result"/)
    expect(await callFrom('evil.test', call())).toMatch(/^blocked/)
    expect(await callFrom('evil.test', call('text/plain'))).toMatch(/^blocked/)
  })

  test('does not respond to a page whose host name resolves to it', async () => {
    const { port } = new URL(others[name].rpcUrl)
    // Same origin for the browser, so CORS blocks nothing.
    const own = { ...call(), url: `http://rebound.test:${port}/` }
    expect(await callFrom('rebound.test', own, Number(port))).toMatch(/^basic 403: /)
  })
})

test.each(['localhost', '127.0.0.1', 'friend.test'])('a page of %s may call the service', async (host) => {
  const answer = await callFrom(host, {
    url: `${service.url}/health`,
    init: { headers: { authorization: 'x' } },
  })
  expect(answer).toMatch(/^cors 200: .*"status":"ok"/)
})
