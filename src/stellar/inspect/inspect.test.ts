import {
  Address,
  Asset,
  authorizeInvocation,
  Claimant,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { type ExpectedTransaction, inspect } from '../index.ts'
import {
  amount,
  args,
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
  options,
  pay,
  payment,
  pubnet,
  seconds,
  shop,
  sponsor,
  stranger,
  to,
  transfer,
  transferArgs,
  usdc,
} from '../stellar.fixture.ts'

describe('a classic payment', () => {
  test('the expected one has no finding, whoever pays the fee', () => {
    const bySponsor = look(build())
    expect(bySponsor).toMatchObject({ kind: 'stellarTransaction', verdict: 'ok', findings: [] })
    expect(bySponsor.summary).toBe(`Pay 2.5 of USDC:${network.usdc.issuer} from ${from} to ${to}.`)
    expect(bySponsor.details?.operations?.[0]?.payment?.amount).toBe(amount)
    const own = build({ source: from, operations: [pay({ source: undefined as never })] })
    expect(look(own, { ...payment, sponsor: undefined }).verdict).toBe('ok')
    own.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', own, networkPassphrase)
    expect(look(bump).verdict).toBe('ok')
    bump.sign(sponsor)
    expect(look(bump).verdict).toBe('ok')
  })
  test('signatures of customer and sponsor are known', () => {
    const transaction = build()
    transaction.sign(customer, sponsor)
    expect(look(transaction).verdict).toBe('ok')
  })
  test.each<[string, Transaction, string]>([
    [
      'another receiver',
      build({ operations: [pay({ destination: stranger.publicKey() })] }),
      'WRONG_ACCOUNT',
    ],
    ['another amount', build({ operations: [pay({ amount: '2.5000001' })] }), 'WRONG_AMOUNT'],
    [
      'another issuer',
      build({ operations: [pay({ asset: new Asset('USDC', pubnet.usdc.issuer) })] }),
      'WRONG_ASSET',
    ],
    ['another asset', build({ operations: [pay({ asset: Asset.native() })] }), 'WRONG_ASSET'],
    [
      'another code',
      build({ operations: [pay({ asset: new Asset('USDCC', network.usdc.issuer) })] }),
      'WRONG_ASSET',
    ],
    ['another payer', build({ operations: [pay({ source: stranger.publicKey() })] }), 'WRONG_ACCOUNT'],
    ['the sponsor as payer', build({ operations: [pay({ source: sponsor.publicKey() })] }), 'WRONG_ACCOUNT'],
    ['another source', build({ source: stranger.publicKey() }), 'WRONG_ACCOUNT'],
    ['no operation', build({ operations: [] }), 'EXTRA_OPERATION'],
    ['the payment twice', build({ operations: [pay(), pay()] }), 'EXTRA_OPERATION'],
    [
      'a trustline beside',
      build({ operations: [pay(), Operation.changeTrust({ asset: usdc, source: from })] }),
      'EXTRA_OPERATION',
    ],
    [
      'a further signer',
      build({
        operations: [Operation.setOptions({ source: from, signer: { ed25519PublicKey: to, weight: 255 } })],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a merge',
      build({ operations: [Operation.accountMerge({ source: from, destination: to })] }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a path payment',
      build({
        operations: [
          Operation.pathPaymentStrictSend({
            source: from,
            sendAsset: usdc,
            sendAmount: '2.5',
            destination: to,
            destAsset: usdc,
            destMin: '2.5',
          }),
        ],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a claimable balance',
      build({
        operations: [
          Operation.createClaimableBalance({
            source: from,
            asset: usdc,
            amount: '2.5',
            claimants: [new Claimant(to)],
          }),
        ],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'an allowance',
      build({
        operations: [
          Operation.invokeContractFunction({
            contract: network.usdc.contract,
            function: 'approve',
            args: transferArgs(),
          }),
        ],
      }),
      'WRONG_FUNCTION',
    ],
    ['another memo', build({ memo: Memo.text('pay_2') }), 'WRONG_MEMO'],
    ['no memo', build({ memo: Memo.none() }), 'WRONG_MEMO'],
    ['a memo of another type', build({ memo: Memo.hash(Buffer.alloc(32)) }), 'WRONG_MEMO'],
    ['no time limit', build({ timebounds: { minTime: 0, maxTime: 0 } }), 'NO_TIME_LIMIT'],
    ['a past time limit', build({ timebounds: { minTime: 0, maxTime: seconds - 1 } }), 'EXPIRED'],
    ['a far time limit', build({ timebounds: { minTime: 0, maxTime: seconds + 3601 } }), 'EXPIRES_TOO_LATE'],
    [
      'a later start',
      build({ timebounds: { minTime: seconds + 301, maxTime: seconds + 400 } }),
      'NOT_YET_VALID',
    ],
    [
      'a further condition',
      build({ prepare: (builder) => builder.setMinAccountSequence('3') }),
      'UNKNOWN_CONDITION',
    ],
    [
      'a further signer as condition',
      build({ prepare: (builder) => builder.setExtraSigners([to]) }),
      'UNKNOWN_CONDITION',
    ],
    [
      'resources of a contract call',
      build({ prepare: (builder) => builder.setSorobanData(new SorobanDataBuilder().build()) }),
      'UNEXPECTED_RESOURCES',
    ],
    ['a large fee', build({ fee: '10000001' }), 'FEE_TOO_HIGH'],
  ])('with %s is refused', (_, transaction, code) => {
    expect(codes(transaction)).toContain(code)
    expect(look(transaction).verdict).toBe('refuse')
  })
  test('signed for another network, or changed after it was signed', () => {
    const other = build({ passphrase: pubnet.networkPassphrase })
    other.sign(sponsor)
    expect(codes(other)).toEqual(['FOREIGN_SIGNATURE'])
    expect(
      inspect(
        { transaction: build().toXDR(), networkPassphrase: pubnet.networkPassphrase },
        { ...options, expected: payment },
      ).findings,
    ).toMatchObject([{ code: 'WRONG_NETWORK' }])
    const strange = build()
    strange.sign(stranger)
    expect(codes(strange)).toEqual(['FOREIGN_SIGNATURE'])
  })
  test('time bounds count to the second', () => {
    const at = (maxTime: number) => codes(build({ timebounds: { minTime: 0, maxTime } }))
    expect([at(seconds - 1), at(seconds), at(seconds + 1)]).toEqual([['EXPIRED'], [], []])
    expect([at(seconds + 3600), at(seconds + 3601)]).toEqual([[], ['EXPIRES_TOO_LATE']])
  })
  test('another wallet than customer and sponsor is refused', () => {
    expect(
      inspect(
        { transaction: build().toXDR() },
        { ...options, address: stranger.publicKey(), expected: payment },
      ).findings,
    ).toMatchObject([{ code: 'WRONG_ACCOUNT', field: 'address' }])
  })
  test('nothing expected is at best caution; another issuer is a danger all the same', () => {
    const alone = (transaction: Transaction) => inspect({ transaction: transaction.toXDR() }, options)
    expect(alone(build())).toMatchObject({ verdict: 'caution', findings: [{ code: 'NOT_COMPARED' }] })
    expect(
      alone(build({ operations: [pay({ asset: new Asset('USDC', pubnet.usdc.issuer) })] })).verdict,
    ).toBe('refuse')
    expect(
      alone(build({ operations: [Operation.accountMerge({ source: from, destination: to })] })).verdict,
    ).toBe('refuse')
  })
  test('every single byte of a signed one counts', () => {
    const transaction = build()
    transaction.sign(customer, sponsor)
    const bytes = Buffer.from(transaction.toXDR(), 'base64')
    for (let at = 0; at < bytes.length; at += 1)
      for (const bit of [1]) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ bit
        let verdict: string
        try {
          verdict = inspect(
            { transaction: changed.toString('base64') },
            { ...options, expected: payment },
          ).verdict
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
          verdict = 'refuse'
        }
        expect(verdict, `byte ${at}`).toBe('refuse')
      }
  })
})

describe('a contract call', () => {
  test('the expected one has no finding; by the customer as source neither', () => {
    expect(look(buildCall(), call)).toMatchObject({ verdict: 'ok', findings: [] })
    expect(look(buildCall({ opSource: sponsor.publicKey() }), call).verdict).toBe('ok')
    const source = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: invocation(shop, 'buy', call.args, [transfer()]),
    })
    expect(look(buildCall({ source: from, auth: [source] }), { ...call, sponsor: undefined }).verdict).toBe(
      'ok',
    )
    // With the sponsor as source such an entry would be the sponsor's.
    expect(codes(buildCall({ auth: [source] }), call)).toContain('WRONG_ACCOUNT')
  })
  test('a transfer of USDC’s own contract is a payment', () => {
    const func = xdr.HostFunction.hostFunctionTypeInvokeContract(
      args(network.usdc.contract, 'transfer', transferArgs()),
    )
    const { memo: _, ...asked } = payment
    const transaction = buildCall({ func, auth: [entry({ root: transfer() })] })
    expect(look(transaction, asked).verdict).toBe('ok')
    // The network refuses a memo beside a call.
    const withMemo = buildCall({ func, auth: [entry({ root: transfer() })], memo: Memo.text('pay_1') })
    expect(codes(withMemo)).toEqual(['WRONG_MEMO'])
    const other = xdr.HostFunction.hostFunctionTypeInvokeContract(
      args(pubnet.usdc.contract, 'transfer', transferArgs()),
    )
    expect(codes(buildCall({ func: other }))).toContain('WRONG_ASSET')
  })
  const fn = (contract: string, name: string, values: readonly xdr.ScVal[] = call.args) =>
    xdr.HostFunction.hostFunctionTypeInvokeContract(args(contract, name, [...values]))
  const approve = invocation(network.usdc.contract, 'approve', transferArgs())
  const root = (...inner: xdr.SorobanAuthorizedInvocation[]) =>
    entry({ root: invocation(shop, 'buy', call.args, inner) })
  test.each<[string, Transaction, string]>([
    ['another contract', buildCall({ func: fn(network.usdc.contract, 'buy') }), 'WRONG_CONTRACT'],
    ['another function', buildCall({ func: fn(shop, 'sell') }), 'WRONG_FUNCTION'],
    ['other arguments', buildCall({ func: fn(shop, 'buy', [...call.args].reverse()) }), 'WRONG_ARGUMENTS'],
    [
      'another amount as argument',
      buildCall({ func: fn(shop, 'buy', [call.args[0], nativeToScVal(amount + 1n, { type: 'i128' })]) }),
      'WRONG_ARGUMENTS',
    ],
    [
      'an argument more',
      buildCall({ func: fn(shop, 'buy', [...call.args, xdr.ScVal.scvVoid()]) }),
      'WRONG_ARGUMENTS',
    ],
    [
      'code to upload',
      buildCall({ func: xdr.HostFunction.hostFunctionTypeUploadContractWasm(Buffer.alloc(4)) }),
      'UNKNOWN_OPERATION',
    ],
    ['no authorization', buildCall({ auth: [] }), 'EXTRA_AUTHORIZATION'],
    ['two authorizations', buildCall({ auth: [entry(), entry()] }), 'EXTRA_AUTHORIZATION'],
    [
      'somebody else’s authorization',
      buildCall({ auth: [entry({ address: stranger.publicKey() })] }),
      'WRONG_ACCOUNT',
    ],
    [
      'a second one for an allowance',
      buildCall({ auth: [entry(), entry({ root: approve })] }),
      'EXTRA_AUTHORIZATION',
    ],
    ['an authorization of another call', buildCall({ auth: [entry({ root: approve })] }), 'WRONG_FUNCTION'],
    ['no transfer inside', buildCall({ auth: [root()] }), 'SUB_INVOCATION'],
    ['two transfers inside', buildCall({ auth: [root(transfer(), transfer())] }), 'SUB_INVOCATION'],
    [
      'a transfer inside the transfer',
      buildCall({ auth: [root(transfer(to, amount, [transfer()]))] }),
      'SUB_INVOCATION',
    ],
    ['another receiver inside', buildCall({ auth: [root(transfer(stranger.publicKey()))] }), 'WRONG_ACCOUNT'],
    ['a larger amount inside', buildCall({ auth: [root(transfer(to, amount + 1n))] }), 'WRONG_AMOUNT'],
    ['an allowance inside', buildCall({ auth: [root(approve)] }), 'WRONG_FUNCTION'],
    [
      'another network’s USDC inside',
      buildCall({ auth: [root(invocation(pubnet.usdc.contract, 'transfer', transferArgs()))] }),
      'WRONG_ASSET',
    ],
    ['an expired authorization', buildCall({ auth: [entry({ until: 1000 })] }), 'EXPIRED'],
    ['an authorization for long', buildCall({ auth: [entry({ until: 1721 })] }), 'EXPIRES_TOO_LATE'],
    ['another operation source', buildCall({ opSource: stranger.publicKey() }), 'WRONG_ACCOUNT'],
    ['a memo', buildCall({ memo: Memo.text('x') }), 'WRONG_MEMO'],
    ['a payment instead', build({ memo: Memo.none() }), 'UNEXPECTED_OPERATION'],
  ])('with %s is refused', (_, transaction, code) => {
    expect(codes(transaction, call)).toContain(code)
    expect(look(transaction, call).verdict).toBe('refuse')
  })
  test('a memo that was expected beside it, and is not there, is a danger', () => {
    expect(codes(buildCall(), { ...call, memo: 'pay_1' })).toEqual(['WRONG_MEMO'])
  })
  test('a call that spends nothing may have an authorization without calls inside, or none', () => {
    const { spends: _, ...free } = call
    expect(look(buildCall({ auth: [] }), free).verdict).toBe('ok')
    expect(look(buildCall({ auth: [root()] }), free).verdict).toBe('ok')
    expect(codes(buildCall({ auth: [root(transfer())] }), free)).toContain('SUB_INVOCATION')
  })
  test('an authorization alone, as entry and as preimage', async () => {
    const ask = (authEntry: string, expected: ExpectedTransaction | undefined = call) =>
      inspect({ authEntry }, { ...options, expected })
    expect(ask(entry().toXDR('base64'))).toMatchObject({
      kind: 'stellarAuthorization',
      verdict: 'ok',
      findings: [],
    })
    expect(inspect({ authEntry: entry().toXDR('base64') }, options).verdict).toBe('caution')
    let preimage: xdr.HashIdPreimage | undefined
    await authorizeInvocation(
      async (asked) => {
        preimage = asked
        return {
          signature: customer.sign((await import('@stellar/stellar-sdk')).hash(asked.toXDR())),
          publicKey: from,
        }
      },
      1060,
      entry().rootInvocation(),
      from,
      networkPassphrase,
    )
    expect(ask(preimage?.toXDR('base64') ?? '').verdict).toBe('ok')
    preimage?.sorobanAuthorization().networkId(Buffer.alloc(32))
    expect(ask(preimage?.toXDR('base64') ?? '').findings).toMatchObject([{ code: 'WRONG_NETWORK' }])
    expect(() => ask('AAAA')).toThrow(expect.objectContaining({ name: 'InvalidTransactionError' }))
    const foreign = await authorizeInvocation(
      stranger,
      1060,
      entry().rootInvocation(),
      undefined,
      networkPassphrase,
    )
    expect(ask(foreign.toXDR('base64')).findings.map((finding) => finding.code)).toContain('WRONG_ACCOUNT')
    // The right address with another key's signature, as the SDK lets pass.
    foreign.credentials().address().address(Address.fromString(from).toScAddress())
    expect(ask(foreign.toXDR('base64')).findings.map((finding) => finding.code)).toEqual([
      'FOREIGN_SIGNATURE',
    ])
    const own = await authorizeInvocation(
      customer,
      1060,
      entry().rootInvocation(),
      undefined,
      networkPassphrase,
    )
    expect(ask(own.toXDR('base64')).verdict).toBe('ok')
  })
})

describe('what is expected has to be meant', () => {
  test.each<[string, object, string, string]>([
    ['a number as amount', { amount: 25_000_000 }, 'InvalidAmountError', 'amount'],
    ['zero', { amount: 0n }, 'InvalidAmountError', 'amount'],
    ['a negative amount', { amount: -1n }, 'InvalidAmountError', 'amount'],
    ['more than 63 bits', { amount: 1n << 63n }, 'InvalidAmountError', 'amount'],
    ['a receiver that is none', { to: `${to.slice(0, -1)}A` }, 'InvalidAddressError', 'to'],
    ['a customer that is none', { from: shop }, 'InvalidAddressError', 'from'],
    [
      'a contract that is none',
      { kind: 'call', contract: to, functionName: 'buy', args: [] },
      'InvalidAddressError',
      'contract',
    ],
    ['another kind', { kind: 'swap' }, 'MissingExpectationError', 'expected'],
    ['no function', { kind: 'call', contract: shop, args: [] }, 'InvalidTransactionError', 'functionName'],
    [
      'text as arguments',
      { kind: 'call', contract: shop, functionName: 'buy', args: 'x' },
      'InvalidTransactionError',
      'args',
    ],
    [
      'nothing to spend',
      { kind: 'call', contract: shop, functionName: 'buy', args: [], spends: null },
      'InvalidAddressError',
      'to',
    ],
  ])('%s', (_, change, name, field) => {
    const expected = { ...payment, ...change } as ExpectedTransaction
    expect(() => look(build(), expected)).toThrow(expect.objectContaining({ name, field }))
  })
  test('USDC in the frame of a longer code is not read', () => {
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
  test('a memo that is no text is not the text that it looks like', () => {
    const memo = Memo.text(Buffer.from([0xff, 0xfe]) as never)
    expect(look(build({ memo }), { ...payment, memo: '\ufffd\ufffd' }).verdict).toBe('refuse')
  })
  test('a customer who would pay the fee in the place of the sponsor is told', () => {
    const own = build({ source: from, operations: [pay({ source: undefined as never })] })
    const findings = [expect.objectContaining({ code: 'CUSTOMER_PAYS_FEE' })]
    expect(look(own)).toMatchObject({ verdict: 'refuse', findings })
    expect(look(own, { ...payment, sponsorAs: 'source' })).toMatchObject({ verdict: 'refuse', findings })
    expect(look(own, { ...payment, sponsorAs: 'feeBump' })).toMatchObject({ verdict: 'caution', findings })
    const { sponsor: _sponsor, ...alone } = payment
    expect(look(own, alone).verdict).toBe('ok')
  })
  test('accounts and arguments that are none', () => {
    const signed = build()
    signed.sign(stranger)
    const request = { transaction: signed.toXDR() }
    for (const address of ['GABC', undefined, 5])
      expect(() => inspect(request, { ...options, address: address as never })).toThrow(
        expect.objectContaining({ name: 'InvalidAddressError', field: 'address' }),
      )
    for (const field of ['from', 'sponsor'])
      expect(() => inspect(request, { ...options, expected: { ...call, [field]: 'GABC' } })).toThrow(
        expect.objectContaining({ name: 'InvalidAddressError', field }),
      )
    for (const arg of [1, null, 'AAAA', '!'])
      expect(() => inspect(request, { ...options, expected: { ...call, args: [arg as never] } })).toThrow(
        expect.objectContaining({ name: 'InvalidTransactionError', field: 'args[0]' }),
      )
  })
  test('an envelope of before 2020 is not read', () => {
    const { v1 } = { v1: build().toEnvelope().v1().tx() }
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

describe('parsing', () => {
  test('10,000 texts: an inspection or a typed error, nothing else', () => {
    const good = [build().toXDR(), buildCall().toXDR(), entry().toXDR('base64')]
    const input = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc
        .tuple(fc.constantFrom(...good), fc.nat(), fc.integer({ min: 1, max: 255 }))
        .map(([text, at, flip]) => {
          const bytes = Buffer.from(text, 'base64')
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip
          return bytes.toString('base64')
        }),
    )
    fc.assert(
      fc.property(input, fc.constantFrom('transaction', 'authEntry'), (text, kind) => {
        try {
          const request = kind === 'transaction' ? { transaction: text } : { authEntry: text }
          expect(inspect(request, { ...options, expected: call }).verdict).toMatch(/ok|caution|refuse/)
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: 10_000 },
    )
  })
  test('a sign-in is inspected too', () => {
    const domains = ['shop.example']
    const message = `shop.example wants you to sign in with your Stellar account:\n${from}\n\nURI: https://shop.example\nVersion: 1\nNetwork: testnet\nNonce: 12345678\nIssued At: 2026-11-20T18:00:00Z\nExpiration Time: 2026-11-20T19:00:00Z`
    expect(inspect({ message }, { ...options, domains })).toMatchObject({
      kind: 'signIn',
      verdict: 'ok',
    })
    expect(inspect({ message }, options).verdict).toBe('refuse')
  })
})
