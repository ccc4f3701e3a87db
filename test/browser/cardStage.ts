import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  FrameLocator,
  Locator,
  Page,
} from 'playwright-core'
import type { FormOptions } from '../../src/redeemkit/cardForm/purchaseOptions.ts'
import { type RunningSandbox, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { type Caller, caller, overHttp } from '../service/sandboxClient.ts'
import type { findBrowser } from './findBrowser.ts'
import { onPage, type Reported, serveMerchantPage } from './merchantPage.ts'
import { openChromium } from './openChromium.ts'

export type CardStage = {
  sandbox: RunningSandbox
  browser: Browser
  service: Caller
  /** `host` is another name for this machine. */
  pageUrl: (host?: string) => string
  /** Opens the page in a new browser profile, like another device; or, with `context`, in another tab. */
  open: (options?: BrowserContextOptions & { host?: string; context?: BrowserContext }) => Promise<OpenPage>
  sessionKey: (userId: string, merchantId?: string) => Promise<string>
  newCustomer: () => Promise<{ userId: string; sessionKey: string }>
  jwt: (body: object) => Promise<string>
  /** A server creates a JWT for each page load. The JWTs differ, but all are for the same order. */
  newJwt: (purchaseId: string, cents?: number) => Promise<string>
  paymentsOf: (
    userId: string,
  ) => Promise<{ paymentId: string; status: string; total: number; email?: string }[]>
  stop: () => Promise<void>
}

export type OpenPage = ReturnType<typeof onPage> & {
  page: Page
  context: BrowserContext
  form: FrameLocator
  heading: (name: string | RegExp) => Locator
  challengePage: () => FrameLocator
  fill: (
    card: keyof typeof testCards,
    more?: Partial<Record<'email' | 'name' | 'expiry' | 'number' | 'cvv', string>>,
  ) => Promise<void>
  pay: () => Promise<void>
  waitFor: (type: string) => Promise<Reported>
}

export const listed = 'listed-shop'

export async function startCardStage(find?: typeof findBrowser): Promise<CardStage> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const opening = openChromium(['--host-resolver-rules=MAP *.example 127.0.0.1'], find)
    opening.catch(() => {}) // awaited below
    const site = await serveMerchantPage()
    closers.push(site.close)
    const pageUrl = (host = 'localhost') => `http://${host}:${site.port}`
    const sandbox = await startSandbox({
      bridge: false,
      settings: withoutProtection,
      merchants: [
        {
          merchantId: listed,
          settings: { ...withoutProtection, whitelistedAncestorUrls: [pageUrl('shop.example')] },
        },
      ],
    })
    closers.push(sandbox.stop)
    const browser = await opening
    closers.push(() => browser.close())
    const service = caller(overHttp(sandbox.url))
    const key = (merchantId = sandbox.merchantId) => ({
      authorization: sandbox.merchants.find((one) => one.merchantId === merchantId)?.apiKey ?? sandbox.apiKey,
    })
    const sessionKey: CardStage['sessionKey'] = async (userId, merchantId) =>
      (await service.get('/api/auth/session-key', { ...key(merchantId), 'x-svc-auth-user-id': userId })).body
        .key
    let customers = 0
    const jwt: CardStage['jwt'] = async (body) =>
      (await service.post('/api/checkout/jwt-token', body, key())).body.checkoutJwtToken
    return {
      sandbox,
      browser,
      service,
      pageUrl,
      open: async ({ host, context: given, ...look } = {}) => {
        const context = given ?? (await browser.newContext(look))
        const page = await context.newPage()
        await page.goto(pageUrl(host))
        return { page, context, ...onPage(page), ...onForm(page) }
      },
      sessionKey,
      newCustomer: async () => {
        const userId = `customer-${++customers}`
        return { userId, sessionKey: await sessionKey(userId) }
      },
      jwt,
      newJwt: async (purchaseId, cents = 1250) => {
        // Two JWTs of the same second are equal.
        await sandbox.increaseTime(1)
        return jwt({ purchaseId, subtotal: { cents, currency: 'USD' } })
      },
      paymentsOf: async (userId) => {
        const { payments } = (await service.get('/sandbox/payments?limit=100', key())).body
        return payments
          .filter((one: { userId?: string }) => one.userId === userId)
          .map(
            ({
              paymentId,
              status,
              totals,
              email,
            }: {
              paymentId: string
              status: string
              totals: { total: { cents: number } }
              email?: string
            }) => ({ paymentId, status, total: totals.total.cents, email }),
          )
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function onForm(
  page: Page,
): Pick<OpenPage, 'form' | 'heading' | 'challengePage' | 'fill' | 'pay' | 'waitFor'> {
  const form = page.frameLocator('#pay iframe')
  const { reported } = onPage(page)
  return {
    form,
    heading: (name) => form.getByRole('heading', { name }),
    challengePage: () => form.frameLocator('#challenge-page'),
    fill: async (card, more = {}) => {
      const { number, cvv } = testCards[card]
      await form.getByRole('button', { name: /^Pay / }).waitFor()
      const values = {
        email: 'alice@example.org',
        number,
        expiry: '1230',
        cvv,
        name: 'Alice Example',
        ...more,
      }
      for (const [label, value] of [
        ['Email', values.email],
        ['Card number', values.number],
        ['Expiry date', values.expiry],
        ['Security code', values.cvv],
        ['Name on card', values.name],
      ] as const)
        if (await form.getByLabel(label).isVisible()) await form.getByLabel(label).fill(value)
    },
    pay: () => form.getByRole('button', { name: /^Pay / }).click(),
    waitFor: async (type) => {
      for (const end = Date.now() + 30_000; Date.now() < end; ) {
        const found = (await reported()).find((one) => one.type === type)
        if (found !== undefined) return found
        await page.waitForTimeout(50)
      }
      throw new Error(
        `The page did not receive the event ${type}. It received ${JSON.stringify(await reported())}.`,
      )
    },
  }
}

/** A customer's second purchase needs a different ID. */
export const optionsOf = (
  { sandbox }: Pick<CardStage, 'sandbox'>,
  sessionKey: string,
  more: Partial<Omit<FormOptions, 'sessionKey'>> = {},
) => ({
  baseUrl: sandbox.url,
  merchantId: sandbox.merchantId,
  sessionKey,
  purchaseId: 'order 1' as string | undefined,
  order: { subtotal: { cents: 1250, currency: 'USD' as const } },
  ...more,
})
