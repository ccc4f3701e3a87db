import { eq } from 'drizzle-orm'
import type { TokenizeBody } from '../../../redeemkit/schema/card.ts'
import type { SandboxMerchantSettings } from '../../merchantOptions.ts'
import type { openStore } from '../../store/openStore.ts'
import { merchants, webhookEvents } from '../../store/tables/index.ts'
import { authRoutes } from '../auth/authRoutes.ts'
import { jwtToken } from '../auth/checkoutJwt.ts'
import { testCards } from '../checkout/cards.ts'
import { checkoutRoutes } from '../checkout/checkoutRoutes.ts'
import { createApp } from '../http/createApp.ts'
import { testKeys, testService, withoutProtection } from '../service.fixture.ts'
import type { Service } from '../service.ts'
import { subscriptionRoutes } from '../subscription/subscriptionRoutes.ts'
import { webhookRoutes } from '../webhooks/webhookRoutes.ts'
import { withdrawRoutes } from '../withdraw/withdrawRoutes.ts'
import { paymentRoutes } from './paymentRoutes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the service's responses field by field
type Answer = { status: number; body: any }

export const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const onBase = { 'x-svc-auth-wallet': wallet, 'x-svc-auth-blockchain': 'base' }

/** Opens a shop without chains, with customers who pay and the merchant's server. `logged` contains every reported error. */
export async function testShop(where: openStore.Options = {}, onLog?: Service['onLog']): Promise<TestShop> {
  const fixture = await testService(where)
  const logged: unknown[] = []
  const service: Service = { ...fixture.service, onLog, onError: (error) => logged.push(error) }
  const app = createApp(service, [
    ...authRoutes,
    jwtToken,
    ...checkoutRoutes,
    ...paymentRoutes,
    ...subscriptionRoutes,
    ...webhookRoutes,
    ...withdrawRoutes,
  ])
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await app.request(path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  const shop: TestShop = {
    ...fixture,
    service,
    logged,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    raw: async (path, init) => app.request(path, init),
    form: (path, fields) => call(path, { method: 'POST', body: new URLSearchParams(fields) }),
    merchant: (id = 'shop') => ({ authorization: testKeys[id] }),
    customer: async (userId, id = 'shop') => {
      const headers = { authorization: testKeys[id], 'x-svc-auth-user-id': userId }
      const { body } = await shop.get('/api/auth/session-key', headers)
      return { 'x-svc-auth-session-key': body.key, 'x-svc-auth-user-id': userId }
    },
    tokenOf: async (card, id = 'shop') => {
      const { body } = await shop.post(
        '/api/tokenize',
        { ...testCards[card], ...goodUntil },
        shop.merchant(id),
      )
      return body.token
    },
    set: async (settings) => {
      const database = await service.database()
      await database
        .update(merchants)
        .set({ settings: { ...withoutProtection, ...settings } })
        .where(eq(merchants.merchantId, 'shop'))
    },
    events: async () => {
      const database = await service.database()
      return database.select().from(webhookEvents).orderBy(webhookEvents.sequence)
    },
  }
  return shop
}

export type TestShop = Awaited<ReturnType<typeof testService>> & {
  logged: unknown[]
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
  raw: (path: string, init: RequestInit) => Promise<Response>
  form: (path: string, fields: Record<string, string>) => Promise<Answer>
  merchant: (id?: keyof typeof testKeys) => { authorization: string }
  customer: (userId: string, id?: keyof typeof testKeys) => Promise<Record<string, string>>
  tokenOf: (card: keyof typeof testCards, id?: keyof typeof testKeys) => Promise<string>
  set: (settings: SandboxMerchantSettings) => Promise<void>
  events: () => Promise<(typeof webhookEvents.$inferSelect)[]>
}

/** An expiry date far ahead of the tests' clock. */
export const goodUntil = { expMonth: '12', expYear: '30' } satisfies Partial<TokenizeBody>
