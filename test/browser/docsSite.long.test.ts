import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findBrowser } from './findBrowser.ts'
import { findSerious, openChromium } from './openChromium.ts'

/* The built documentation in a browser. `npm run docs:build` builds it, and checks its links and anchors. */

const dist = fileURLToPath(new URL('../../docs/dist', import.meta.url))

const found = findBrowser()
const missing = !existsSync(join(dist, 'index.html'))
  ? 'The documentation is not built: npm run docs:build.'
  : 'missing' in found
    ? found.missing
    : undefined

let server: Server
let browser: Browser
let url: string

if (missing !== undefined && process.env.REQUIRE_PROGRAMS === undefined)
  beforeEach((context) => context.skip(missing))
else
  beforeAll(async () => {
    if (missing !== undefined) throw new Error(missing)
    server = createServer(async ({ url: path = '/' }, response) => {
      const { pathname } = new URL(path, 'http://localhost')
      const file = extname(pathname) === '' ? `${pathname.replace(/\/$/, '/index')}.html` : pathname
      const body = await readFile(join(dist, file)).catch(() => undefined)
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': types[extname(file)] ?? 'text/plain',
      })
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP, so the address is an object
    browser = await openChromium()
  })
afterAll(async () => {
  await browser?.close()
  server?.close()
})

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Opens a page of the site, which must load without an error. */
async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
  await page.locator('.rp-llms-view-options__trigger[aria-label]').waitFor({ state: 'attached' }) // hydrated
  expect(problems).toEqual([])
  return page
}

const samples = [
  '/',
  '/start/concepts',
  '/dapp/react',
  '/contract/rules',
  '/reference/api/redeemkit-languages',
  '/protocol/7-errors-retries-and-look-ups',
]

test.each(samples)('%s has no serious accessibility problem and does not scroll sideways', async (path) => {
  const page = await open(path)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const shown = `${colorScheme}, ${width} wide`
      expect(await findSerious(page), shown).toEqual([])
      const isWithin = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      expect(isWithin, shown).toBe(true)
    }
  }
  await page.close()
})

test('the longest page does not scroll sideways', async () => {
  const page = await open('/reference/api/redeemkit')
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.close()
})

test.each([
  ['nonce', /nonce/i],
  ['451', /451/],
  ['whitelist', /whitelist/i],
])('the search finds "%s", by keyboard and offline', async (text, expected) => {
  const page = await open('/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  const result = page.locator('[class*="search-result"] a, [class*="suggest-item"] a').first()
  await result.waitFor()
  expect(await result.textContent()).toMatch(expected)
  await page.keyboard.press('Enter')
  await page.waitForURL((there) => there.pathname !== '/')
  await page.close()
})

test('the keyboard reaches the first guide', async () => {
  const page = await open('/start/what-it-is')
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Concepts') break
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/start\/concepts/)
  await page.close()
})

test('each page is also available as Markdown', async () => {
  const list = await readFile(join(dist, 'llms.txt'), 'utf8')
  const paths = [...list.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(join(dist, path)))).toEqual([])
})
