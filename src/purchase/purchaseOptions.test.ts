import { describe, expect, test } from 'vitest'
import { mountPurchase } from '../index.ts'
import { checkPurchaseOptions, type PurchaseOptions } from './purchaseOptions.ts'

const good: PurchaseOptions = {
  baseUrl: 'https://service.example/api/',
  merchantId: 'shop',
  sessionKey: 'key',
  order: { subtotal: { cents: 1000, currency: 'USD' } },
}

test('it is imported without a window', () => {
  expect([typeof mountPurchase, typeof globalThis.window]).toEqual(['function', 'undefined'])
})

test('the base address comes back without its end', () => {
  expect(checkPurchaseOptions(good)).toBe('https://service.example')
})

describe('refused, by the option:', () => {
  test.each<[string, object]>([
    ['baseUrl', { baseUrl: 'http://service.example' }],
    ['merchantId', { merchantId: '' }],
    ['sessionKey', { sessionKey: undefined }],
    ['sessionKey', { sessionKey: 'a\nb' }],
    ['checkoutJwtToken', { order: {} }],
    ['purchaseId', { purchaseId: ' ' }],
    ['purchaseId', { purchaseId: 'x'.repeat(257) }],
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

test('an API key is no option, and is not repeated', () => {
  const given = { ...good, apiKey: 'sk_secret_0123456789' }
  expect(() => checkPurchaseOptions(given)).toThrow(/^(?![\s\S]*sk_secret)[\s\S]*apiKey/)
})
