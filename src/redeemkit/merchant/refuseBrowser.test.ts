import { afterEach, describe, expect, test, vi } from 'vitest'
import { MerchantCodeInBrowserError, refuseBrowser } from './refuseBrowser.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the merchant entry point', () => {
  test('loads on a server', async () => {
    expect(await import('./index.ts')).toHaveProperty('verifyWebhook')
  })

  test('does not load if there is a document', async () => {
    vi.stubGlobal('document', {})
    await expect(import('./index.ts')).rejects.toThrow('loaded in a front end')
  })

  test.each([
    ['a page', { document: {}, navigator: { product: 'Gecko', userAgent: `Mozilla/5.0 (X11) ${webKit}` } }],
    ['a worker of a page', { navigator: { product: 'Gecko', userAgent: `Mozilla/5.0 (X11) ${webKit}` } }],
    [
      'a page of Electron',
      { document: {}, navigator: { userAgent: `Mozilla/5.0 ${webKit} Electron/39.2.1` } },
    ],
    ['React Native', { navigator: { product: 'ReactNative' } }],
  ])('does not load in %s', (_, scope) => {
    expect(() => refuseBrowser(scope)).toThrow(MerchantCodeInBrowserError)
  })

  test.each([
    ['Node before 21', {}],
    ['Node', { navigator: { userAgent: 'Node.js/22' } }],
    ['Deno, which has the global window', { navigator: { userAgent: 'Deno/2.5.4' }, window: {} }],
    ['Bun', { navigator: { userAgent: 'Bun/1.3.1' } }],
    ['a worker of Cloudflare', { navigator: { userAgent: 'Cloudflare-Workers' }, self: {} }],
    ['another edge worker', { navigator: { product: 'Gecko' }, self: {} }],
    [
      'jsdom',
      {
        document: {},
        navigator: { product: 'Gecko', userAgent: `Mozilla/5.0 (linux) ${webKit} jsdom/27.0.1` },
      },
    ],
    ['happy-dom', { document: {}, navigator: { userAgent: `Mozilla/5.0 (X11) ${webKit} HappyDOM/20.0.10` } }],
  ])('loads in %s', (_, scope) => {
    expect(() => refuseBrowser(scope)).not.toThrow()
  })
})
