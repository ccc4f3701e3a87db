import { describe, expect, test } from 'vitest'
import { headerNames } from '../../core/headerNames.ts'
import { endpoints } from '../../schema/endpoints/endpoints.ts'
import type { EndpointHeader } from '../../schema/endpoints/routes.ts'
import { askBody, fakeClient, fakeService, submitBody } from '../api.fixture.ts'
import type { ClientOptions } from '../clientOptions.ts'
import type { PaymentsClient } from '../paymentsClient.ts'
import { getAuthMessage, verifyAuth } from './auth.ts'
import { cardCheckout, savedCardCheckout, zeroAuthorization } from './cards.ts'
import { getTotals, mobileAppCheckout, pixCheckout, wireTokenCheckout } from './checkout.ts'
import { getBalances, getPurchases, getSavedCards } from './customer.ts'
import { creditsAuthMsg, getContractAddress, sendGaslessTx, usdcAuthorizationMessage } from './redeem.ts'
import { getPlans, purchaseSubscription } from './subscription.ts'

type Endpoint = (typeof endpoints)[number]
type NeedsKey<endpoint extends Endpoint> = 'authorization' extends endpoint['headers']['required'][number]
  ? true
  : false
/** The ids of the calls that a browser may make. */
type BrowserId = {
  [id in Endpoint['id']]: NeedsKey<Extract<Endpoint, { id: id }>> extends true ? never : id
}[Endpoint['id']]

// the tests also make calls that the types reject, as JavaScript callers can
type Any = PaymentsClient<{ hasSessionKey: true; wallet: string; userId: string }>
const subtotal = { cents: 1000, currency: 'USD' } as const
const card = { cardToken: 'tok_1' }
const clientIp = '192.0.2.1'

/** Each of these calls with a valid body. If a call is missing here, this file does not compile. */
const calls: Record<BrowserId, (client: Any) => Promise<unknown>> = {
  getAuthMessage: (client) => getAuthMessage(client),
  verifyAuth: (client) => verifyAuth(client),
  creditsAuthMsg: (client) => creditsAuthMsg(client, askBody),
  sendGaslessTx: (client) => sendGaslessTx(client, submitBody),
  cardCheckout: (client) => cardCheckout(client, { subtotal, card }, { clientIp }),
  wireTokenCheckout: (client) => wireTokenCheckout(client, { subtotal, token: 't' }),
  pixCheckout: (client) => pixCheckout(client, { subtotal, email: 'a@shop.example' }),
  usdcAuthorization: (client) => usdcAuthorizationMessage(client, { amount: { cents: 1 } }),
  getTotals: (client) => getTotals(client, { subtotal }),
  zeroAuthorization: (client) => zeroAuthorization(client, { card }, { clientIp }),
  savedCardCheckout: (client) => savedCardCheckout(client, { subtotal, token: 't' }, { clientIp }),
  getBalances: (client) => getBalances(client),
  getSavedCards: (client) => getSavedCards(client),
  getPurchases: (client) => getPurchases(client),
  getPlans: (client) => getPlans(client),
  purchaseSubscription: (client) => purchaseSubscription(client, { planCode: 'gold', token: 't' }),
  getContractAddress: (client) => getContractAddress(client),
}

/** Headers in addition to the table: other services also verify a session key (PROTOCOL.md 2.4, observed). */
const also: Partial<Record<BrowserId, EndpointHeader[]>> = { verifyAuth: ['sessionKey'] }

const names: Record<EndpointHeader, string> = { ...headerNames(), authorization: 'authorization' }
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cfffB92266'
const everything = {
  wallet,
  sessionKey: 'the session key',
  signedMessage: 'the signed message',
  userId: 'alice',
  deviceId: 'device 1',
} satisfies Partial<ClientOptions>

/** Returns the requests of a client with these options, and its result or error. */
async function asked(id: BrowserId, options: Partial<ClientOptions>) {
  const service = fakeService()
  const { client } = fakeClient(service, { wallet: undefined, retry: false, ...options })
  // the tests vary the credentials of the client
  const error: unknown = await calls[id](client as Any).then(
    () => undefined,
    (error: unknown) => error,
  )
  const [request] = service.requests
  const sent = Object.entries(names).flatMap(([key, name]) => (request?.headers[name] ? [key] : []))
  return { request, sent, error }
}

const forBrowsers = endpoints.filter(
  ({ headers }) => !(headers.required as readonly string[]).includes('authorization'),
)

test('every endpoint without an API key has a function for browsers', () => {
  expect(Object.keys(calls).sort()).toEqual(forBrowsers.map(({ id }) => id).sort())
})

describe.each(forBrowsers)('$id', ({ id: anyId, method, path, headers }) => {
  // `forBrowsers` has no call with an API key
  const id = anyId as BrowserId
  const required: readonly EndpointHeader[] = headers.required
  const all = [...required, ...headers.optional, ...(also[id] ?? [])].sort()

  test('is sent with the method and path of the table', async () => {
    const { request } = await asked(id, everything)
    const expected = path.replace(/\{merchantId\w*\}/, 'shop')
    expect({ method: request?.method, path: request?.path }).toEqual({ method, path: expected })
  })

  test('has the headers of the table and no others', async () => {
    expect((await asked(id, everything)).sent.sort()).toEqual(all)
  })

  const given = Object.keys(everything).filter((key) => (required as string[]).includes(key))
  test.each(given.filter((key) => key !== 'signedMessage'))(
    'without %s is not sent, and the error names it',
    async (key) => {
      // a session key could replace the wallet, so this client has none either
      const isWalletAlone = key === 'wallet' && !required.includes('sessionKey')
      const { request, error } = await asked(id, {
        ...everything,
        signedMessage: undefined,
        ...(isWalletAlone ? { sessionKey: undefined } : {}),
        [key]: undefined,
      })
      expect(request).toBeUndefined()
      expect(error).toMatchObject({ name: 'InvalidOptionError', field: key })
    },
  )

  test('succeeds with the headers of the table', async () => {
    const least = Object.fromEntries(Object.entries(everything).filter(([key]) => given.includes(key)))
    const { sent, request } = await asked(id, least)
    expect(request).toBeDefined()
    const ofCall: EndpointHeader[] = all.includes('clientIp') ? ['clientIp'] : []
    expect(sent.sort()).toEqual([...required, ...ofCall].sort())
  })
})

