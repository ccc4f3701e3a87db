import { Keypair, xdr } from '@stellar/stellar-sdk'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inspect } from '../index.ts'
import { build, entry, look, options, sponsor, usdc } from '../stellar.fixture.ts'

describe('an envelope that others read otherwise is not read', () => {
  test('USDC in the frame of a longer code', () => {
    const envelope = build().toEnvelope()
    envelope
      .v1()
      .tx()
      .operations()[0]
      ?.body()
      .paymentOp()
      .asset(
        xdr.Asset.assetTypeCreditAlphanum12(
          new xdr.AlphaNum12({
            assetCode: Buffer.from('USDC'.padEnd(12, '\0')),
            issuer: Keypair.fromPublicKey(usdc.issuer).xdrAccountId(),
          }),
        ),
      )
    expect(() => look({ toXDR: () => envelope.toXDR('base64') })).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('an envelope of before 2020', () => {
    const v1 = build().toEnvelope().v1().tx()
    const old = new xdr.TransactionV0({
      sourceAccountEd25519: sponsor.rawPublicKey(),
      fee: v1.fee(),
      seqNum: v1.seqNum(),
      timeBounds: v1.cond().timeBounds(),
      memo: v1.memo(),
      operations: v1.operations(),
      ext: new xdr.TransactionV0Ext(0),
    })
    const envelope = xdr.TransactionEnvelope.envelopeTypeTxV0(
      new xdr.TransactionV0Envelope({ tx: old, signatures: [] }),
    )
    expect(() => look({ toXDR: () => envelope.toXDR('base64') })).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('what a later protocol brings', () => {
  // Origin: CAP-71-02, credentials of type 2 with the fields of type 1, which SDK 15 does not know.
  test('as credentials is a typed error', () => {
    const bytes = entry().toXDR()
    bytes.writeInt32BE(2, 0)
    expect(() => inspect({ authEntry: bytes.toString('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('as credentials that the SDK reads, and we do not, is a typed error', () => {
    const later = { switch: () => ({ name: 'sorobanCredentialsAddressV9' }) }
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'credentials').mockReturnValue(later as never)
    expect(() => inspect({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError' }),
    )
  })
  test('as a part that the SDK fails at is a typed error', () => {
    vi.spyOn(xdr.SorobanAuthorizationEntry.prototype, 'rootInvocation').mockImplementation(() => {
      throw new TypeError('x is not a function')
    })
    expect(() => inspect({ authEntry: entry().toXDR('base64') }, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
    )
  })
})
