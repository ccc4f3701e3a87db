import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  overHttp,
  sendGaslessTxPath,
  signedPayment,
} from '../service/sandboxClient.ts'
import { beforeAllInBrowser, findViolations, openChromium } from './openChromium.ts'

let sandbox: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let service: Caller
let browser: Browser
let context: BrowserContext
let page: Page
let key: { authorization: string }

beforeAllInBrowser(async () => {
  const opening = openChromium(['--host-resolver-rules=MAP *.example 127.0.0.1'])
  opening.catch(() => {}) // awaited below
  sandbox = await startSandbox({
    bridge: false,
    merchants: [{ merchantId: 'another' }],
    plans: [
      { code: 'monthly', name: 'Monthly', interval: 'Monthly', amount: { cents: 900, currency: 'USD' } },
    ],
    webhookUrl: 'http://127.0.0.1:1/webhooks',
  })
  ;({ base } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  service = caller(overHttp(sandbox.url))
  key = { authorization: sandbox.apiKey }
  browser = await opening
})
afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
})
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
})
afterEach(() => context.close())

const open = (path = '') => page.goto(`${sandbox.url}/dashboard${path}`)
const note = () => page.locator('#note')
const row = (text: string) => page.locator('tr', { hasText: text })
const buttonIn = (text: string, name: string) => row(text).getByRole('button', { name })

async function requestWhitelist(): Promise<`0x${string}`> {
  const programId = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
  const asked = await service.post('/api/merchant/program', { blockchain: 'base', programId }, key)
  expect(asked.status).toBe(200)
  return programId
}

const isWhitelisted = async (target: `0x${string}`) => {
  const [isAllowed] = await chain.client.readContract({
    address: base.creditsContract,
    abi: creditsAbi,
    functionName: 'whitelisted',
    args: [sandbox.creditSeed, BigInt(base.chainId), target, '0x12345678'],
  })
  return isAllowed
}

test('a whitelist request is approved by keyboard only, reaches the chain, and is removed again', async () => {
  const programId = await requestWhitelist()
  await open()
  await buttonIn(programId, 'Approve').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => note().textContent()).toBe('Approved.')
  expect(await isWhitelisted(programId)).toBe(true)
  await buttonIn(programId, 'Remove').click()
  await expect.poll(() => note().textContent()).toBe('Removed from the whitelist.')
  expect(await isWhitelisted(programId)).toBe(false)
})

