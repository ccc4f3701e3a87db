import {
  Account,
  Address,
  Asset,
  authorizeInvocation,
  Claimant,
  Keypair,
  Memo,
  MuxedAccount,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import fc from 'fast-check'
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

const network = networkOf('sandbox')
const pubnet = networkOf('prod')
const { networkPassphrase } = network
const usdc = new Asset('USDC', network.usdc.issuer)
const [customer, merchant, sponsor, stranger] = [1, 2, 3, 4].map((byte) =>
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte)),
) as [Keypair, Keypair, Keypair, Keypair]
const now = () => Date.parse('2026-11-20T18:00:00Z')
const seconds = now() / 1000
const shop = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'
const amount = 25_000_000n
const from = customer.publicKey()
const to = merchant.publicKey()
const options = { environment: 'sandbox', address: from, now, latestLedger: 1000 } as const

const payment = { kind: 'payment', from, to, amount, sponsor: sponsor.publicKey(), memo: 'pay_1' } as const
const call = {
  kind: 'call',
  from,
  sponsor: sponsor.publicKey(),
  contract: shop,
  functionName: 'buy',
  args: [nativeToScVal(from, { type: 'address' }), nativeToScVal(amount, { type: 'i128' })],
  spends: { to, amount },
} as const satisfies ExpectedTransaction

type Build = {
  source?: string
  operations?: xdr.Operation[]
  memo?: Memo
  passphrase?: string
  fee?: string
  timebounds?: { minTime: number; maxTime: number }
  prepare?: (builder: TransactionBuilder) => void
}
function build(changes: Build = {}): Transaction {
  const builder = new TransactionBuilder(new Account(changes.source ?? sponsor.publicKey(), '41'), {
    fee: changes.fee ?? '100',
    networkPassphrase: changes.passphrase ?? networkPassphrase,
    memo: changes.memo ?? Memo.text('pay_1'),
    timebounds: changes.timebounds ?? { minTime: 0, maxTime: seconds + 300 },
  })
  for (const operation of changes.operations ?? [pay()]) builder.addOperation(operation)
  changes.prepare?.(builder)
  return builder.build()
}
const pay = (changes: Partial<Parameters<typeof Operation.payment>[0]> = {}) =>
  Operation.payment({ destination: to, asset: usdc, amount: '2.5', source: from, ...changes })

const args = (contract: string, name: string, values: xdr.ScVal[]) =>
  new xdr.InvokeContractArgs({
    contractAddress: Address.fromString(contract).toScAddress(),
    functionName: name,
    args: values,
  })
const invocation = (
  contract: string,
  name: string,
  values: readonly xdr.ScVal[],
  subInvocations: xdr.SorobanAuthorizedInvocation[] = [],
) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      args(contract, name, [...values]),
    ),
    subInvocations,
  })
const transferArgs = (receiver = to, value = amount, sender = from) => [
  nativeToScVal(sender, { type: 'address' }),
  nativeToScVal(receiver, { type: 'address' }),
  nativeToScVal(value, { type: 'i128' }),
]
const transfer = (receiver = to, value = amount, inner: xdr.SorobanAuthorizedInvocation[] = []) =>
  invocation(network.usdc.contract, 'transfer', transferArgs(receiver, value), inner)
function entry(changes: { root?: xdr.SorobanAuthorizedInvocation; address?: string; until?: number } = {}) {
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: Address.fromString(changes.address ?? from).toScAddress(),
        nonce: new xdr.Int64(77n),
        signatureExpirationLedger: changes.until ?? 1060,
        signature: xdr.ScVal.scvVoid(),
      }),
    ),
    rootInvocation: changes.root ?? invocation(shop, 'buy', call.args, [transfer()]),
  })
}
function buildCall(
  changes: Build & {
    auth?: xdr.SorobanAuthorizationEntry[]
    func?: xdr.HostFunction
    opSource?: string
  } = {},
): Transaction {
  const func =
    changes.func ?? xdr.HostFunction.hostFunctionTypeInvokeContract(args(shop, 'buy', [...call.args]))
  return build({
    memo: Memo.none(),
    fee: '60000',
    operations: [
      Operation.invokeHostFunction({
        func,
        auth: changes.auth ?? [entry()],
        ...(changes.opSource === undefined ? {} : { source: changes.opSource }),
      }),
    ],
    prepare: (builder) => builder.setSorobanData(new SorobanDataBuilder().setResourceFee(50_000).build()),
    ...changes,
  })
}
const look = (transaction: { toXDR: () => string }, expected: ExpectedTransaction = payment) =>
  inspect({ transaction: transaction.toXDR() }, { ...options, expected })
