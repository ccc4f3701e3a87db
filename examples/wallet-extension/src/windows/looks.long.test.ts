import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import {
  beforeAllInBrowser,
  findSerious,
  openChromium,
  picturePath,
} from '../../../../test/browser/openChromium.ts'
import { windowPage } from '../../buildExtension.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const manifest = JSON.parse(readFileSync(`${here}../../manifest.json`, 'utf8'))

let browser: Browser
let context: BrowserContext
const files = new Map<string, { body: string; contentType: string }>()

beforeAllInBrowser(async () => {
  const { outputFiles } = await build({
    entryPoints: [`${here}looks.fixture.tsx`],
    bundle: true,
    write: false,
    outdir: '/',
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: `${here}../../../../tsconfig.json`,
  })
  for (const { path, text } of outputFiles)
    files.set(path, { body: text, contentType: path.endsWith('.css') ? 'text/css' : 'text/javascript' })
  browser = await openChromium()
})
afterAll(() => browser?.close())
afterEach(() => context?.close())

/** Opens a window of `looks.fixture.tsx` under the content security policy of the extension. */
async function open(name: string, look: Look): Promise<Page> {
  const { colorScheme, language, width, height } = look
  context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    timezoneId: 'UTC',
    locale: 'en-US',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const kind = name.startsWith('setup') || name.startsWith('settings') ? 'settings' : 'approval'
  const html = await windowPage(kind, 'looks.fixture')
  await page.route('http://windows.test/**', (route) =>
    route.fulfill({
      ...(files.get(new URL(route.request().url()).pathname) ?? { body: html, contentType: 'text/html' }),
      headers: { 'content-security-policy': manifest.content_security_policy.extension_pages },
    }),
  )
  await page.goto(`http://windows.test/#${name},${language}`)
  await page.getByRole('heading').first().waitFor()
  return page
}

type Look = { colorScheme: 'light' | 'dark'; language: 'en' | 'pt-BR'; width: number; height: number }
const popup = { width: 360, height: 600 }
const approval = { width: 400, height: 640 }
const tab = { width: 900, height: 900 }

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

type Row = readonly [name: string, size: typeof popup, ...steps: ((page: Page) => Promise<void>)[]]

/** Chromium shows the window and gives it the focus, so the button is enabled. */
const armed = (page: Page) =>
  page.locator('button[aria-disabled=false]', { hasText: /^(Sign|Assinar)$/ }).waitFor()

const windows: readonly Row[] = [
  ['welcome', popup],
  ['setup', tab, (page) => page.locator('input[type=password]').first().fill('correct horse')],
  ['unlock', approval],
  ['home', popup],
  ['home-accounts', popup, click(/Everyday/)],
  ['home-sites', popup, click('Sites')],
  [
    'home-pay',
    popup,
    click(/^(Pay|Pagar)$/),
    (page) => page.getByRole('textbox').fill('web+redeem:pay?merchant=lampfall'),
    click(/^(Show payment|Mostrar pagamento)$/),
    (page) => page.getByText('bill 2047').waitFor(),
  ],
  ['unused', popup],
  ['purchase', approval, armed],
  ['unseenPurchase', approval, armed],
  ['otherContract', approval],
  ['text', approval, (page) => page.locator('summary').last().click()],
  ['transfer', approval],
  ['approval', approval],
  ['calls', approval],
  ['connect', approval],
  ['link', approval],
  ['flood', approval],
  ['long', popup],
  ['long-accounts', popup, click(/WWW/)],
  ['long-sites', popup, click('Sites')],
  ['longConnect', approval],
  ['longShop', approval],
  ['settings', tab],
  ['settings-shop', tab, click(/^(Edit|Editar) Lampfall/)],
  ['settings-newShop', tab, click(/^(Add shop|Adicionar loja)$/)],
  ['settings-accounts', tab, click(/^(Accounts|Contas)$/)],
  ['settings-names', tab, click(/^(Names|Nomes)$/)],
  ['settings-networks', tab, click(/^(Networks|Redes)$/)],
  ['settings-general', tab, click(/^(General|Geral)$/)],
]

const looks = [
  { colorScheme: 'light', language: 'en' },
  { colorScheme: 'dark', language: 'pt-BR' },
] as const

/** Elements that do not show all of their content. */
const tooWide = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('html, main, dialog[open], header, footer, li')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, textContent }) => `${tagName} ${textContent}`),
  )

for (const look of looks)
  for (const [name, size, ...steps] of windows)
    test(`${name}, ${look.colorScheme}, ${look.language}`, async () => {
      const page = await open(name.split('-')[0] ?? name, { ...look, ...size })
      for (const step of steps) await step(page)
      const picture = `pocket-${name}-${look.colorScheme}.png`
      await page.screenshot({ path: await picturePath(picture), fullPage: true, animations: 'disabled' })
      expect(await findSerious(page)).toEqual([])
      expect(await tooWide(page)).toEqual([])
      // 320 px: a phone, or a zoom of 400 %.
      await page.setViewportSize({ width: 320, height: size.height })
      expect(await tooWide(page)).toEqual([])
    })
