import { expect, test } from 'vitest'
import { checkSandboxOptions } from './checkSandboxOptions.ts'

/** Invalid options that contain a secret: an API key instead of a merchant object, and URLs with a password. */
const leaks: readonly [field: string, options: object][] = [
  ['merchants', { merchants: ['hunter2'] }],
  ['merchants', { merchants: 'hunter2' }],
  ['publicUrl', { publicUrl: 'ftp://me:hunter2@service.example' }],
  ['allowedOrigins', { allowedOrigins: ['https://me:hunter2@shop.example'] }],
  ['allowedHosts', { allowedHosts: ['me:hunter2@shop.example'] }],
  [
    'merchants.settings.whitelistedAncestorUrls',
    {
      merchants: [
        {
          merchantId: 'shop',
          apiKey: 'key',
          settings: { whitelistedAncestorUrls: ['ftp://me:hunter2@shop.example'] },
        },
      ],
    },
  ],
]

test.each(leaks)('names the invalid option %s without its secret', (field, options) => {
  let message = ''
  try {
    checkSandboxOptions({ merchants: [], chains: [], ...options })
  } catch (error) {
    expect(error).toMatchObject({ name: 'InvalidSandboxOptionsError', field })
    message = String(error)
  }
  expect(message).toContain(`${field} is not valid`)
  expect(message).not.toContain('hunter2')
})

test('shows an invalid value of an option that holds no secret', () => {
  const wrong = () =>
    checkSandboxOptions({ merchants: [], chains: [], allowedOrigins: ['https://shop.example/'] })
  expect(wrong).toThrow('allowedOrigins is "https://shop.example/".')
})

test('accepts the origin of a browser extension', () => {
  const check = (origin: string) => () =>
    checkSandboxOptions({ merchants: [], chains: [], allowedOrigins: [origin] })
  expect(check('chrome-extension://abcdefgh')).not.toThrow('allowedOrigins')
  expect(check('chrome-extension://abcdefgh/')).toThrow('allowedOrigins')
})
