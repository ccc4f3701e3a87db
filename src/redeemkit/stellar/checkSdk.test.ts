import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('@stellar/stellar-sdk')
  vi.resetModules()
})
test.each([
  ['of another layout', { TransactionEnvelope: { fromXDR: () => ({ type: 'envelopeTypeTx' }) } }],
  ['without XDR', {}],
])('an SDK %s is a typed error when the entry point is loaded', async (_, xdr) => {
  vi.resetModules()
  vi.doMock('@stellar/stellar-sdk', async (original) => ({ ...(await original<object>()), xdr }))
  await expect(import('./index.ts')).rejects.toMatchObject({
    name: 'UnsupportedSdkError',
    fix: expect.stringContaining('15, 16 or 17'),
  })
})
