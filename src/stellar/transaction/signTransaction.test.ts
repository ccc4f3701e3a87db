import {
  Account,
  Asset,
  Memo,
  MuxedAccount,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import {
  type ExpectedTransaction,
  feeBump,
  inspect,
  networkOf,
  signAuthEntry,
  signAuthMessage,
  signTransaction,
  stellarAdapter,
  stellarTransaction,
  usdcTransfer,
  verifyAuthMessage,
} from '../index.ts'
import {
  amount,
  build,
  buildCall,
  call,
  codes,
  customer,
  entry,
  from,
  invocation,
  look,
  network,
  networkPassphrase,
  now,
  options,
  pay,
  payment,
  pubnet,
  shop,
  sponsor,
  stranger,
  to,
  transfer,
  transferArgs,
} from '../stellar.fixture.ts'

describe('signing', () => {
  const forbidden = {
    getAddress: async () => ({ address: from }),
    signTransaction: async () => {
      throw new Error('the wallet was asked')
    },
    signAuthEntry: async () => {
      throw new Error('the wallet was asked')
    },
  }
  const base = { environment: 'sandbox', now, latestLedger: 1000 } as const
  test('the customer signs a payment with a key pair or a wallet, and nothing else changes', async () => {
    const transaction = build().toXDR()
    const wallet = {
      getAddress: async () => ({ address: from }),
      signTransaction: async (asked: string) => {
        const parsed = new Transaction(asked, networkPassphrase)
        parsed.sign(customer)
        return { signedTxXdr: parsed.toXDR(), signerAddress: from }
      },
    }
    const [byKey, byWallet] = await Promise.all(
      [customer, wallet].map((signer) =>
        signTransaction(signer, { ...base, transaction, expected: payment }),
      ),
    )
    expect(byKey).toBe(byWallet)
    const signed = new Transaction(byKey ?? '', networkPassphrase)
    expect(signed.hash()).toEqual(build().hash())
    expect(signed.signatures).toHaveLength(1)
    expect(await signTransaction(forbidden, { ...base, transaction: byKey ?? '', expected: payment })).toBe(
      byKey,
    )
  })
  test('a wallet that signs another transaction, or returns it unsigned, or by another key', async () => {
    const answer = (signedTxXdr: unknown) => ({
      getAddress: async () => ({ address: from }),
      signTransaction: async () => ({ signedTxXdr }),
    })
    const other = build({ operations: [pay({ amount: '9' })] })
    other.sign(customer)
    const strange = build()
    strange.sign(stranger)
    for (const [signed, name] of [
      [other.toXDR(), 'InvalidSignatureError'],
      [build().toXDR(), 'InvalidSignatureError'],
      [strange.toXDR(), 'InvalidSignatureError'],
      ['', 'InvalidBase64Error'],
      [undefined, 'InvalidSignatureError'],
      ['AAAA', 'InvalidTransactionError'],
    ] as const)
      await expect(
        signTransaction(answer(signed), { ...base, transaction: build().toXDR(), expected: payment }),
      ).rejects.toMatchObject({ name })
  })
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
    ['an operation more', build({ operations: [pay(), pay()] }).toXDR(), 'ExtraOperationError'],
    [
      'past time bounds',
      build({ timebounds: { minTime: 0, maxTime: 5 } }).toXDR(),
      'ExpiredTransactionError',
    ],
    ['a memo', build({ memo: Memo.id('5') }).toXDR(), 'RefusedTransactionError'],
    ['truncated base64', build().toXDR().slice(0, -1), 'InvalidBase64Error'],
    ['truncated XDR', build().toXDR().slice(0, -4), 'InvalidTransactionError'],
    ['no text', undefined as never, 'InvalidBase64Error'],
  ])('%s is a typed error before the wallet is asked', async (_, transaction, name) => {
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
  const theft = build({ operations: [pay({ destination: stranger.publicKey(), amount: '900' })] }).toXDR()
  test('a second request beside the first is not inspected in its place', async () => {
    const good = entry({ root: transfer() }).toXDR('base64')
    for (const along of [
      { authEntry: good },
      { message: 'hello', allowPlainText: true, domains: [] },
      { authEntry: good, message: 'hello' },
    ]) {
      const request = { ...base, ...along, transaction: theft, expected: payment } as signTransaction.Options
      await expect(signTransaction(forbidden, request)).rejects.toMatchObject({ name: 'WrongPartyError' })
      await expect(feeBump(forbidden, request)).rejects.toMatchObject({ name: 'WrongPartyError' })
      expect(() => inspect({ transaction: theft, ...along } as never, options)).toThrow(
        expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
      )
    }
    expect(() => inspect({} as never, options)).toThrow(expect.objectContaining({ field: 'request' }))
  })
  test.each([undefined, null, 'pay', {}, { kind: 'anything' }])(
    'nothing is signed for %j',
    async (expected) => {
      const asked = { ...base, expected } as never as { expected: ExpectedTransaction } & typeof base
      const authEntry = entry().toXDR('base64')
      for (const signing of [
        signTransaction(forbidden, { ...asked, transaction: theft }),
        feeBump(forbidden, { ...asked, transaction: theft }),
        signAuthEntry(forbidden, { ...asked, authEntry }),
      ])
        await expect(signing).rejects.toMatchObject({ name: 'MissingExpectationError', field: 'expected' })
    },
  )
  test.each<[string, object, string]>([
    ['text as latest ledger', { latestLedger: '1000' }, 'latestLedger'],
    ['text as a time limit', { maxValidForSeconds: '3600' }, 'maxValidForSeconds'],
    ['a number as fee', { maxFee: 100 }, 'maxFee'],
    ['null as the end', { validUntilLedger: null }, 'validUntilLedger'],
    ['a time limit that is none', { maxValidForSeconds: Number.NaN }, 'maxValidForSeconds'],
  ])('%s switches no limit off', async (_, change, field) => {
    const far = entry({ until: 900_000 }).toXDR('base64')
    await expect(
      signAuthEntry(forbidden, {
        ...base,
        ...change,
        authEntry: far,
        expected: call,
      } as signAuthEntry.Options),
    ).rejects.toMatchObject({ name: 'InvalidOptionError', field })
  })
  test('without any options', async () => {
    const client = undefined as never
    for (const options of [undefined, null] as never[]) {
      for (const call of [
        signTransaction(forbidden, options),
        signAuthEntry(forbidden, options),
        feeBump(forbidden, options),
        signAuthMessage(forbidden, options),
        stellarTransaction(client, options),
        usdcTransfer(client, options),
      ])
        await expect(call).rejects.toMatchObject({ name: 'UnknownNetworkError', field: 'environment' })
      for (const call of [
        () => inspect({ message: 'x' }, options),
        () => verifyAuthMessage(options),
        () => stellarAdapter(options),
      ])
        expect(call).toThrow(expect.objectContaining({ name: 'UnknownNetworkError' }))
    }
  })
  test('the passphrase that stands beside an authorization', async () => {
    const asked = { ...base, authEntry: entry().toXDR('base64'), expected: call }
    await expect(
      signAuthEntry(forbidden, { ...asked, networkPassphrase: pubnet.networkPassphrase }),
    ).rejects.toMatchObject({ name: 'WrongTransactionNetworkError' })
    expect(await signAuthEntry(customer, { ...asked, networkPassphrase })).toMatch(/^[A-Za-z0-9+/=]+$/)
  })
  test('a fee bump is signed by the one who pays it, and it pays it', async () => {
    const own = build({ source: from, operations: [pay({ source: undefined as never })] })
    own.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', own, networkPassphrase).toXDR()
    await expect(
      signTransaction(forbidden, { ...base, transaction: bump, expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongSignerError' })
    for (const inner of [own, build()]) {
      const paid = TransactionBuilder.buildFeeBumpTransaction(customer, '4000', inner, networkPassphrase)
      for (const sponsorAs of ['source', 'feeBump'] as const) {
        const expected = { ...payment, sponsorAs }
        expect(codes(paid, expected)).toContain('CUSTOMER_PAYS_FEE')
        await expect(
          signTransaction(forbidden, { ...base, transaction: paid.toXDR(), expected }),
        ).rejects.toMatchObject({ name: 'WrongPartyError' })
      }
    }
  })
  test('a memo of bytes is not the text that spells them', () => {
    const memo = Memo.text(Buffer.from('deadbeef', 'hex') as never)
    expect(codes(build({ memo }), { ...payment, memo: 'deadbeef' })).toEqual(['WRONG_MEMO'])
    expect(codes(build({ memo: Memo.text('deadbeef') }), { ...payment, memo: 'deadbeef' })).toEqual([])
  })
  test.each([
    { type: 'id', value: '18446744073709551615' },
    { type: 'hash', value: 'ab'.repeat(32) },
    { type: 'text', value: 'pay_1' },
  ] as const)('a memo of type $type is compared by type and value', (memo) => {
    const { type, value } = memo
    const own = build({ memo: Memo[type](value) })
    expect(codes(own, { ...payment, memo })).toEqual([])
    expect(codes(own, { ...payment, memo: `${type}:${value}`.slice(0, 28) })).toEqual(['WRONG_MEMO'])
    expect(codes(build({ memo: Memo.none() }), { ...payment, memo })).toEqual(['WRONG_MEMO'])
    if (type !== 'text')
      expect(codes(build({ memo: Memo.text(value.slice(0, 28)) }), { ...payment, memo })).toEqual([
        'WRONG_MEMO',
      ])
  })
  test('a memo of type return is not one of type hash', () => {
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
  ])('%j is no memo', (memo) => {
    expect(() => look(build(), { ...payment, memo: memo as never })).toThrow(
      expect.objectContaining({ name: 'InvalidMemoError', field: 'memo' }),
    )
  })
  test('a receiver with a number in its address is compared with the number', () => {
    const muxed = (id: string) => new MuxedAccount(new Account(to, '0'), id).accountId()
    const own = build({ operations: [pay({ destination: muxed('7') })] })
    expect(codes(own, { ...payment, to: muxed('7') })).toEqual([])
    expect(codes(own, { ...payment, to: muxed('8') })).toEqual(['WRONG_ACCOUNT'])
    expect(codes(own)).toEqual(['WRONG_ACCOUNT'])
    expect(codes(build(), { ...payment, to: muxed('7') })).toEqual(['WRONG_ACCOUNT'])
    expect(() => look(build(), { ...call, spends: { to: muxed('7'), amount } })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError', field: 'to' }),
    )
  })
  test('a preimage, as SEP-43 hands it to wallets, is signed for the expected call alone', async () => {
    const { hash } = await import('@stellar/stellar-sdk')
    const preimage = (root: xdr.SorobanAuthorizedInvocation, until = 1060, passphrase = networkPassphrase) =>
      xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
        new xdr.HashIdPreimageSorobanAuthorization({
          networkId: hash(Buffer.from(passphrase)),
          nonce: new xdr.Int64(77n),
          signatureExpirationLedger: until,
          invocation: root,
        }),
      ).toXDR('base64')
    const root = invocation(shop, 'buy', call.args, [transfer()])
    const asked = { ...base, authEntry: preimage(root), expected: call }
    const signature = await signAuthEntry(customer, asked)
    expect(signature).toBe(customer.sign(hash(Buffer.from(asked.authEntry, 'base64'))).toString('base64'))
    const { authorizeEntry } = await import('@stellar/stellar-sdk')
    // The SDK puts the entry together with our signature.
    const signed = await authorizeEntry(
      entry(),
      async (given) =>
        Buffer.from(await signAuthEntry(customer, { ...asked, authEntry: given.toXDR('base64') }), 'base64'),
      1060,
      networkPassphrase,
    )
    expect(look(buildCall({ auth: [signed] }), call).verdict).toBe('ok')
    for (const [change, name] of [
      [{ authEntry: preimage(transfer()) }, 'WrongCallError'],
      [
        { authEntry: preimage(invocation(shop, 'buy', call.args, [transfer(to, amount + 1n)])) },
        'WrongAmountError',
      ],
      [{ authEntry: preimage(root, 900_000) }, 'RefusedTransactionError'],
      [{ authEntry: preimage(root, 1000) }, 'ExpiredTransactionError'],
      [{ authEntry: preimage(root, 1060, pubnet.networkPassphrase) }, 'WrongTransactionNetworkError'],
      [{ latestLedger: undefined }, 'InvalidOptionError'],
      [{ validUntilLedger: 1060 }, 'InvalidOptionError'],
      [{ expected: undefined }, 'MissingExpectationError'],
    ] as const)
      await expect(
        signAuthEntry(forbidden, { ...asked, ...change } as signAuthEntry.Options),
      ).rejects.toMatchObject({ name })
    await expect(signAuthEntry(stranger, asked)).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test('an authorization that is signed has an end and the one layout', async () => {
    const good = await signAuthEntry(customer, {
      ...base,
      authEntry: entry().toXDR('base64'),
      expected: call,
    })
    const withEntry = (signed: xdr.SorobanAuthorizationEntry) => codes(buildCall({ auth: [signed] }), call)
    const read = () => xdr.SorobanAuthorizationEntry.fromXDR(good, 'base64')
    expect(withEntry(read())).toEqual([])
    const fields = read().credentials().address().signature().vec()?.[0]?.map() ?? []
    for (const map of [[...fields].reverse(), [...fields, ...fields], fields.slice(1), []]) {
      const other = read()
      other
        .credentials()
        .address()
        .signature(xdr.ScVal.scvVec([xdr.ScVal.scvMap(map)]))
      expect(withEntry(other)).toEqual(['FOREIGN_SIGNATURE'])
    }
    const preimage = entry({ until: 0 })
    const endless = await (await import('@stellar/stellar-sdk')).authorizeEntry(
      preimage,
      customer,
      0,
      networkPassphrase,
    )
    expect(withEntry(endless)).toEqual(['EXPIRED'])
    // Before it is signed it need not have an end yet.
    expect(withEntry(entry({ until: 0 }))).toEqual([])
  })
  test('a source beside an authorization that is signed inside', () => {
    expect(codes(buildCall({ opSource: from }), call)).toEqual(['WRONG_ACCOUNT'])
    const bySource = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: invocation(shop, 'buy', call.args, [transfer()]),
    })
    expect(codes(buildCall({ opSource: from, auth: [bySource] }), call)).toEqual([])
  })
  test.each<[string, xdr.SorobanAuthorizedInvocation, string]>([
    ['another receiver', transfer(stranger.publicKey()), 'WrongPartyError'],
    ['another amount', transfer(to, amount + 1n), 'WrongAmountError'],
    ['another asset', invocation(pubnet.usdc.contract, 'transfer', transferArgs()), 'WrongAssetError'],
    ['another function', invocation(network.usdc.contract, 'approve', transferArgs()), 'WrongCallError'],
  ])('%s in the contract’s form of a payment has an error of its own', async (_, root, name) => {
    const { memo: _memo, ...expected } = payment
    await expect(
      signAuthEntry(forbidden, { ...base, authEntry: entry({ root }).toXDR('base64'), expected }),
    ).rejects.toMatchObject({ name })
  })
  test('another key’s signature has an error of its own', async () => {
    const transaction = build()
    transaction.sign(stranger)
    await expect(
      signTransaction(forbidden, { ...base, transaction: transaction.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'ForeignSignatureError', field: 'signatures' })
  })
  test.each([
    { usdc: {} },
    { ...network, networkPassphrase: undefined },
    { ...network, usdc: { ...network.usdc, contract: '' } },
  ])('a network of one’s own needs all of its names', (environment) => {
    expect(() => networkOf(environment as never)).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError', field: 'environment' }),
    )
  })
  test('a customer authorizes a sponsored call with its key or its wallet', async () => {
    const { hash } = await import('@stellar/stellar-sdk')
    const transaction = buildCall().toXDR()
    const wallet = {
      getAddress: async () => ({ address: from }),
      signAuthEntry: async (preimage: string) => ({
        signedAuthEntry: customer.sign(hash(Buffer.from(preimage, 'base64'))).toString('base64'),
        signerAddress: from,
      }),
    }
    for (const signer of [customer, wallet]) {
      const signed = await signTransaction(signer, { ...base, transaction, expected: call })
      expect(look({ toXDR: () => signed }, call).verdict).toBe('ok')
      expect(look({ toXDR: () => signed }, call).details?.authorizations).toMatchObject([
        { address: from, isSigned: true, validUntilLedger: 1060 },
      ])
    }
    // An entry outlives the transaction's time bounds, so its end has to be judged or set.
    await expect(
      signTransaction(forbidden, { environment: 'sandbox', now, transaction, expected: call }),
    ).rejects.toMatchObject({ name: 'ExpiredTransactionError', field: 'latestLedger' })
    const set = await signTransaction(customer, {
      environment: 'sandbox',
      now,
      transaction,
      expected: call,
      validUntilLedger: 1050,
    })
    expect(look({ toXDR: () => set }, call).details?.authorizations[0]?.validUntilLedger).toBe(1050)
    expect(
      inspect({ transaction }, { environment: 'sandbox', address: from, now, expected: call }),
    ).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'END_NOT_JUDGED' }],
    })
    const authEntry = entry({ until: 0 }).toXDR('base64')
    const options = { ...base, authEntry, expected: call }
    await expect(signAuthEntry(customer, options)).rejects.toMatchObject({
      name: 'ExpiredTransactionError',
      field: 'validUntilLedger',
    })
    await expect(signAuthEntry(customer, { ...options, validUntilLedger: 1000 })).rejects.toMatchObject({
      name: 'ExpiredTransactionError',
    })
    await expect(signAuthEntry(customer, { ...options, validUntilLedger: 1.5 })).rejects.toMatchObject({
      name: 'InvalidOptionError',
    })
    await expect(signAuthEntry(stranger, { ...options, validUntilLedger: 1060 })).rejects.toMatchObject({
      name: 'WrongSignerError',
    })
    await expect(
      signAuthEntry(forbidden, { ...options, authEntry: entry({ root: approveOnly() }).toXDR('base64') }),
    ).rejects.toMatchObject({ name: 'WrongCallError' })
    await expect(
      signAuthEntry(forbidden, {
        ...options,
        authEntry: entry({ address: stranger.publicKey() }).toXDR('base64'),
      }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
    await expect(
      signAuthEntry(
        { ...wallet, signAuthEntry: async () => ({ signedAuthEntry: stranger.sign(Buffer.alloc(32)) }) },
        { ...options, validUntilLedger: 1060 },
      ),
    ).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })
  const approveOnly = () => invocation(network.usdc.contract, 'approve', transferArgs())
  test('a wallet that has no part in it is told so', async () => {
    const own = build({ source: from, operations: [pay()] })
    await expect(
      signTransaction(sponsor, {
        ...base,
        transaction: own.toXDR(),
        expected: { ...payment, sponsorAs: 'feeBump' },
      }),
    ).rejects.toMatchObject({ name: 'WrongSignerError' })
    await expect(
      signTransaction(stranger, { ...base, transaction: own.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test('a customer who would pay the fee in the place of the sponsor is not asked to sign', async () => {
    const own = build({ source: from, operations: [pay({ source: undefined as never })] })
    await expect(
      signTransaction(customer, { ...base, transaction: own.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test('a fee bump wants the customer’s signature on this network', async () => {
    const own = build({ source: from, operations: [pay()] })
    const options = { ...base, expected: payment }
    await expect(feeBump(sponsor, { ...options, transaction: own.toXDR() })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    own.sign(customer)
    const bumped = await feeBump(sponsor, { ...options, transaction: own.toXDR() })
    expect(look({ toXDR: () => bumped })).toMatchObject({
      verdict: 'ok',
      details: { feeSource: sponsor.publicKey(), fee: 202n },
    })
    await expect(feeBump(sponsor, { ...options, transaction: bumped })).rejects.toMatchObject({
      name: 'RefusedTransactionError',
    })
    await expect(feeBump(stranger, { ...options, transaction: own.toXDR() })).rejects.toMatchObject({
      name: 'WrongPartyError',
    })
    await expect(
      feeBump(sponsor, { ...options, transaction: own.toXDR(), baseFee: 10_000_000n }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError' })
  })
})
