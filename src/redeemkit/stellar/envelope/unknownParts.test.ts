import { afterEach, describe, expect, test, vi } from 'vitest'
import { signAuthEntry, signTransaction } from '../index.ts'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { rpc, xdr } from '../sdk.ts'
import { base, buildCall, call, entry, forbidden, options } from '../stellar.fixture.ts'
import { simulateCall } from '../transaction/simulateCall.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('data of a later protocol', () => {
  test('credentials that the SDK can read but redeemkit cannot throw a typed error', () => {
    const later = { switch: () => ({ name: 'sorobanCredentialsAddressV9' }) }
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'credentials').mockReturnValue(later as never)
    expect(() => inspectRequest({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('a part on which the SDK fails throws a typed error', () => {
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'rootInvocation').mockImplementation(() => {
      throw new TypeError('x is not a function')
    })
    expect(() => inspectRequest({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
    )
  })
})

describe('an authorization of CAP-71, which SDK 15 cannot read', () => {
  // Origin: CAP-71-02. Credentials of type 2 have the fields of type 1; type 3 adds delegates. The preimage has type 10.
  const entryOf = (type: number) => withType(entry().toXDR(), 0, type)
  const envelope = buildCall().toEnvelope().toXDR()
  const transaction = withType(envelope, envelope.indexOf(entry().toXDR()), 2)
  const updateSdk = { fix: 'Update the SDK: npm install @stellar/stellar-sdk@17. Nothing was signed.' }
  const sign = { ...base, expected: call }

  test.each([
    ['that contains its address', entryOf(2)],
    ['with delegates', entryOf(3)],
    ['as the preimage of its signature', withType(Buffer.alloc(100), 0, 10)],
  ])('%s: the error advises to update the SDK', async (_, authEntry) => {
    const error = { name: 'InvalidTransactionError', field: 'authEntry', ...updateSdk }
    expect(() => inspectRequest({ authEntry }, options)).toThrow(expect.objectContaining(error))
    await expect(signAuthEntry(forbidden, { ...sign, authEntry })).rejects.toMatchObject(error)
  })
  test('in a transaction: the error advises to update the SDK', async () => {
    const error = { name: 'InvalidTransactionError', field: 'transaction', ...updateSdk }
    expect(() => inspectRequest({ transaction }, options)).toThrow(expect.objectContaining(error))
    await expect(signTransaction(forbidden, { ...sign, transaction })).rejects.toMatchObject(error)
  })
  test('in a simulation: the error advises to update the SDK', async () => {
    const result = { auth: [entryOf(2)], xdr: xdr.ScVal.scvVoid().toXDR('base64') }
    const answer = { id: '1', latestLedger: 1, events: [], transactionData: '', minResourceFee: '1' }
    const client = {
      simulateTransaction: async () => rpc.parseRawSimulation({ ...answer, results: [result] }),
    }
    await expect(simulateCall(client, buildCall(), 'buy')).rejects.toMatchObject({
      name: 'SimulationUnavailableError',
      ...updateSdk,
    })
  })
  test.each([
    ['credentials of a type that no SDK knows', { authEntry: entryOf(9) }],
    ['a transaction instead of an authorization', { authEntry: buildCall().toXDR() }],
  ])('%s: the error does not blame the SDK', (_, request) => {
    expect(() => inspectRequest(request, options)).toThrow(
      expect.objectContaining({
        name: 'InvalidTransactionError',
        fix: expect.stringContaining('Pass the XDR'),
      }),
    )
  })
})

/** Returns base64 XDR with another union type at an offset. */
function withType(bytes: Buffer, offset: number, type: number): string {
  const changed = Buffer.from(bytes)
  changed.writeInt32BE(type, offset)
  return changed.toString('base64')
}