test('of two tabs that decide at the same time, the last decision counts on the chain and on the page', async () => {
  const programId = await requestWhitelist()
  // The entry exists now, so removing it costs more gas than the estimate of either decision.
  await sandbox.whitelist({ target: programId })
  const decide = (approved: boolean) =>
    service.post('/sandbox/program', { blockchain: 'base', programId, approved }, key)
  const answers = await Promise.all([decide(false), decide(true), decide(false), decide(true)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { programs } = (await service.get('/sandbox/programs', key)).body
  const shown = programs.find(
    (one: { programId: string }) => one.programId.toLowerCase() === programId.toLowerCase(),
  )
  expect(shown.status).toBe((await isWhitelisted(programId)) ? 'approved' : 'rejected')
})

test('a refusal of the service is shown with its message', async () => {
  await service.post('/api/merchant/program', { blockchain: 'base', programId: base.usdc }, key)
  await open()
  await buttonIn(base.usdc, 'Approve').click()
  await expect.poll(() => note().textContent()).toContain('ForbiddenTarget')
})

test('the dashboard works the same without JavaScript', async () => {
  const programId = await requestWhitelist()
  const plain = await browser.newContext({ javaScriptEnabled: false })
  try {
    page = await plain.newPage()
    await open()
    await buttonIn(programId, 'Approve').click()
    expect(await note().textContent()).toBe('Approved.')
  } finally {
    await plain.close()
  }
})

test('changes made elsewhere appear automatically and keep the focus', async () => {
  await open('/webhooks')
  await page.getByRole('link', { name: 'API reference' }).focus()
  await service.post('/sandbox/webhooks/trigger', { type: 'credits.minted' }, key)
  await row('credits.minted').waitFor({ timeout: 10_000 })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('API reference')
})

test('the focus stays on its row when a row is inserted above it', async () => {
  const { body } = await service.post('/sandbox/webhooks/trigger', { type: 'payment.won' }, key)
  await open('/webhooks')
  await buttonIn(body.id, 'Send again').focus()
  await service.post('/sandbox/webhooks/trigger', { type: 'payment.lost' }, key)
  await row('payment.lost').waitFor({ timeout: 10_000 })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe(`Send again: payment.won ${body.id}`)
})

test('the result of a click gets the focus, and is gone after a reload', async () => {
  await open()
  await page.getByRole('button', { name: '+5 minutes' }).press('Enter')
  await expect.poll(() => note().textContent()).toContain('The clocks of the service')
  // The browser moves the focus a moment after it shows the text.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('note')
  expect(await page.title()).toMatch(/^Done: /)
  await page.reload()
  expect(await note().textContent()).toBe('')
})

test('a refresh keeps what the user has typed', async () => {
  await open()
  await page.getByLabel('By', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Advance' }).focus()
  await requestWhitelist()
  await page.waitForTimeout(2_500)
  expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('3')
})

test('times are shown in the reader’s time zone', async () => {
  const elsewhere = await browser.newContext({ timezoneId: 'Asia/Tokyo' })
  try {
    page = await elsewhere.newPage()
    await open()
    expect(await page.locator('#zone').textContent()).toBe('Asia/Tokyo')
    const [instant, shown] = await page
      .locator('time')
      .first()
      .evaluate((time) => [time.getAttribute('datetime') ?? '', time.textContent ?? ''])
    const there = new Date(Date.parse(instant) + 9 * 3_600_000).toISOString()
    expect(shown).toBe(there.slice(0, 19).replace('T', ' '))
  } finally {
    await elsewhere.close()
  }
})

test('an event is sent again under its id', async () => {
  const { body } = await service.post('/sandbox/webhooks/trigger', { type: 'payment.settled' }, key)
  await open('/webhooks')
  await buttonIn(body.id, 'Send again').click()
  await expect.poll(() => note().textContent()).toBe('The event was sent again with the same id.')
})

test('the money of an order arrives, is disputed, and the merchant wins', async () => {
  const headers = { ...key, 'x-svc-auth-user-id': 'u-1' }
  const session = (await service.get('/api/auth/session-key', headers)).body.key
  const { alice } = sandbox.accounts
  const order = await service.post(
    '/api/checkout/pix',
    {
      merchantId: sandbox.merchantId,
      subtotal: { cents: 500 },
      email: 'a@example.org',
      settlementType: 'Credits',
    },
    { ...customer(alice.address), 'x-svc-auth-session-key': session, 'x-svc-auth-user-id': 'u-1' },
  )
  expect(order.body).toMatchObject({ paymentId: expect.any(String) })
  const { paymentId } = order.body
  const state = async () => (await service.get(`/api/merchant/payments/${paymentId}`, key)).body.status
  await open('/payments')
  await buttonIn(paymentId, 'Receive payment').click()
  await expect.poll(state, { timeout: 10_000 }).toBe('settled')
  await buttonIn(paymentId, 'Dispute').click()
  await buttonIn(paymentId, 'The merchant wins').click()
  await expect.poll(state).toBe('won')
  // Nothing happens next, so a narrow page does not ask.
  const row = page.locator('tr', { has: page.locator(`[title="${paymentId}"]`) })
  const next = row.locator('[data-column="What happens next"]')
  await expect.poll(() => next.textContent()).toBe('')
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await next.isVisible()).toBe(false)
  await page.setViewportSize({ width, height })
})

test('a fault is added, triggered and removed', async () => {
  await open('/faults')
  await page.getByRole('button', { name: 'Trigger: The next 5 redeem calls return 503' }).click()
  await expect.poll(() => note().textContent()).toBe('The fault is active.')
  const triggered = () =>
    service.post('/api/redeem/evm/creditsAuthMsg', {}, customer(sandbox.accounts.alice.address))
  expect((await triggered()).status).toBe(503)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => note().textContent()).toBe('The fault was cleared.')
  expect((await triggered()).status).toBe(400)
})

test('the clock moves for the service and its chain', async () => {
  const before = (await service.get('/sandbox/clock')).body
  await open()
  await page.getByRole('button', { name: '+1 hour' }).click()
  await expect.poll(() => note().textContent()).toContain('The clocks of the service')
  const { movedSeconds } = (await service.get('/sandbox/clock')).body
  expect(movedSeconds - before.movedSeconds).toBe(3600)
})

/** Returns the nonce of a redeem of 7 dollars. */
async function redeemed(): Promise<string> {
  const { alice } = sandbox.accounts
  const body = await signedPayment(service, sandbox, { cents: 700 })
  expect((await service.post(sendGaslessTxPath, body, customer(alice.address))).status).toBe(200)
  return body.nonce
}

test('a redeem leads to its report, with the call tree', async () => {
  const nonce = await redeemed()
  await open('/redeems')
  await row(nonce).getByRole('link', { name: 'report' }).click()
  const report = page.locator('pre')
  await report.waitFor()
  expect(await report.textContent()).toContain('redeemToken(')
  expect(await page.getByText('Verdict').textContent()).toContain('ok')
})

test('the dashboard opens with balances, recent redeems with rejected ones, the whitelist and the clock', async () => {
  const { alice, bob } = sandbox.accounts
  await redeemed()
  const refused = await service.post(
    '/api/redeem/evm/creditsAuthMsg',
    {
      merchantId: sandbox.merchantId,
      subtotal: { cents: -1 },
      transactionData: { type: 'token', destination: bob.address },
    },
    customer(alice.address),
  )
  expect(refused.status).toBe(400)
  await sandbox.whitelist({
    target: await requestWhitelist(),
    selector: 'purchase(uint256)',
    minimumGas: 123_000n,
  })
  await open()
  expect(await page.locator('h2').allTextContents()).toEqual([
    'Balances',
    'Recent redeems',
    'Whitelist',
    'Clock',
  ])
  const redeems = page.getByRole('region', { name: 'Recent redeems' }).locator('tbody tr')
  expect(await redeems.first().textContent()).toMatch(/not prepared.*rejected/)
  expect(await redeems.nth(1).textContent()).toMatch(/alice.*token to bob.*7\.00 USD.*redeemed/)
  expect(await row('purchase(uint256)').textContent()).toContain('123,000')
})

test('each merchant sees only its own data', async () => {
  const programId = await requestWhitelist()
  await open('?merchant=another')
  expect(await row(programId).count()).toBe(0)
  await open(`?merchant=${sandbox.merchantId}`)
  expect(await row(programId).count()).toBe(1)
})

test('the API reference explains authentication, and its examples can be sent', async () => {
  await page.goto(`${sandbox.url}/reference`)
  await page.getByRole('heading', { name: 'redeemkit payments API' }).waitFor()
  expect(await page.locator('.info .version').first().textContent()).toMatch(/^\s*\d+\.\d+\.\d+/)
  await page.getByRole('heading', { name: 'Authentication' }).waitFor()
  for (const name of ['customer-getBalances', 'redeem-creditsAuthMsg']) {
    const call = page.locator(`#operations-${name}`)
    await call.locator('.opblock-summary-control').click()
    await call.getByRole('button', { name: 'Execute' }).click()
    await call.locator('.live-responses-table tbody').getByText('200', { exact: true }).waitFor()
  }
})

test('the API reference draws every call, in light and dark, wide and narrow, and loads nothing from elsewhere', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1200, height: 800 })
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
})

