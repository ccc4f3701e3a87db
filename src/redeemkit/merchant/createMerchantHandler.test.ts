import { describe, expect, test, vi } from 'vitest'
import { createMerchantHandler } from './createMerchantHandler.ts'
import { apiKey, service } from './merchant.fixture.ts'

const origin = 'https://shop.example'
const base = `${origin}/api/redeemkit`
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const onBase = { wallet, blockchain: 'base' } as const
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const key = { key: 'session-key-0123456789' }
const subtotal = { cents: 1000 }

type Options = Partial<createMerchantHandler.Options> & { answers?: readonly unknown[] }

/** Creates a handler for a logged-in user, and a service that returns `answers` in order. */
function shop({ answers = [key], ...options }: Options = {}) {
  const { client, sent } = service({ answers, retry: false })
  const errors: unknown[] = []
  const handler = createMerchantHandler({
    client,
    authenticate: () => ({ userId: 'alice' }),
    expose: { getSessionKey: true },
    onError: (error, about) => errors.push({ error, about }),
    ...options,
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await handler(
      new Request(`${base}/${path}`, { ...init, headers: { ...sameOrigin, ...init.headers } }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { ask, post, sent, errors, handler }
}

describe('a request of the merchant’s front end', () => {
  test('gets a session key of the logged-in user', async () => {
    const { ask, sent } = shop()
    const { status, body, headers } = await ask('getSessionKey')
    expect({ status, body }).toEqual({ status: 200, body: key })
    expect(sent[0]?.headers).toMatchObject({ authorization: apiKey, 'x-svc-auth-user-id': 'alice' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('gets a session key of the wallet if the session has a wallet', async () => {
    const { ask, sent } = shop({ authenticate: async () => onBase })
    expect((await ask('getSessionKey')).status).toBe(200)
    expect(sent[0]?.headers).toMatchObject({ 'x-svc-auth-wallet': wallet, 'x-svc-auth-blockchain': 'base' })
    expect(sent[0]?.headers).not.toHaveProperty('x-svc-auth-user-id')
  })

  test('is made with the user’s session key, which the page does not get', async () => {
    const { ask, sent } = shop({ answers: [key, { purchases: [] }], expose: { getPurchases: true } })
    const { status, text } = await ask('getPurchases?limit=5')
    expect(status).toBe(200)
    expect(text).not.toContain(key.key)
    expect(sent[1]).toMatchObject({
      url: 'https://service.example/api/customer/purchases/shop?limit=5',
      headers: { 'x-svc-auth-session-key': key.key },
    })
  })

  test('uses the same session key for a user until the service rejects the key', async () => {
    const { ask, sent } = shop({
      answers: [key, [], [], { status: 401, body: {} }, { key: 'fresh' }, []],
      expose: { getSavedCards: true },
    })
    for (const _ of [1, 2, 3]) expect((await ask('getSavedCards')).status).toBe(200)
    const keys = sent.filter(({ url }) => url.endsWith('/session-key'))
    expect(keys).toHaveLength(2)
    expect(sent.at(-1)?.headers['x-svc-auth-session-key']).toBe('fresh')
  })

  test.each([
    [401, [{ key: 'first' }, { status: 401, body: {} }, { key: 'second' }, { paymentId: 'p' }], 'second'],
    [409, [{ key: 'first' }, { status: 409, body: {} }, { paymentId: 'p' }], 'first'],
  ])(
    'does not repeat a payment after a %s, and uses a new session key for the next request only after a 401',
    async (_, answers, used) => {
      const { post, sent } = shop({ answers, expose: { cardCheckout: true } })
      const pay = () => post('cardCheckout', { subtotal, card: { cardToken: 'tok_1' } })
      expect((await pay()).status).not.toBe(200)
      expect(sent).toHaveLength(2)
      expect((await pay()).status).toBe(200)
      expect(sent.at(-1)?.headers['x-svc-auth-session-key']).toBe(used)
    },
  )

  test('is made with the session key of its own user', async () => {
    const { ask, sent } = shop({
      answers: [key, [], { key: 'of bob' }, []],
      authenticate: (request) => ({ userId: request.headers.get('x-user') ?? 'nobody' }),
      expose: { getSavedCards: true },
    })
    for (const user of ['alice', 'bob']) await ask('getSavedCards', { headers: { 'x-user': user } })
    expect(
      sent.map(({ headers }) => headers['x-svc-auth-user-id'] ?? headers['x-svc-auth-session-key']),
    ).toEqual(['alice', key.key, 'bob', 'of bob'])
  })

  test('cannot set the price, which the rule sets', async () => {
    const { post, sent } = shop({
      answers: [{ checkoutJwtToken: 'jwt' }],
      expose: {
        createCheckoutJwt: ({ user, body }) => ({
          body: {
            purchaseId: 'order 1',
            subtotal: { cents: body?.cart === 'cap' ? 2500 : 0 },
            webhookInfo: { user: user.userId },
          },
        }),
      },
    })
    const { status } = await post('createCheckoutJwt', { cart: 'cap', subtotal: { cents: 1 } })
    expect(status).toBe(200)
    expect(sent[0]?.body).toEqual({
      purchaseId: 'order 1',
      subtotal: { cents: 2500 },
      webhookInfo: { user: 'alice' },
    })
  })

  test("has the page's device id, and the IP address that the server determines", async () => {
    const { post, sent } = shop({
      answers: [key, { paymentId: 'p' }],
      expose: { cardCheckout: true },
      clientIp: () => '203.0.113.7',
    })
    const headers = { 'x-device-id': 'device', 'x-svc-client-ip': '10.0.0.1' }
    await post('cardCheckout', { subtotal, card: { cardToken: 'tok_1' } }, headers)
    expect(sent[1]?.headers).toMatchObject({ 'x-device-id': 'device', 'x-svc-client-ip': '203.0.113.7' })
  })
})

describe('the origin of a request', () => {
  const from = async (
    headers: Record<string, string>,
    options: Options = {},
    url = `${base}/getSessionKey`,
  ) => {
    const { handler, sent } = shop(options)
    const response = await handler(new Request(url, { headers }))
    const { issues } = await response.json()
    return { status: response.status, headers: response.headers, asked: sent.length, issues }
  }

  test.each([
    ['a page of this origin', { 'sec-fetch-site': 'same-origin' }],
    ['a page behind a proxy that ends TLS', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.test' }],
    ['a page in an older browser', { origin }],
    ['a program', {}],
  ])('may be %s', async (_, headers) => {
    expect(await from(headers as never)).toMatchObject({ status: 200, asked: 1 })
  })

  test.each([
    ['a page of a different site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of a different site without an origin', { 'sec-fetch-site': 'cross-site' }],
    [
      'a page of a different host of the site',
      { origin: 'https://blog.shop.example', 'sec-fetch-site': 'same-site' },
    ],
    ['a sandboxed frame', { origin: 'null' }],
    ['a page of a different site in an older browser', { origin: 'https://evil.example' }],
    ['a host whose name begins with the name of this host', { origin: `${origin}.evil.example` }],
    ['a different port', { origin: `${origin}:8443` }],
    ['the same host without TLS', { origin: 'http://shop.example' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('must not be %s', async (_, headers) => {
    const { status, headers: answered, asked, issues } = await from(headers as never)
    expect({ status, asked }).toEqual({ status: 403, asked: 0 })
    expect(issues).toEqual(['origin' in headers ? 'origin' : 'sec-fetch-site'])
    expect(answered.get('access-control-allow-origin')).toBeNull()
  })

  const app = 'https://app.example'
  const named = { allowedOrigins: [app] }

  test('may be an allowed origin, which may read the response', async () => {
    const { status, headers } = await from({ origin: app, 'sec-fetch-site': 'cross-site' }, named)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(app)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('vary')).toBe('origin')
  })

  test('may be an allowed origin, which may read an error', async () => {
    const { status, headers } = await from({ origin: app }, { ...named, authenticate: () => null })
    expect(status).toBe(401)
    expect(headers.get('access-control-allow-origin')).toBe(app)
  })

  test('is allowed in the response to a preflight request', async () => {
    const { handler } = shop(named)
    const preflight = (from: string) =>
      handler(new Request(`${base}/createCheckoutJwt`, { method: 'OPTIONS', headers: { origin: from } }))
    const answer = await preflight(app)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toContain('content-type')
    const other = await preflight('https://evil.example')
    expect(other.status).toBe(403)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    // pages of the same origin send no preflight request
    expect((await preflight(origin)).status).toBe(404)
  })

  test.each([
    ['*'],
    ['null'],
    ['https://shop.example/'],
    ['shop.example'],
    ['https://*.shop.example'],
    ['https://shop*.example'],
  ])('cannot be allowed as %s', (wrong) => {
    expect(() => shop({ allowedOrigins: [wrong] })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'allowedOrigins' }),
    )
  })

  test('may be allowed without TLS, for development', async () => {
    const local = 'http://localhost:5173'
    const { headers } = await from({ origin: local }, { allowedOrigins: [local] })
    expect(headers.get('access-control-allow-origin')).toBe(local)
  })

  test.each([
    [256, 200],
    [257, 500],
  ])('a user id of %s characters: %s', async (length, status) => {
    const { ask } = shop({ authenticate: () => ({ userId: 'a'.repeat(length) }) })
    expect((await ask('getSessionKey')).status).toBe(status)
  })

  test.each([[null], [undefined]])('a visitor who is not logged in is rejected: %s', async (none) => {
    const { ask, sent } = shop({ authenticate: () => none })
    expect(await ask('getSessionKey')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(sent).toEqual([])
  })

  test.each([
    [{}],
    [{ userId: '' }],
    [{ userId: ' ' }],
    [{ wallet }],
    [{ userId: 7 }],
    [{ userId: null }],
    ['alice'],
    [true],
    [false],
  ])('a session without a user is a server error: %j', async (found) => {
    const { ask, sent, errors } = shop({ authenticate: () => found as never })
    expect(await ask('getSessionKey')).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    expect(sent).toEqual([])
    expect(errors).toMatchObject([{ error: { name: 'InvalidOptionError', field: 'authenticate' } }])
  })
})

describe('exposed calls', () => {
  test.each([
    'getPayment',
    'withdrawUsdc',
    'mintCredits',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'getSessionKey/',
    '..%2fgetSessionKey',
    'GETSESSIONKEY',
    '',
  ])('do not include %s', async (name) => {
    const { ask, sent } = shop()
    expect(await ask(name)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(sent).toEqual([])
  })

  test('are none by default', async () => {
    const { ask } = shop({ expose: {} })
    expect((await ask('getSessionKey')).status).toBe(404)
  })

  test('accept only their own method', async () => {
    const { post } = shop()
    const { status, headers } = await post('getSessionKey', {})
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET' })
  })

  test.each([
    'refundPayment',
    'getPayment',
    'mintCredits',
    'withdrawUsdc',
    'createCheckoutJwt',
    'tokenizeCard',
  ])('need a rule if they act for the merchant as a whole: %s', (id) => {
    expect(() => shop({ expose: { [id]: true } as never })).toThrow(`${id} acts for the merchant as a whole`)
  })

  test.each([['getEverything'], ['__proto__x'], ['constructor']])('must be calls of the client: %s', (id) => {
    expect(() => shop({ expose: { [id]: true } as never })).toThrow('There is no such call')
  })

  test.each([[false], ['yes'], [1], [{}]])('have true or a rule, not %j', (rule) => {
    expect(() => shop({ expose: { getSessionKey: rule } as never })).toThrow('must be a function')
  })

  test('do not include a call with an undefined rule', async () => {
    expect((await shop({ expose: { getSessionKey: undefined } }).ask('getSessionKey')).status).toBe(404)
  })

  test('return a 403 if the rule returns no options', async () => {
    for (const result of [false, undefined, null, true]) {
      const { ask, sent } = shop({ expose: { getPayment: () => result as never } })
      expect(await ask('getPayment?paymentId=p')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      expect(sent).toEqual([])
    }
  })

  test('may have a rule that checks the owner', async () => {
    const { client } = service({ answers: [{ paymentId: 'p', userId: 'bob' }] })
    const handler = createMerchantHandler({
      client,
      authenticate: () => ({ userId: 'alice' }),
      expose: {
        getPayment: async ({ user, asked }) =>
          (await client.getPayment(asked())).userId === user.userId && asked(),
      },
    })
    const answer = await handler(new Request(`${base}/getPayment?paymentId=p`, { headers: sameOrigin }))
    expect(answer.status).toBe(403)
  })

  test('may have a rule that sets the delivery wallet of a user without a wallet', async () => {
    const expose = {
      getPlans: ({ asked }) => ({ ...asked(), wallet: `0x${'22'.repeat(20)}`, blockchain: 'base' }),
    } satisfies createMerchantHandler.Options['expose']
    for (const [user, expected] of [
      [{ userId: 'alice' }, `0x${'22'.repeat(20)}`],
      [{ userId: 'alice', ...onBase }, wallet],
    ] as const) {
      const { ask, sent } = shop({ expose, answers: [key, []], authenticate: () => user })
      expect((await ask('getPlans')).status).toBe(200)
      expect(sent[1]?.headers).toMatchObject({
        'x-svc-auth-wallet': expected,
        'x-svc-auth-blockchain': 'base',
      })
    }
  })

  test('need a client of createMerchantClient', () => {
    expect(() => shop({ client: { getSessionKey: () => {} } as never })).toThrow('createMerchantClient')
  })
})

describe('the content of a request', () => {
  const expose = {
    pixCheckout: true,
    getPurchases: true,
    getPlans: true,
    mintCredits: ({ asked }) => asked(),
    getPayment: ({ asked }) => asked(),
  } satisfies createMerchantHandler.Options['expose']
  const alice = { userId: 'alice', ...onBase }
  const open = () =>
    shop({ expose, authenticate: () => alice, answers: [{ ...key, jobId: 'j', status: 's' }] })
  const pix = { subtotal, email: 'a@b.example' }
  const mint = { ...onBase, amount: { cents: 1 } }

  test.each([
    ['the user id', 'pixCheckout', { ...pix, userId: 'bob' }, 'userId'],
    ['the merchant id', 'pixCheckout', { ...pix, merchantId: 'other' }, 'merchantId'],
    ['the wallet', 'mintCredits', { ...mint, wallet: `0x${'22'.repeat(20)}` }, 'wallet'],
    ['the chain', 'mintCredits', { ...mint, blockchain: 'polygon' }, 'blockchain'],
  ])('cannot replace %s of the session', async (_, call, body, field) => {
    const { post, sent } = open()
    expect(await post(call, body)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [field] },
    })
    expect(sent).toEqual([])
  })

  test('may repeat values of the session, and an EVM address in any casing', async () => {
    const { post, sent } = open()
    expect((await post('mintCredits', { ...mint, wallet: wallet.toLowerCase() })).status).toBe(200)
    expect(sent).toHaveLength(1)
  })

  test.each<[string, object, object]>([
    ['a user id', { userId: 'Alice', ...onBase }, { ...pix, userId: 'alice' }],
    [
      'an address of another chain',
      { wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', blockchain: 'solana' },
      { ...mint, wallet: '7xkxtg2cw87d97txjsdpbd5jbkhetqa83tzrujosgasu', blockchain: 'solana' },
    ],
    ['an address with an extra character', onBase, { ...mint, wallet: `${wallet.toLowerCase()}0` }],
    ['an address in a list', onBase, { ...mint, wallet: [wallet] }],
  ])('must repeat %s exactly', async (_, user, body) => {
    const { post, sent } = shop({ expose, authenticate: () => user as never })
    expect((await post('pixCheckout', body)).status).toBe(403)
    expect(sent).toEqual([])
  })

  test('cannot name a wallet if the session has none', async () => {
    const { post } = shop({ expose, authenticate: () => ({ userId: 'alice' }) })
    expect((await post('mintCredits', mint)).status).toBe(403)
    expect(await post('pixCheckout', pix)).toMatchObject({ status: 403, body: { issues: ['wallet'] } })
  })

  test('cannot name the user or credentials in the query', async () => {
    const { ask, sent } = open()
    for (const name of [
      'userId',
      'wallet',
      'merchantId',
      'sessionKey',
      'authorization',
      '__proto__',
      'timeoutMs',
    ])
      expect(await ask(`getPlans?${name}=x`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      })
    expect(sent).toEqual([])
  })

  test('cannot name the user or credentials in headers', async () => {
    const { ask, sent } = open()
    const headers = {
      'x-svc-auth-user-id': 'bob',
      'x-svc-auth-wallet': `0x${'22'.repeat(20)}`,
      'x-svc-auth-session-key': 'of bob',
      authorization: 'another key',
    }
    await ask('getPlans', { headers })
    expect(sent[1]?.headers).toMatchObject({
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-session-key': key.key,
    })
    expect(sent[1]?.headers).not.toHaveProperty('authorization')
    expect(sent[0]?.headers).toMatchObject({ authorization: apiKey, 'x-svc-auth-user-id': 'alice' })
  })

  test.each([
    ['an unknown field', { ...pix, color: 'red' }, 'color'],
    ['a field of another type', { ...pix, subtotal: { cents: '1' } }, 'subtotal.cents'],
    [
      'a field __proto__',
      '{"subtotal":{"cents":1},"email":"a@b.c","__proto__":{"merchantId":"other"}}',
      undefined,
    ],
    [
      'a field constructor',
      `{"subtotal":{"cents":1},"email":"a@b.c","constructor":{"prototype":{"x":1}}}`,
      'constructor',
    ],
  ])('must not have %s in its body', async (_, body, field) => {
    const { post, sent } = open()
    const { status, body: answer } = await post('pixCheckout', body)
    expect(status).toBe(400)
    if (field) expect(answer.issues).toContain(field)
    expect(Object.prototype).not.toHaveProperty('x')
    expect(sent).toEqual([])
  })

  test.each([
    ['text that is not JSON', '{', 400, 'The body is not JSON.'],
    ['an empty body', '', 400, 'The body is not JSON.'],
    ['a list', '[]', 400, 'The body must be an object.'],
    ['a text', '"a"', 400, 'The body must be an object.'],
    ['null', 'null', 400, 'The body must be an object.'],
    [
      'a number that would be rounded',
      '{"a":9007199254740993}',
      400,
      'The body contains a number that cannot be represented exactly.',
    ],
    [
      'a body that is too large',
      JSON.stringify({ email: 'x'.repeat(70_000) }),
      413,
      'The body must not exceed 65536 bytes.',
    ],
  ])('must be an object, not %s', async (_, body, status, says) => {
    const { post, sent } = open()
    expect(await post('pixCheckout', body)).toMatchObject({ status, body: { message: says } })
    expect(sent).toEqual([])
  })

  test('is a server failure, not an invalid body, if its stream breaks', async () => {
    const { handler, errors } = open()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const headers = { ...sameOrigin, 'content-type': 'application/json' }
    const init = { method: 'POST', body, duplex: 'half', headers } as RequestInit
    expect((await handler(new Request(`${base}/pixCheckout`, init))).status).toBe(500)
    expect(errors).toHaveLength(1)
  })

  test('is cancelled if its stream is endless', async () => {
    const { handler } = open()
    let taken = 0
    const body = new ReadableStream({
      pull: (controller) => {
        taken++
        controller.enqueue(new Uint8Array(16_384))
      },
    })
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { ...sameOrigin, 'content-type': 'application/json' },
    }
    const answer = await handler(new Request(`${base}/pixCheckout`, init as RequestInit))
    expect(answer.status).toBe(413)
    expect(taken).toBeLessThan(10)
  })

  test.each([
    ['text/plain', undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['application/json; charset=latin1', undefined],
    ['application/jsonp', undefined],
    ['text/application/json', undefined],
    ['application/json; charset=utf-8; x=1', undefined],
    ['application/json', 'gzip'],
  ])('must be plain JSON, not %s %s', async (type, encoding) => {
    const { post } = open()
    const headers: Record<string, string> = { 'content-type': type }
    if (encoding) headers['content-encoding'] = encoding
    expect(await post('pixCheckout', pix, headers)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })

  test.each([
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'Application/JSON ;  charset=utf-8 ',
  ])('may be of the type %s', async (type) => {
    expect((await open().post('mintCredits', mint, { 'content-type': type })).status).toBe(200)
  })

  test.each([
    ['getPayment', ['paymentId'], 'Parameter paymentId is missing.'],
    ['getPayment?paymentId=', ['paymentId'], 'Parameter paymentId is missing.'],
    ['getPayment?paymentId=a&paymentId=b', ['paymentId'], 'A parameter appears twice.'],
    ['getPurchases?limit=1000', ['limit'], 'The request is invalid: limit cannot be used.'],
    ['getPurchases?color=red', ['color'], 'The request is invalid: color cannot be used.'],
    ['getPlans?color=red', ['color'], 'This call has no such parameter.'],
    ['getPlans?x<y=1', ['query'], 'This call has no such parameter.'],
    ['getPlans?1x=1', ['query'], 'This call has no such parameter.'],
    [`getPlans?${'x'.repeat(41)}=1`, ['query'], 'This call has no such parameter.'],
  ])('must have the parameters of the call: %s', async (path, issues, message) => {
    expect(await open().ask(path)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', issues, message },
    })
  })

  test('must not have a card number in place of a token; the response does not show the number', async () => {
    const { post, sent, errors } = shop({ expose: { cardCheckout: true } })
    const answer = await post('cardCheckout', { subtotal, card: { cardToken: '4000009900000012' } })
    expect(answer).toMatchObject({ status: 400, body: { issues: ['card.cardToken'] } })
    expect(answer.text).not.toContain('40000099')
    expect({ sent, errors }).toEqual({ sent: [], errors: [] })
  })

  test('must not have a parameter that changes the path', async () => {
    const { ask, sent, errors } = open()
    for (const paymentId of ['../..', '../../seller/usdc-withdraw', '%2e%2e'])
      expect(await ask(`getPayment?paymentId=${encodeURIComponent(paymentId)}`)).toMatchObject({
        status: 400,
        body: { issues: ['paymentId'] },
      })
    expect({ sent, errors }).toEqual({ sent: [], errors: [] })
  })

  test('is a 400 if a header value is invalid', async () => {
    const { post, sent, errors } = shop({ expose: { cardCheckout: true } })
    const body = { subtotal, card: { cardToken: 'tok_1' } }
    expect(await post('cardCheckout', body, { 'x-device-id': 'd\u00e9vice' })).toMatchObject({
      status: 400,
      body: { issues: ['x-device-id'] },
    })
    expect({ sent, errors }).toEqual({ sent: [], errors: [] })
  })

  test('may have an empty header and no IP address', async () => {
    const { post, sent } = shop({
      answers: [key, { paymentId: 'p' }],
      expose: { cardCheckout: true },
      clientIp: () => null as never,
    })
    const body = { subtotal, card: { cardToken: 'tok_1' } }
    expect((await post('cardCheckout', body, { 'x-device-id': '' })).status).toBe(200)
    expect(sent[1]?.headers).not.toHaveProperty('x-device-id')
  })

  test('is a server error if a body parser of the framework has read the body', async () => {
    const { handler, errors } = shop({ expose: { createCheckoutJwt: () => ({ body: { purchaseId: 'o' } }) } })
    const request = (body: string, length: string) =>
      new Request(`${base}/createCheckoutJwt`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'content-length': length },
      })
    // as Express and @hono/node-server leave the body after express.json()
    expect((await handler(request('', '17'))).status).toBe(500)
    expect(errors).toMatchObject([{ error: { fix: expect.stringContaining('no body parser') } }])
    expect((await handler(request('', '0'))).status).toBe(400)
    expect(errors).toHaveLength(1)
  })

  test('is a server error if the body was already read', async () => {
    const { handler, errors } = shop({ expose: { cardCheckout: true } })
    const request = new Request(`${base}/cardCheckout`, {
      method: 'POST',
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: '{}',
    })
    await request.text()
    expect((await handler(request)).status).toBe(500)
    expect(errors).toMatchObject([{ error: { name: 'InvalidOptionError', field: 'request' } }])
  })
})

describe('an error in the browser', () => {
  const reported = async (answer: unknown) => {
    const { ask, errors } = shop({ answers: [answer] })
    return { ...(await ask('getSessionKey')), errors }
  }

  test('is the service’s error body', async () => {
    const details = { paymentId: 'p', reason: 'declined' }
    const { status, body, headers, errors } = await reported({
      status: 402,
      body: { code: 'CARD_DECLINED', message: 'The bank says no', details, requestId: 'r-1' },
    })
    expect(status).toBe(402)
    expect(body).toEqual({
      name: 'CardDeclinedError',
      code: 'CARD_DECLINED',
      message: expect.stringContaining('The bank says no'),
      details,
      requestId: 'r-1',
    })
    expect(errors).toEqual([])
    for (const name of ['retry-after', 'allow']) expect(headers.get(name)).toBeNull()
  })

  test('has the links of a 451, from any field', async () => {
    const links = { verificationLink: 'https://v.example/1', redirectLink: 'https://shop.example/back' }
    const { status, body } = await reported({ status: 451, body: links })
    expect(status).toBe(451)
    expect(body).toMatchObject({ code: 'VERIFICATION_REQUIRED', details: links })
  })

  test('has a 3DS challenge', async () => {
    const challenge = { transactionId: 't', url: 'https://3ds.example' }
    const { status, body } = await reported({ status: 412, body: challenge })
    expect(status).toBe(412)
    expect(body).toMatchObject({ code: 'CHALLENGE_REQUIRED', details: challenge })
  })

  test.each([
    [410, 'CARD_VALIDATION_EXPIRED', 410],
    [428, 'ACCOUNT_VALIDATION_EXPIRED', 428],
    [422, 'INVALID_REQUEST', 400],
  ])(
    'is the service’s error if the customer can correct the request: a %i',
    async (refused, code, status) => {
      const { post, errors } = shop({
        answers: [{ status: refused, body: { message: 'try another card or account' } }],
        expose: { cardOnFileCheckout: () => ({ body: { subtotal, originalPaymentId: 'p' } }) },
      })
      expect(await post('cardOnFileCheckout', {})).toMatchObject({
        status,
        body: { code, message: expect.stringContaining('try another card') },
      })
      expect(errors).toEqual([])
    },
  )

  test('says how long to wait', async () => {
    const { status, headers } = await reported(
      new Response('{}', { status: 429, headers: { 'retry-after': '7' } }),
    )
    expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 429, wait: '7' })
  })

  test('is a server error if the service refused the API key', async () => {
    const { status, body, errors } = await reported({
      status: 401,
      body: { message: 'The API key is disabled' },
    })
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('API key')
    expect(errors).toMatchObject([
      {
        error: { name: 'UnauthenticatedError' },
        about: { call: 'getSessionKey', requestId: body.requestId },
      },
    ])
  })

  test('does not show the scope of the API key', async () => {
    const { status, body, errors } = await reported({
      status: 403,
      body: { message: 'The API key is for viewer only' },
    })
    expect(status).toBe(403)
    expect(JSON.stringify(body)).not.toContain('viewer')
    expect(errors).toMatchObject([{ error: { message: expect.stringContaining('viewer') } }])
  })

  test.each([
    ['a failure', { status: 500, body: { message: 'at db-7.internal' } }, 503],
    ['a proxy', new Response('<html>nginx db-7.internal</html>', { status: 502 }), 503],
    ['no response', new TypeError('connect db-7.internal'), 503],
    ['an invalid response', { nothing: 'db-7.internal' }, 503],
    ['an unknown status', { status: 418, body: { message: 'db-7.internal' } }, 500],
  ])('shows no detail of %s', async (_, answer, status) => {
    const { status: answered, text, errors } = await reported(answer)
    expect(answered).toBe(status)
    expect(text).not.toContain('db-7')
    expect(errors).toHaveLength(1)
  })

  test('of a payment whose response contains the API key says only that the outcome is unknown', async () => {
    const { post, errors } = shop({
      answers: [key, { paymentId: 'p', echo: apiKey }],
      expose: { cardCheckout: true },
    })
    const { status, body, text } = await post('cardCheckout', { subtotal, card: { cardToken: 'tok_1' } })
    expect({ status, details: body.details }).toEqual({ status: 500, details: { outcome: 'unknown' } })
    expect(text).not.toContain(apiKey)
    expect(errors).toHaveLength(1)
  })

  test('of a read whose response contains the API key has no details', async () => {
    const { status, body } = await reported({ key: apiKey })
    expect(status).toBe(500)
    expect(body).not.toHaveProperty('details')
  })

  test('has the details of a 451 with its links', async () => {
    const details = { level: 2 }
    const { body } = await reported({
      status: 451,
      body: { details, verificationLink: 'https://v.example/1' },
    })
    expect(body.details).toMatchObject({ level: 2, verificationLink: 'https://v.example/1' })
    const list = await reported({ status: 451, body: { details: ['a', 'b'] } })
    expect(list.body.details).toMatchObject({ details: ['a', 'b'] })
  })

  test('has the details of a 451 if they are text', async () => {
    const verificationLink = 'https://v.example/1'
    const { ask } = shop({
      answers: [{ status: 451, body: { details: 'Who are you?', verificationLink } }],
    })
    const { body } = await ask('getSessionKey')
    expect(body.details).toEqual({ details: 'Who are you?', verificationLink, rejectionReasons: [] })
  })

  test('is sent even if an async hook fails', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { ask } = shop({
      authenticate: () => ({}) as never,
      onError: (async () => {
        throw new Error('the log is full')
      }) as () => void,
    })
    expect((await ask('getSessionKey')).status).toBe(500)
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('says that the outcome of a refund is unknown', async () => {
    const { post } = shop({
      answers: [{ status: 500, body: {} }],
      expose: { refundPayment: () => ({ paymentId: 'p' }) },
    })
    expect(await post('refundPayment', {})).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL', details: { outcome: 'unknown' } },
    })
  })

  test('is a 404 if there is no KYC record', async () => {
    const { post } = shop({ answers: [{ status: 404, body: {} }], expose: { validateKyc: true } })
    expect(await post('validateKyc', { firstName: 'a', lastName: 'b' })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })

  test.each(['authenticate', 'expose', 'onError'] as const)('does not show an error of %s', async (what) => {
    const fail = () => {
      throw new Error('password hunter2')
    }
    const { ask } = shop({
      [what]: what === 'expose' ? { getSessionKey: fail } : fail,
      answers: [new Error()],
    })
    const { status, text } = await ask('getSessionKey')
    expect(status).toBeGreaterThanOrEqual(500)
    expect(text).not.toContain('hunter2')
  })

  const says = (text: string) => ({ message: text, details: { [text]: [text] }, requestId: text })

  test.each([
    ['a refusal', { status: 400, body: says(`bad key ${apiKey}`) }],
    ['a decline', { status: 402, body: { code: 'CARD_DECLINED', ...says(apiKey) } }],
    ['a link', { status: 451, body: { verificationLink: `https://v.example/?key=${apiKey}` } }],
    ['a response', { key: 'session', debug: { authorization: apiKey } }],
    ['half a response', { key: `Bearer ${apiKey}` }],
    ['a failure', { status: 500, body: says(apiKey) }],
  ])('never shows the API key: %s', async (_, answer) => {
    const { text, headers } = await reported(answer)
    expect(text).not.toContain(apiKey)
    expect(JSON.stringify([...headers])).not.toContain(apiKey)
  })
})
