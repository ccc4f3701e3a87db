import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('@stellar/stellar-sdk')
  vi.resetModules()
})
test.each([
  ['with another XDR layout', { TransactionEnvelope: { fromXDR: () => ({ type: 'envelopeTypeTx' }) } }],
  ['without XDR', {}],
])('an SDK %s makes loading the entry point throw a typed error', async (_, xdr) => {
  vi.resetModules()
  vi.doMock('@stellar/stellar-sdk', async (original) => ({ ...(await original<object>()), xdr }))
  await expect(import('./index.ts')).rejects.toMatchObject({
    name: 'UnsupportedSdkError',
    fix: expect.stringContaining('15, 16 or 17'),
  })
})
