import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'
import { openChromium } from './openChromium.ts'

/**
 * A page of another site in a real Chromium, against a service on this machine. Nothing that it sends may do anything, and nothing
 * that it is answered may be read by it; also when its own name leads to the service.
 */
let browser: Browser
let sandbox: Sandbox
let service: { url: string; close: () => Promise<void> }
let pages: Server
let pagesPort: number
/** What the service has seen of requests that reached its routes. */
let reached: string[] = []

beforeAll(async () => {
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>a page</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pagesPort = (pages.address() as AddressInfo).port // it listens on TCP
  sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'the key' }],
    allowedOrigins: [`http://friend.test:${pagesPort}`],
    onLog: ({ method, route, status }) => reached.push(`${method} ${route} ${status}`),
  })
  service = await listen({ fetch: sandbox.app.fetch, port: 0 })
  browser = await openChromium(['--host-resolver-rules=MAP *.test 127.0.0.1'])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await sandbox?.stop()
  pages?.close()
})

type Call = {
  url: string
  init?: { method?: string; headers?: Record<string, string>; body?: string; mode?: 'no-cors' }
}

/** Lets a page call; what it can read of the answer. */
async function callFrom(host: string, call: Call, port = pagesPort): Promise<string> {
  reached = []
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
  test('may not call: the question before the call is refused', async () => {
    expect(await callFrom('evil.test', move())).toMatch(/^blocked/)
    expect(reached).toEqual(['OPTIONS /sandbox/clock 403'])
    expect(await moved()).toBe(0)
  })

  test('does nothing with a call that browsers send without asking', async () => {
    const plain = { mode: 'no-cors' as const, headers: { 'content-type': 'text/plain' } }
    expect(await callFrom('evil.test', move(plain))).toBe('opaque 0: ')
    expect(reached).toEqual(['POST /sandbox/clock 403'])
    expect(await moved()).toBe(0)
  })

  test('reads nothing, also with a call that has no origin', async () => {
    expect(await callFrom('evil.test', { url: `${service.url}/health` })).toMatch(/^blocked/)
    const image: Call = { url: `${service.url}/health`, init: { mode: 'no-cors' } }
    expect(await callFrom('evil.test', image)).toBe('opaque 0: ')
    expect(reached).toEqual(['GET /health 403'])
  })

  test('is no friend when its own name leads to the service', async () => {
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

test.each(['localhost', '127.0.0.1', 'friend.test'])('a page of %s may call', async (host) => {
  const answer = await callFrom(host, {
    url: `${service.url}/health`,
    init: { headers: { authorization: 'x' } },
  })
  expect(answer).toMatch(/^cors 200: .*"status":"ok"/)
})
