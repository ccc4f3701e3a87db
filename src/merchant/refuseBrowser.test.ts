import { afterEach, describe, expect, test, vi } from 'vitest'
import { MerchantCodeInBrowserError, refuseBrowser } from './refuseBrowser.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('the merchant entry point', () => {
  test('loads on a server', async () => {
    expect(await import('./index.ts')).toHaveProperty('verifyWebhook')
  })

  test('does not load where there is a document', async () => {
    vi.stubGlobal('document', {})
    await expect(import('./index.ts')).rejects.toThrow('loaded in a front end')
  })

  test('does not load in React Native', () => {
    expect(() => refuseBrowser({ navigator: { product: 'ReactNative' } })).toThrow(MerchantCodeInBrowserError)
  })

  test('loads in a worker at the edge, which has a navigator', () => {
    expect(() => refuseBrowser({ navigator: { product: 'Gecko' } })).not.toThrow()
  })
})
