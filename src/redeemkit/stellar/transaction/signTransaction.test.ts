import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { feeBump, signTransaction } from '../index.ts'
import { Asset, Memo, Transaction, TransactionBuilder } from '../sdk.ts'
import {
  base,
  build,
  buildCall,
  buildOwn,
  call,
  codes,
  customer,
  entryWallet,
  forbidden,
  from,
  look,
  networkPassphrase,
  noExpectations,
  pay,
  payment,
  pubnet,
  secondRequests,
  sponsor,
  stranger,
  theft,
} from '../stellar.fixture.ts'

describe('the customer signs', () => {
  const transaction = build().toXDR()
  const request = { ...base, transaction, expected: payment }
  const wallet = {
    getAddress: async () => ({ address: from }),
    signTransaction: async (asked: string) => {
      const parsed = new Transaction(asked, networkPassphrase)
      parsed.sign(customer)
      return { signedTxXdr: parsed.toXDR(), signerAddress: from }
    },
  }
  test('with a key pair or a wallet', async () => {
    const [byKey, byWallet] = await Promise.all(
      [customer, wallet].map((signer) => signTransaction(signer, request)),
    )
    expect(byKey).toBe(byWallet)
  })
  test('and gets the payment with one more signature', async () => {
    const signed = new Transaction(await signTransaction(customer, request), networkPassphrase)
    expect(signed.hash()).toEqual(build().hash())
    expect(signed.signatures).toHaveLength(1)
  })
  test('once: a transaction that the customer has signed is returned without a prompt', async () => {
    const signed = await signTransaction(customer, request)
    expect(await signTransaction(forbidden, { ...request, transaction: signed })).toBe(signed)
  })
})

test('the sponsor never pays with its own USDC, even if a request names it as the customer', async () => {
  const own = sponsor.publicKey()
  const transaction = build({ operations: [pay({ source: own })] }).toXDR()
  await expect(
    signTransaction(sponsor, { ...base, transaction, expected: { ...payment, from: own } }),
  ).rejects.toMatchObject({ name: 'WrongPartyError', field: 'sponsor' })
})