test('the API reference reveals nothing to other sites, and cannot be framed', async () => {
  const answer = await fetch(`${sandbox.url}/openapi.json`, { headers: { origin: 'https://evil.example' } })
  expect(answer.status).toBe(403)
  const reference = await fetch(`${sandbox.url}/reference`)
  expect(reference.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

describe('the dashboard acts only for its own page:', () => {
  const post = (headers: Record<string, string>, token: string) =>
    fetch(`${sandbox.url}/dashboard`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ action: 'moveClock', advanceSeconds: '86400', token }),
      redirect: 'manual',
    })
  const tokenOf = async () =>
    /name="token" value="([^"]+)"/.exec(await (await fetch(`${sandbox.url}/dashboard`)).text())?.[1] ?? ''
  const moved = async () => (await service.get('/sandbox/clock')).body.movedSeconds

  test.each([
    ['another origin of this machine', { origin: 'http://localhost:3000' }],
    ['no origin', {}],
    ['the origin null', { origin: 'null' }],
  ])('%s', async (_, headers) => {
    const before = await moved()
    expect((await post(headers, await tokenOf())).status).toBe(403)
    expect(await moved()).toBe(before)
  })

  test('a page without the token of this start', async () => {
    expect((await post({ origin: sandbox.url }, 'x'.repeat(32))).status).toBe(403)
  })

  test('its own page, with origin and token', async () => {
    expect((await post({ origin: sandbox.url }, await tokenOf())).status).toBe(303)
  })

  test('a page of another site, whose form is sent in a browser', async () => {
    const token = await tokenOf()
    const site = await listen({
      port: 0,
      fetch: () =>
        new Response(
          `<!doctype html><form method="post" action="${sandbox.url}/dashboard"><input name="action" value="moveClock"><input name="advanceSeconds" value="86400"><input name="token" value="${token}"><button>Win</button></form>`,
          { headers: { 'content-type': 'text/html' } },
        ),
    })
    try {
      const before = await moved()
      await page.goto(`http://evil.example:${site.port}`)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/dashboard')),
        page.getByRole('button').click(),
      ])
      expect(answer.status()).toBe(403)
      expect(await moved()).toBe(before)
    } finally {
      await site.close()
    }
  })

  test('another host name that resolves to this machine reads nothing', async () => {
    const answer = await page.goto(`http://evil.example:${new URL(sandbox.url).port}/dashboard`)
    expect(answer?.status()).toBe(403)
  })

  test('a tunnel reads nothing', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(answer.status).toBe(403)
  })
})

