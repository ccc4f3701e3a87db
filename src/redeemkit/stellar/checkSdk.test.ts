import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('@stellar/stellar-sdk')
  vi.resetModules()
})
// Origin: @stellar/stellar-sdk 17.2.0, whose unions are plain classes with the field `type`, and whose TransactionEnvelope is an object.
const later = { TransactionEnvelope: { fromXDR: () => ({ type: 'envelopeTypeTx' }) } }

test.each([
  ['17', later],
  ['without XDR', {}],
])('an SDK %s is a typed error when the entry point is loaded', async (_, xdr) => {
  vi.resetModules()
  vi.doMock('@stellar/stellar-sdk', async (original) => ({ ...(await original<object>()), xdr }))
  await expect(import('./index.ts')).rejects.toMatchObject({
    name: 'UnsupportedSdkError',
    fix: expect.stringContaining('15 or 16'),
  })
})