const codes = (transaction: { toXDR: () => string }, expected: ExpectedTransaction = payment) =>
  look(transaction, expected).findings.map((finding) => finding.code)

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
    ['another memo', build({ memo: Memo.text('pay_2') }), 'UNEXPECTED_MEMO'],
    ['no memo', build({ memo: Memo.none() }), 'UNEXPECTED_MEMO'],
    ['a memo of another type', build({ memo: Memo.hash(Buffer.alloc(32)) }), 'UNEXPECTED_MEMO'],
    ['no time limit', build({ timebounds: { minTime: 0, maxTime: 0 } }), 'NO_TIME_LIMIT'],
    ['a past time limit', build({ timebounds: { minTime: 0, maxTime: seconds - 1 } }), 'EXPIRED'],
    ['a far time limit', build({ timebounds: { minTime: 0, maxTime: seconds + 3601 } }), 'LONG_TIME_LIMIT'],
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
    ['a large fee', build({ fee: '10000001' }), 'HIGH_FEE'],
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
    expect([at(seconds + 3600), at(seconds + 3601)]).toEqual([[], ['LONG_TIME_LIMIT']])
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
    expect(codes(withMemo)).toEqual(['UNEXPECTED_MEMO'])
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
    ['an authorization for long', buildCall({ auth: [entry({ until: 1721 })] }), 'LONG_TIME_LIMIT'],
    ['another operation source', buildCall({ opSource: stranger.publicKey() }), 'WRONG_ACCOUNT'],
    ['a memo', buildCall({ memo: Memo.text('x') }), 'UNEXPECTED_MEMO'],
    ['a payment instead', build({ memo: Memo.none() }), 'UNEXPECTED_OPERATION'],
  ])('with %s is refused', (_, transaction, code) => {
    expect(codes(transaction, call)).toContain(code)
    expect(look(transaction, call).verdict).toBe('refuse')
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
      'WrongAccountError',
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
      await expect(signTransaction(forbidden, request)).rejects.toMatchObject({ name: 'WrongAccountError' })
      await expect(feeBump(forbidden, request)).rejects.toMatchObject({ name: 'WrongAccountError' })
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
        ).rejects.toMatchObject({ name: 'WrongAccountError' })
      }
    }
  })
  test('a memo of bytes is not the text that spells them', () => {
    const memo = Memo.text(Buffer.from('deadbeef', 'hex') as never)
    expect(codes(build({ memo }), { ...payment, memo: 'deadbeef' })).toEqual(['UNEXPECTED_MEMO'])
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
    expect(codes(own, { ...payment, memo: `${type}:${value}`.slice(0, 28) })).toEqual(['UNEXPECTED_MEMO'])
    expect(codes(build({ memo: Memo.none() }), { ...payment, memo })).toEqual(['UNEXPECTED_MEMO'])
    if (type !== 'text')
      expect(codes(build({ memo: Memo.text(value.slice(0, 28)) }), { ...payment, memo })).toEqual([
        'UNEXPECTED_MEMO',
      ])
  })
  test('a memo of type return is not one of type hash', () => {
    const memo = { type: 'hash', value: 'ab'.repeat(32) } as const
    expect(codes(build({ memo: Memo.return(memo.value) }), { ...payment, memo })).toEqual(['UNEXPECTED_MEMO'])
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
    await expect(signAuthEntry(stranger, asked)).rejects.toMatchObject({ name: 'WrongAccountError' })
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
    ['another receiver', transfer(stranger.publicKey()), 'WrongAccountError'],
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
    ).rejects.toMatchObject({ name: 'WrongAccountError' })
    await expect(
      signAuthEntry(
        { ...wallet, signAuthEntry: async () => ({ signedAuthEntry: stranger.sign(Buffer.alloc(32)) }) },
        { ...options, validUntilLedger: 1060 },
      ),
    ).rejects.toMatchObject({ name: 'WrongSignerError' })
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
    ).rejects.toMatchObject({ name: 'WrongAccountError' })
  })
  test('a customer who would pay the fee in the place of the sponsor is not asked to sign', async () => {
    const own = build({ source: from, operations: [pay({ source: undefined as never })] })
    await expect(
      signTransaction(customer, { ...base, transaction: own.toXDR(), expected: payment }),
    ).rejects.toMatchObject({ name: 'WrongAccountError' })
  })
  test('a fee bump wants the customer’s signature on this network', async () => {
    const own = build({ source: from, operations: [pay()] })
    const options = { ...base, expected: payment }
    await expect(feeBump(sponsor, { ...options, transaction: own.toXDR() })).rejects.toMatchObject({
      name: 'WrongSignerError',
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
      name: 'WrongAccountError',
    })
    await expect(
      feeBump(sponsor, { ...options, transaction: own.toXDR(), baseFee: 10_000_000n }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError' })
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