describe('a request for the purchases of a customer', () => {
  const clientOf = (...answers: object[]) => {
    const service = fakeService(...answers.map((answer) => () => Response.json(answer)))
    return { ...service, client: fakeClient(service, everything).client as Any }
  }

  test.each([
    [{}, ''],
    [{ limit: 100 }, '?limit=100'],
    [{ limit: 1, after: 'a&b' }, '?limit=1&after=a%26b'],
  ])('has its options %o in the query', async (options, query) => {
    const { client, requests } = clientOf({ purchases: [] })
    await getPurchases(client, options)
    expect(requests.map((request) => request.query)).toEqual([query])
  })

  test.each([
    ['limit', { limit: 101 }],
    ['limit', { limit: 0 }],
    ['after', { after: '' }],
    ['after', { after: 7 as never }],
  ])('is not sent with an invalid %s', async (field, options) => {
    const { client, requests } = clientOf()
    await expect(getPurchases(client, options)).rejects.toMatchObject({ name: 'InvalidOptionError', field })
    expect(requests).toEqual([])
  })
})

describe('a checkout in a mobile app', () => {
  const link = { expiresAt: '2026-01-01T00:00:00Z', appLink: 'app://', paymentId: 'p' }

  test.each(['https://shop.example/calls', 'https://shop.example/calls//'])(
    'is created by %s without credentials',
    async (handlerUrl) => {
      const service = fakeService(() => Response.json(link))
      const { client } = fakeClient(service, everything)
      expect(await mobileAppCheckout(client, { subtotal }, { handlerUrl })).toEqual(link)
      const [{ method, path, headers, body } = {}] = service.requests
      expect([method, path, JSON.parse(String(body))]).toEqual([
        'POST',
        '/calls/mobileAppCheckout',
        { subtotal },
      ])
      const credentials = Object.values(names).filter((name) => name !== names.deviceId)
      for (const name of credentials) expect(headers).not.toHaveProperty(name)
    },
  )

  test.each(['javascript:alert(1)', ' data:text/html,x', 'java\nscript:alert(1)', 'VBScript:x'])(
    'is rejected if a link in the response would run in the page: %j',
    async (unsafe) => {
      for (const answer of [
        { ...link, appLink: unsafe },
        { ...link, otherLink: unsafe },
      ]) {
        const { client } = fakeClient(fakeService(() => Response.json(answer)))
        await expect(
          mobileAppCheckout(client, { subtotal }, { handlerUrl: 'https://shop.example/calls' }),
        ).rejects.toMatchObject({ name: 'InvalidAnswerError' })
      }
    },
  )

  test("sends the customer's device id, which chargeback protection requires", async () => {
    const service = fakeService(() => Response.json(link))
    const { client } = fakeClient(service, { deviceId: 'device' })
    await mobileAppCheckout(client, { subtotal }, { handlerUrl: 'https://shop.example/calls' })
    expect(service.requests[0]?.headers['x-device-id']).toBe('device')
  })

  test('is not created again after a 503, because it may exist', async () => {
    const service = fakeService(() => new Response('', { status: 503 }))
    const { client } = fakeClient(service)
    await expect(
      mobileAppCheckout(client, { subtotal }, { handlerUrl: 'https://shop.example/calls' }),
    ).rejects.toMatchObject({ status: 503 })
    expect(service.requests).toHaveLength(1)
  })

  test.each(['/calls', 'shop', 7 as never])(
    'needs an absolute URL outside of a page, not %s',
    async (handlerUrl) => {
      const service = fakeService()
      await expect(
        mobileAppCheckout(fakeClient(service).client, { subtotal }, { handlerUrl }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'handlerUrl' })
      expect(service.requests).toEqual([])
    },
  )
})

test.each([
  ['4000 0099-0000 0012', true],
  ['4000009900000013', false],
  ['400000990000', false],
  ['00000000000', false],
  ['x4000009900000012', false],
  ['4000009900000012x', false],
  ['40000099000000120000', false],
])('a card number in place of a token is rejected: %s', async (cardToken, isNumber) => {
  const service = fakeService()
  const { client } = fakeClient(service, { ...everything, retry: false })
  const paying = cardCheckout(client as Any, { subtotal, card: { cardToken } }, { clientIp })
  await expect(paying).rejects.toMatchObject({
    name: isNumber ? 'InvalidRecordError' : expect.not.stringMatching('InvalidRecordError'),
  })
  expect(service.requests).toHaveLength(isNumber ? 0 : 1)
})

test('the message of a sign-in has a transaction only if the service sent one', async () => {
  const answer = (body: object) => getAuthMessage(fakeClient(fakeService(() => Response.json(body))).client)
  expect(await answer({ message: 'm', more: 1 })).toStrictEqual({ message: 'm' })
  expect(await answer({ message: 'm', transaction: 't' })).toStrictEqual({ message: 'm', transaction: 't' })
})
