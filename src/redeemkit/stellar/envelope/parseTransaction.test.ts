import { describe, expect, test } from 'vitest'
import { Keypair, xdr } from '../sdk.ts'
import { build, look, sponsor, usdc } from '../stellar.fixture.ts'

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