test('the dashboard does not exist without sandboxControls', async () => {
  const plain = await startSandbox({ bridge: false, sandboxControls: false })
  try {
    expect((await fetch(`${plain.url}/dashboard`)).status).toBe(404)
  } finally {
    await plain.stop()
  }
})

describe('axe finds no violation', () => {
  const pages = ['', '/redeems', '/payments', '/subscriptions', '/webhooks', '/faults', '/nothing']
  const looks = [
    ['light, wide', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }, 768],
    ['dark, narrow', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }, 640],
  ] as const

  test.each(looks)('%s', async (name, look, alsoWide) => {
    await requestWhitelist()
    const report = `/redeems/${sandbox.accounts.alice.address}/${await redeemed()}`
    const shown = await browser.newContext(look)
    try {
      page = await shown.newPage()
      for (const path of [...pages, report]) {
        await open(path)
        await page.evaluate(() => {
          for (const part of document.querySelectorAll('details')) part.open = true
        })
        expect(await findViolations(page), `${name} ${path}`).toEqual([])
        const width = () => page.evaluate(() => document.documentElement.scrollWidth)
        expect(await width(), `${name} ${path} fits`).toBe(look.viewport.width)
        await page.setViewportSize({ ...look.viewport, width: alsoWide })
        expect(await width(), `${path} fits in ${alsoWide}`).toBe(alsoWide)
        await page.setViewportSize(look.viewport)
        if (process.env.SCREENSHOTS !== undefined)
          await page.screenshot({
            path: `${process.env.SCREENSHOTS}/dashboard${path === report ? '-report' : path.replace('/', '-')}-${name.split(',')[0]}.png`,
            fullPage: true,
          })
      }
    } finally {
      await shown.close()
    }
  })
})