describe('a wallet that answers', () => {
  const other = build({ operations: [pay({ amount: '9' })] })
  other.sign(customer)
  const strange = build()
  strange.sign(stranger)
  test.each<[string, unknown, string]>([
    ['another transaction', other.toXDR(), 'InvalidSignatureError'],
    ['the transaction unsigned', build().toXDR(), 'InvalidSignatureError'],
    ['a signature by another key', strange.toXDR(), 'InvalidSignatureError'],
    ['empty text', '', 'InvalidBase64Error'],
    ['nothing', undefined, 'InvalidSignatureError'],
    ['other XDR', 'AAAA', 'InvalidTransactionError'],
  ])('%s throws a typed error', async (_, signedTxXdr, name) => {
    const wallet = {
      getAddress: async () => ({ address: from }),
      signTransaction: async () => ({ signedTxXdr }),
    }
    await expect(
      signTransaction(wallet, { ...base, transaction: build().toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name })
  })
})

describe('before any prompt', () => {
  const own = build({ source: from, operations: [pay()] }).toXDR()
  const strange = build()
  strange.sign(stranger)
  test.each<[string, string, string]>([
    ['another network', build({ passphrase: pubnet.networkPassphrase }).toXDR(), 'x'],
    [
      'another issuer',
      build({ operations: [pay({ asset: new Asset('USDC', pubnet.usdc.issuer) })] }).toXDR(),
      'WrongAssetError',
    ],
    [
      'another receiver',
      build({ operations: [pay({ destination: stranger.publicKey() })] }).toXDR(),
      'WrongPartyError',
    ],
    ['another amount', build({ operations: [pay({ amount: '2.6' })] }).toXDR(), 'WrongAmountError'],
    ['an extra operation', build({ operations: [pay(), pay()] }).toXDR(), 'ExtraOperationError'],
    [
      'time bounds in the past',
      build({ timebounds: { minTime: 0, maxTime: 5 } }).toXDR(),
      'ExpiredTransactionError',
    ],
    ['a memo', build({ memo: Memo.id('5') }).toXDR(), 'RefusedTransactionError'],
    ['truncated base64', build().toXDR().slice(0, -1), 'InvalidBase64Error'],
    ['truncated XDR', build().toXDR().slice(0, -4), 'InvalidTransactionError'],
    ['no text', undefined as never, 'InvalidBase64Error'],
  ])('throws a typed error for %s', async (_, transaction, name) => {
    const networkPassphrase = name === 'x' ? { networkPassphrase: pubnet.networkPassphrase } : {}
    const error: unknown = await signTransaction(forbidden, {
      ...base,
      transaction,
      expected: payment,
      ...networkPassphrase,
    }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(BaseError)
    expect(error).toMatchObject({
      name: name === 'x' ? 'WrongTransactionNetworkError' : name,
      field: expect.any(String),
      fix: expect.any(String),
    })
  })
  test("another key's signature throws a specific error", async () => {
    await expect(
      signTransaction(forbidden, { ...base, transaction: strange.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'ForeignSignatureError', field: 'signatures' })
  })
  test.each(secondRequests)('a second request in the options is ignored (%#)', async (along) => {
    const request = { ...base, ...along, transaction: theft, expected: payment } as signTransaction.Options
    await expect(signTransaction(forbidden, request)).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test.each(noExpectations)('nothing is signed if the expectation is %j', async (expected) => {
    await expect(
      signTransaction(forbidden, { ...base, transaction: theft, expected: expected as never }),
    ).rejects.toMatchObject({ name: 'MissingExpectationError', field: 'expected' })
  })
  test('throws for a sponsor that must sign the fee bump instead', async () => {
    await expect(
      signTransaction(sponsor, {
        ...base,
        transaction: own,
        expected: { ...payment, sponsorAs: 'feeBump' },
      }),
    ).rejects.toMatchObject({ name: 'WrongSignerError' })
  })
  test('throws for an uninvolved account', async () => {
    await expect(
      signTransaction(stranger, { ...base, transaction: own, expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test("does not ask the customer to pay the sponsor's fee", async () => {
    await expect(
      signTransaction(customer, { ...base, transaction: buildOwn().toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
})

describe('a fee bump', () => {
  const signedOwn = buildOwn()
  signedOwn.sign(customer)
  test('is signed by its payer', async () => {
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', signedOwn, networkPassphrase)
    await expect(
      signTransaction(forbidden, { ...base, transaction: bump.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongSignerError' })
  })
  describe.each([
    ['its own transaction', signedOwn],
    ['the sponsor’s transaction', build()],
  ])('that the customer pays, around %s,', (_, inner) => {
    const paid = TransactionBuilder.buildFeeBumpTransaction(customer, '4000', inner, networkPassphrase)
    test.each(['source', 'feeBump'] as const)(
      'is refused with the sponsor expected as %s',
      async (sponsorAs) => {
        const expected = { ...payment, sponsorAs }
        expect(codes(paid, expected)).toContain('CUSTOMER_PAYS_FEE')
        await expect(
          signTransaction(forbidden, { ...base, transaction: paid.toXDR(), expected }),
        ).rejects.toMatchObject({ name: 'WrongPartyError' })
      },
    )
  })
})

describe('a sponsored call', () => {
  const transaction = buildCall().toXDR()
  const { latestLedger: _, ...unjudged } = base
  test.each([
    ['key', customer],
    ['wallet', entryWallet],
  ] as const)('is authorized by the customer’s %s', async (_, signer) => {
    const signed = await signTransaction(signer, { ...base, transaction, expected: call })
    const { verdict, details } = look({ toXDR: () => signed }, call)
    expect(verdict).toBe('ok')
    expect(details?.authorizations).toMatchObject([{ address: from, isSigned: true, validUntilLedger: 1060 }])
  })
  test('is not authorized if its expiry is neither checked nor set, because the time bounds do not limit the authorization', async () => {
    await expect(
      signTransaction(forbidden, { ...unjudged, transaction, expected: call }),
    ).rejects.toMatchObject({ name: 'ExpiredTransactionError', field: 'latestLedger' })
  })
  test('is authorized until the ledger that the caller passes', async () => {
    const set = await signTransaction(customer, {
      ...unjudged,
      transaction,
      expected: call,
      validUntilLedger: 1050,
    })
    expect(look({ toXDR: () => set }, call).details?.authorizations[0]?.validUntilLedger).toBe(1050)
  })
})

describe('feeBump', () => {
  const own = build({ source: from, operations: [pay()] })
  const unsigned = own.toXDR()
  own.sign(customer)
  const signed = own.toXDR()
  const asked = { ...base, expected: payment }

  describe('a fee bump', () => {
    test('costs the sponsor one extra stroop for each operation and for the bump', async () => {
      const bumped = await feeBump(sponsor, { ...asked, transaction: signed })
      expect(look({ toXDR: () => bumped })).toMatchObject({
        verdict: 'ok',
        details: { feeSource: sponsor.publicKey(), fee: 202n },
      })
    })
    test("requires the customer's signature on this network", async () => {
      await expect(feeBump(sponsor, { ...asked, transaction: unsigned })).rejects.toMatchObject({
        name: 'WrongSignatureError',
      })
    })
    test('cannot wrap another fee bump', async () => {
      const bumped = await feeBump(sponsor, { ...asked, transaction: signed })
      await expect(feeBump(sponsor, { ...asked, transaction: bumped })).rejects.toMatchObject({
        name: 'RefusedTransactionError',
      })
    })
    test('must have the expected sponsor', async () => {
      await expect(feeBump(stranger, { ...asked, transaction: signed })).rejects.toMatchObject({
        name: 'WrongPartyError',
      })
    })
    test('has a fee within the limit', async () => {
      await expect(
        feeBump(sponsor, { ...asked, transaction: signed, baseFee: 10_000_000n }),
      ).rejects.toMatchObject({ name: 'RefusedTransactionError' })
    })
    test.each(secondRequests)('ignores a second request in the options (%#)', async (along) => {
      const request = { ...asked, ...along, transaction: theft } as feeBump.Options
      await expect(feeBump(forbidden, request)).rejects.toMatchObject({ name: 'WrongPartyError' })
    })
    test.each(noExpectations)('is not signed if the expectation is %j', async (expected) => {
      await expect(
        feeBump(forbidden, { ...base, transaction: theft, expected: expected as never }),
      ).rejects.toMatchObject({ name: 'MissingExpectationError', field: 'expected' })
    })
  })
})
