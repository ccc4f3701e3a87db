import { request } from 'node:http'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../servers/listen.ts'
import { createApp } from '../http/createApp.ts'
import type { Merchant } from '../http/merchant.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { authRoutes, createSessionKey } from './authRoutes.ts'
import { evmAuthVerifier } from './authVerifiers.ts'
import { checkCheckoutJwt, jwtToken } from './checkoutJwt.ts'
import { readDestinationAuthKey } from './merchantJwt.ts'

let fixture: Awaited<ReturnType<typeof testService>>
const start = Date.parse('2026-05-01T12:00:00Z')
const day = 24 * 60 * 60_000
const shop: Merchant = { merchantId: 'shop', creditSeed: 'shop', enforceCheckoutJwt: false, settings: {} }
const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

beforeAll(async () => {
  fixture = await testService()
})
beforeEach(() => fixture.setTime(start))
afterAll(() => fixture?.close())

async function ask(body: object, merchant: keyof typeof testKeys = 'shop') {
  const response = await createApp(fixture.service, [jwtToken]).request('/api/checkout/jwt-token', {
    method: 'POST',
    headers: { authorization: testKeys[merchant], 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
const tokenOf = async (body: object, merchant?: keyof typeof testKeys): Promise<string> =>
  (await ask(body, merchant)).body.checkoutJwtToken
const check = (body: Parameters<typeof checkCheckoutJwt>[1]['body'], merchant = shop) =>
  checkCheckoutJwt(fixture.service, { merchant, body })
/** Signs claims with jose, as another program would. */
const signed = (claims: object, secret: string, alg = 'HS256') =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))

const subtotal = { cents: 1000, currency: 'USD' }

describe('a checkout body with a JWT', () => {
  test('is accepted if it matches the JWT, and missing fields are filled in', async () => {
    const jwt = await tokenOf({ subtotal, webhookInfo: { order: 7 }, fixedFee: { cents: 30 } })
    const body = { subtotal: { ...subtotal }, jwtToken: jwt }
    await check(body)
    expect(body).toEqual({ subtotal, jwtToken: jwt, webhookInfo: { order: 7 }, fixedFee: { cents: 30 } })
  })

  test.each<[string, Record<string, unknown>]>([
    ['subtotal.cents', { subtotal: { cents: 1, currency: 'USD' } }],
    ['subtotal.currency', { subtotal: { cents: 1000, currency: 'EUR' } }],
    ['webhookInfo.order', { subtotal, webhookInfo: { order: 8 } }],
    ['customPayInFees[0].lineItemLabel', { subtotal, customPayInFees: [{ lineItemLabel: 'b' }] }],
    ['fixedFee', { subtotal, fixedFee: 30 }],
  ])('is rejected if %s differs, and the error names that field', async (field, body) => {
    const fee = { fee: { cents: 1, currency: 'USD' }, lineItemLabel: 'b' }
    const jwt = await tokenOf({
      subtotal,
      webhookInfo: { order: 7 },
      customPayInFees: [{ ...fee, lineItemLabel: 'a' }],
      fixedFee: { cents: 30 },
    })
    const fees = 'customPayInFees' in body && [fee]
    const changed = { ...body, ...(fees && { customPayInFees: fees }), jwtToken: jwt }
    await expect(check(changed)).rejects.toMatchObject({ code: 'FORBIDDEN', issues: [field] })
  })

  test.each([
    [{ cents: 1000 }, subtotal],
    [subtotal, { cents: 1000 }],
  ])('may omit the currency USD: %o, %o', async (pinned, given) => {
    const jwtToken = await tokenOf({ subtotal: pinned })
    await expect(check({ subtotal: given, jwtToken })).resolves.toBeUndefined()
    const inEuro = check({ subtotal: { cents: 1000, currency: 'EUR' }, jwtToken })
    await expect(inEuro).rejects.toMatchObject({ issues: ['subtotal.currency'] })
  })

  test('is rejected if it adds a field that only the merchant may set', async () => {
    const jwt = await tokenOf({ subtotal })
    const transactionData = { type: 'token', destination: address }
    await expect(check({ subtotal, transactionData, jwtToken: jwt })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      issues: ['transactionData'],
    })
  })

  test('may add fields that only the customer knows', async () => {
    const jwt = await tokenOf({ webhookInfo: {} })
    const customer = {
      email: 'a@shop.example',
      customerInfo: { country: 'US' },
      userLocation: { lat: 1, lng: 2 },
    }
    await check({ subtotal, ...customer, card: { cardToken: 'c' }, jwtToken: jwt })
  })

  test('keeps the default settlement type if the JWT pins Bank', async () => {
    const jwt = await tokenOf({ subtotal, settlementType: 'Bank' })
    const body = { subtotal, jwtToken: jwt }
    await check(body)
    expect(body).not.toHaveProperty('settlementType')
    await expect(check({ ...body, settlementType: 'USDC' })).rejects.toMatchObject({
      issues: ['settlementType'],
    })
  })
})

test('a JWT expires after exactly 24 hours', async () => {
  const jwt = await tokenOf({ subtotal })
  fixture.setTime(start + day - 1000)
  await check({ subtotal, jwtToken: jwt })
  fixture.setTime(start + day)
  await expect(check({ subtotal, jwtToken: jwt })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

describe('a checkout is rejected with', () => {
  const refused = { code: 'UNAUTHENTICATED', issues: ['jwtToken'] }
  test('a JWT of another merchant', async () => {
    const jwt = await tokenOf({ subtotal }, 'other')
    await expect(check({ subtotal, jwtToken: jwt })).rejects.toMatchObject(refused)
  })

  test('a JWT whose claims were changed', async () => {
    const [head, , signature] = (await tokenOf({ subtotal })).split('.')
    const claims = Buffer.from(JSON.stringify({ checkout: { subtotal: { cents: 1 } } })).toString('base64url')
    await expect(check({ subtotal, jwtToken: `${head}.${claims}.${signature}` })).rejects.toMatchObject(
      refused,
    )
  })

  test('a JWT without a signature', async () => {
    const [, claims] = (await tokenOf({ subtotal })).split('.')
    const head = Buffer.from('{"alg":"none"}').toString('base64url')
    await expect(check({ subtotal, jwtToken: `${head}.${claims}.` })).rejects.toMatchObject(refused)
  })

  test.each(['', 'x', 'a.b.c', `${'a'.repeat(5000)}.b.c`])('the JWT "%s"', async (jwt) => {
    await expect(check({ subtotal, jwtToken: jwt })).rejects.toMatchObject(refused)
  })
})

test('a merchant can require a checkout JWT', async () => {
  await check({ subtotal })
  await expect(check({ subtotal }, { ...shop, enforceCheckoutJwt: true })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    issues: ['jwtToken'],
  })
})

test('an API key creates JWTs for its own merchant only', async () => {
  expect(await ask({ merchantId: 'other' })).toMatchObject({ status: 403 })
  expect(await ask({ merchantId: 'shop' })).toMatchObject({ status: 200 })
})

describe('destinationAuthKey', () => {
  const read = (token: string) => readDestinationAuthKey(fixture.service, { merchant: shop, token })
  const secret = 'the secret of the shop, 32 characters'

  test('sets the receiver to the address that the merchant signed', async () => {
    expect(await read(await signed({ address }, secret))).toBe(address)
  })

  test('is rejected if its secret or algorithm is wrong, if it has no address or has expired, or if it is a checkout JWT', async () => {
    const refused = { code: 'UNAUTHENTICATED', issues: ['destinationAuthKey'] }
    await expect(read(await signed({ address }, `${secret}!`))).rejects.toMatchObject(refused)
    await expect(read(await signed({}, secret))).rejects.toMatchObject(refused)
    await expect(read(await signed({ address, exp: start / 1000 }, secret))).rejects.toMatchObject(refused)
    await expect(read(await signed({ address }, secret, 'HS512'))).rejects.toMatchObject(refused)
    await expect(read(await tokenOf({ subtotal }))).rejects.toMatchObject(refused)
  })
})

describe('authVerifiers', () => {
  test('rejects an empty signature, even if the account approved the message on chain', async () => {
    // An account that accepts every signature.
    const chain = { chainId: 8453, client: { verifyMessage: async () => true } }
    const verifier = evmAuthVerifier(new Map([['base', chain as never]]))
    const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
    const { message } = await verifier.createChallenge({
      blockchain: 'base',
      wallet,
      domain: 'shop.example',
      uri: 'https://shop.example',
      nonce: '12345678',
      issuedAt: new Date(0),
      expiresAt: new Date(60_000),
    })
    const verify = (signedMessage: string) =>
      verifier.verify({
        blockchain: 'base',
        wallet,
        message,
        transaction: undefined,
        signedMessage,
        now: new Date(1),
      })
    expect(await verify('0x')).toBe(false)
    expect(await verify('0x01')).toBe(true)
  })

  test('returns a 400 for a host that a sign-in message cannot name', async () => {
    const chain = { chainId: 8453, client: {} }
    const { createChallenge } = evmAuthVerifier(new Map([['base', chain as never]]))
    const challenge = createChallenge({
      blockchain: 'base',
      wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      domain: '_shop.localhost:3000',
      uri: 'http://_shop.localhost:3000',
      nonce: '12345678',
      issuedAt: new Date(0),
      expiresAt: new Date(60_000),
    })
    await expect(challenge).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: ['host'],
      shortMessage: expect.stringContaining('"_shop.localhost:3000"'),
    })
  })
})

describe('a session key', () => {
  const claims = {
    merchantId: 'shop',
    userId: 'alice',
    wallet: undefined,
    issuedAt: new Date('2026-05-01T12:00:00.900Z'),
    expiresAt: new Date('2026-05-02T12:00:00.900Z'),
  }

  test('is a JWT with merchant, end user and expiry', async () => {
    const key = await createSessionKey(claims)
    expect(decodeProtectedHeader(key)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decodeJwt(key)).toEqual({
      merchantId: 'shop',
      userId: 'alice',
      iat: Date.UTC(2026, 4, 1, 12) / 1000,
      exp: Date.UTC(2026, 4, 2, 12) / 1000,
    })
  })

  test('is different each time', async () => {
    expect(await createSessionKey(claims)).not.toBe(await createSessionKey(claims))
  })

  let fixture: Awaited<ReturnType<typeof testService>>
  let server: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    fixture = await testService()
    server = await listen({ fetch: createApp(fixture.service, authRoutes).fetch, port: 0 })
  })
  afterAll(async () => {
    await server?.close()
    await fixture?.close()
  })

  /** Deployed clients send `{}` with this GET, which `fetch` does not allow (PROTOCOL.md 2.4). */
  test.each(['', '{}'])('is returned for a GET with the body "%s"', async (body) => {
    const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        const call = request(
          `${server.url}/api/auth/session-key`,
          {
            method: 'GET',
            headers: {
              authorization: testKeys.shop,
              'x-svc-auth-user-id': 'u-1',
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            },
          },
          (answer) => {
            let text = ''
            answer.on('data', (chunk) => {
              text += chunk
            })
            answer.on('end', () => resolve({ status: answer.statusCode, text }))
          },
        )
        call.on('error', reject)
        call.end(body)
      },
    )
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ key: expect.stringMatching(/^ey/) })
  })
})
