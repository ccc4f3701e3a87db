import { describe, expect, test } from 'vitest'
import { Keypair, Memo, Transaction, xdr } from '../sdk.ts'
import { build, codes, look, network, networkPassphrase, payment, sponsor, usdc } from '../stellar.fixture.ts'
import { parseTransaction } from './envelope.ts'

describe('an envelope that other software parses differently is refused', () => {
  test('USDC encoded as a twelve-letter code', () => {
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
})

test('an envelope in the format used before 2020 is read as today’s, with the hash that the SDK signs', () => {
  const v1 = build().toEnvelope().v1().tx()
  const tx = new xdr.TransactionV0({
    sourceAccountEd25519: sponsor.rawPublicKey(),
    fee: v1.fee(),
    seqNum: v1.seqNum(),
    timeBounds: v1.cond().timeBounds(),
    memo: v1.memo(),
    operations: v1.operations(),
    ext: new xdr.TransactionV0Ext(0),
  })
  const old = xdr.TransactionEnvelope.envelopeTypeTxV0(new xdr.TransactionV0Envelope({ tx, signatures: [] }))
  const signed = new Transaction(old.toXDR('base64'), networkPassphrase)
  expect(signed.toEnvelope().switch().name).toBe('envelopeTypeTxV0')
  signed.sign(sponsor)
  expect(look(signed)).toMatchObject({ verdict: 'ok', details: { hash: signed.hash().toString('hex') } })
  const today = build()
  today.sign(sponsor)
  expect(parseTransaction(signed.toXDR(), network).transaction.toXDR()).toBe(today.toXDR())
})

describe('memo', () => {
  describe('a memo', () => {
    const bytes = (hex: string) => Memo.text(Buffer.from(hex, 'hex') as never)
    test('with bytes differs from a text memo that is the hex of these bytes', () => {
      expect(codes(build({ memo: bytes('deadbeef') }), { ...payment, memo: 'deadbeef' })).toEqual([
        'WRONG_MEMO',
      ])
    })
    test('with a text equals the expected text', () => {
      expect(codes(build({ memo: Memo.text('deadbeef') }), { ...payment, memo: 'deadbeef' })).toEqual([])
    })
    test('with bytes that are not UTF-8 differs from replacement characters', () => {
      expect(look(build({ memo: bytes('fffe') }), { ...payment, memo: '\ufffd\ufffd' }).verdict).toBe(
        'refuse',
      )
    })
    test('of type return differs from a memo of type hash', () => {
      const memo = { type: 'hash', value: 'ab'.repeat(32) } as const
      expect(codes(build({ memo: Memo.return(memo.value) }), { ...payment, memo })).toEqual(['WRONG_MEMO'])
    })
    test.each<[unknown]>([
      [{ type: 'id', value: '18446744073709551616' }],
      [{ type: 'id', value: '007' }],
      [{ type: 'id', value: 7 }],
      [{ type: 'hash', value: 'ab'.repeat(31) }],
      [{ type: 'hash', value: 'AB'.repeat(32) }],
      [{ type: 'return', value: 'ab'.repeat(32) }],
      [{ type: 'text', value: 'é'.repeat(15) }],
      [{}],
      [5],
    ])('rejects the memo %j', (memo) => {
      expect(() => look(build(), { ...payment, memo: memo as never })).toThrow(
        expect.objectContaining({ name: 'InvalidMemoError', field: 'memo' }),
      )
    })
  })

  describe.each([
    { type: 'id', value: '18446744073709551615' },
    { type: 'hash', value: 'ab'.repeat(32) },
    { type: 'text', value: 'pay_1' },
  ] as const)('a memo of type $type', (memo) => {
    const { type, value } = memo
    const own = build({ memo: Memo[type](value) })
    test('equals itself', () => {
      expect(codes(own, { ...payment, memo })).toEqual([])
    })
    test('differs from a text memo of its type and value', () => {
      expect(codes(own, { ...payment, memo: `${type}:${value}`.slice(0, 28) })).toEqual(['WRONG_MEMO'])
    })
    test('differs from no memo', () => {
      expect(codes(build({ memo: Memo.none() }), { ...payment, memo })).toEqual(['WRONG_MEMO'])
    })
  })

  test.each([
    { type: 'id', value: '18446744073709551615' },
    { type: 'hash', value: 'ab'.repeat(32) },
  ] as const)('a memo of type $type differs from a text memo of its value', (memo) => {
    const text = build({ memo: Memo.text(memo.value.slice(0, 28)) })
    expect(codes(text, { ...payment, memo })).toEqual(['WRONG_MEMO'])
  })
})
