import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'
import { beforeAllInBrowser } from './beforeAllInBrowser.ts'
import { openChromium } from './openChromium.ts'

let sandbox: RunningSandbox
let site: Awaited<ReturnType<typeof listen>>
let browser: Browser

beforeAllInBrowser(async () => {
  sandbox = await startSandbox({ blockchains: ['base', 'solana', 'stellar'], bridge: false })
  site = await listen({
    port: 0,
    fetch: () =>
      new Response('<!doctype html><title>a page</title>', { headers: { 'content-type': 'text/html' } }),
  })
  // A foreign host name that resolves to this machine (DNS rebinding).
  browser = await openChromium(['--host-resolver-rules=MAP *.example 127.0.0.1'])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await sandbox?.stop()
})

const open = async (url: string): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

type Attempt = { url: string; method: string; mode?: RequestMode; type?: string }

/** A response as a page can read it: status and body, or that the browser blocked it. */
const ask = (page: Page, attempt: Attempt): Promise<string> =>
  page.evaluate(async ({ url, method, mode = 'cors', type = 'application/json' }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
    return fetch(url, { method: 'POST', mode, headers: { 'content-type': type }, body }).then(
      async (response) => `${response.status} ${await response.text()}`,
      () => 'kept from the page',
    )
  }, attempt)

const rpcUrl = () => String(sandbox.chains.base?.rpcUrl)
const height = async () =>
  (
    await (
      await fetch(rpcUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
      })
    ).json()
  ).result

describe('a page of another site, in a browser on this machine', () => {
  test('reads no chain', async () => {
    const page = await open(`http://evil.example:${site.port}`)
    for (const [url, method] of [
      [rpcUrl(), 'eth_accounts'],
      [sandbox.solana?.rpcUrl, 'getHealth'],
      [sandbox.stellar?.rpcUrl, 'getHealth'],
    ])
      for (const type of ['application/json', 'text/plain'])
        expect(await ask(page, { url: String(url), method: String(method), type })).toBe('kept from the page')
    await page.close()
  })

  test('changes no chain, even without reading the answer', async () => {
    const page = await open(`http://evil.example:${site.port}`)
    const before = await height()
    await ask(page, { url: rpcUrl(), method: 'evm_mine', mode: 'no-cors', type: 'text/plain' })
    await ask(page, { url: rpcUrl(), method: 'evm_mine', type: 'text/plain' })
    expect(await height()).toBe(before)
    await page.close()
  })

  test('has no access under a host name that resolves here', async () => {
    for (const url of [rpcUrl(), String(sandbox.solana?.rpcUrl), String(sandbox.stellar?.rpcUrl)]) {
      const { port, pathname } = new URL(url)
      const page = await open(`http://evil.example:${site.port}`)
      // Same origin for the browser, so CORS blocks nothing.
      await page.goto(`http://evil.example:${port}${pathname}`).catch(() => {})
      expect(
        await ask(page, { url: `http://evil.example:${port}${pathname}`, method: 'eth_accounts' }),
        url,
      ).toMatch(/^403 /)
      await page.close()
    }
  })

  test('a page of this machine is answered', async () => {
    const page = await open(`http://localhost:${site.port}`)
    expect(await ask(page, { url: rpcUrl(), method: 'eth_chainId' })).toContain('"0x14a34"')
    await page.close()
  })
})

describe('the API reference', () => {
  test('draws every call, in light and dark, wide and narrow, and loads nothing from elsewhere', async () => {
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1200, height: 800 } })
    const outside: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.url) && !request.url().startsWith('data:'))
        outside.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(sandbox.url)
    await page.waitForSelector('.opblock')
    const { paths } = await (await fetch(`${sandbox.url}/openapi.json`)).json()
    const calls = Object.values<object>(paths).flatMap((methods) => Object.keys(methods))
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(calls.length)
    await page.locator('.opblock-summary-control').nth(4).click()
    await page.waitForSelector('.opblock-body')
    const behind = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(await behind()).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await behind()).toBe('rgb(22, 24, 29)')
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect({ outside, complaints }).toEqual({ outside: [], complaints: [] })
    await page.close()
  })

  test('reveals nothing to other sites, and cannot be framed', async () => {
    const answer = await fetch(`${sandbox.url}/openapi.json`, { headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
    const page = await fetch(`${sandbox.url}/reference`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
