import { describe, expect, expectTypeOf, test } from 'vitest'
import { mountPurchase } from '../index.ts'
import { checkPurchaseOptions, type PurchaseOptions } from './purchaseOptions.ts'

const good: PurchaseOptions = {
  baseUrl: 'https://service.example/api/',
  merchantId: 'shop',
  sessionKey: 'key',
  purchaseId: 'order 1',
  order: { subtotal: { cents: 1000, currency: 'USD' } },
}

test('the module can be imported without a window', () => {
  expect([typeof mountPurchase, typeof globalThis.window]).toEqual(['function', 'undefined'])
})

test('the base URL loses its trailing slash', () => {
  expect(checkPurchaseOptions(good)).toBe('https://service.example')
})

describe('an error names the wrong option:', () => {
  test.each<[string, object]>([
    ['baseUrl', { baseUrl: 'http://service.example' }],
    ['sessionKey', { sessionKey: undefined }],
    ['sessionKey', { sessionKey: 'a\nb' }],
    ['checkoutJwtToken', { order: {} }],
    ['purchaseId', { purchaseId: undefined }],
    ['purchaseId', { purchaseId: 7 }],
    ['wallet', { blockchain: 'base' }],
    ['blockchain', { wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
    ['environment', { environment: 'test' }],
    ['onSucces', { onSucces: () => {} }],
    ['theme.colorScheme', { theme: { colorScheme: 'blue' } }],
    ['theme.variables.--purchase-accent', { theme: { variables: { '--purchase-accent': 'url(x)' } } }],
    ['theme.variables.--purchase-radius', { theme: { variables: { '--purchase-radius': '100%' } } }],
    ['theme.variables.--purchase-font', { theme: { variables: { '--purchase-font': 'a;b' } } }],
    ['theme.variables.--evil', { theme: { variables: { '--evil': 'red' } } }],
  ])('%s %o', (field, changes) => {
    expect(() => checkPurchaseOptions({ ...good, ...changes })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field }),
    )
  })
})

/** Creates a checkout JWT without a valid signature. */
const jwtOf = (checkout: object) =>
  `e30.${Buffer.from(JSON.stringify({ checkout })).toString('base64url')}.signature`

describe('the order', () => {
  const nothing = { ...good, purchaseId: undefined }

  test.each<[string, object]>([
    ['without a JWT', {}],
    ['with a JWT without an order', { checkoutJwtToken: jwtOf({}) }],
    ['with a JWT that cannot be read', { checkoutJwtToken: 'a.b.c' }],
    ['with an empty JWT', { checkoutJwtToken: '' }],
  ])('is missing %s: the error gives the reason and the fix', (_, more) => {
    expect(() => checkPurchaseOptions({ ...nothing, ...more } as PurchaseOptions)).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        field: 'purchaseId',
        shortMessage: expect.stringContaining('pay it twice'),
        fix: expect.stringMatching(/Pass `purchaseId`.*createCheckoutJwt\(\{ body: \{ purchaseId/),
      }),
    )
  })

  test('is rejected if the page and its JWT contain different ids', () => {
    const checkoutJwtToken = jwtOf({ purchaseId: 'order 2' })
    expect(() => checkPurchaseOptions({ ...good, checkoutJwtToken })).toThrow(
      'purchaseId is "order 1", but the checkout JWT is for the order "order 2".',
    )
    checkPurchaseOptions({ ...good, purchaseId: 'order 2', checkoutJwtToken })
  })

  test.each<[string, object, string]>([
    ['merchantId', { merchantId: '' }, 'empty'],
    ['merchantId', { merchantId: 'shop\u200b' }, 'U+200B'],
    ['purchaseId', { purchaseId: ' order' }, 'white space'],
    ['purchaseId', { purchaseId: 'x'.repeat(257) }, '257 characters'],
    ['purchaseId', { purchaseId: 'cafe\u0301' }, 'NFC'],
    [
      'checkoutJwtToken',
      { purchaseId: undefined, checkoutJwtToken: jwtOf({ purchaseId: 'a\tb' }) },
      'U+0009',
    ],
    ['checkoutJwtToken', { purchaseId: undefined, checkoutJwtToken: jwtOf({ purchaseId: 7 }) }, 'not text'],
  ])('with an invalid id is rejected: %s %j', (field, changes, reason) => {
    expect(() => checkPurchaseOptions({ ...good, ...changes })).toThrow(
      expect.objectContaining({
        name: 'InvalidOrderIdError',
        field,
        shortMessage: expect.stringContaining(reason),
      }),
    )
  })

  test('is required by the type', () => {
    const { purchaseId, ...rest } = good
    expectTypeOf(rest).not.toExtend<PurchaseOptions>()
    expectTypeOf({ ...rest, purchaseId: 'order 1' }).toExtend<PurchaseOptions>()
    expectTypeOf({ ...rest, checkoutJwtToken: 'jwt' }).toExtend<PurchaseOptions>()
    const _ = (element: HTMLElement) => [
      // @ts-expect-error purchaseId is missing, and no checkout JWT contains one
      mountPurchase(element, { baseUrl: 'https://service.example', merchantId: 'shop', sessionKey: 'key' }),
      mountPurchase(element, { ...rest, purchaseId: 'order 1' }),
      mountPurchase(element, { ...rest, checkoutJwtToken: 'jwt' }),
    ]
  })
})

test('an API key is not an option, and the error does not repeat it', () => {
  const given = { ...good, apiKey: 'sk_secret_0123456789' }
  expect(() => checkPurchaseOptions(given)).toThrow(/^(?![\s\S]*sk_secret)[\s\S]*apiKey/)
})
