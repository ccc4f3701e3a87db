import { afterEach, describe, expect, test, vi } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { xdr } from '../sdk.ts'
import { entry, options } from '../stellar.fixture.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('data of a later protocol', () => {
  // Origin: CAP-71-02, credentials of type 2 with the fields of type 1, which SDK 15 does not know.
  test('unknown credentials: typed error', () => {
    const bytes = entry().toXDR()
    bytes.writeInt32BE(2, 0)
    expect(() => inspectRequest({ authEntry: bytes.toString('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('credentials that the SDK reads but redeemkit does not: typed error', () => {
    const later = { switch: () => ({ name: 'sorobanCredentialsAddressV9' }) }
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'credentials').mockReturnValue(later as never)
    expect(() => inspectRequest({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('a part on which the SDK fails: typed error', () => {
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'rootInvocation').mockImplementation(() => {
      throw new TypeError('x is not a function')
    })
    expect(() => inspectRequest({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
    )
  })
})
