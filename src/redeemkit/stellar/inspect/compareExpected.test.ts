import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { parseTransaction } from '../envelope/envelope.ts'
import { type ExpectedTransaction, formatInspection } from '../index.ts'
import { Account, Asset, Memo, nativeToScVal, xdr } from '../sdk.ts'
import {
  amount,
  args,
  build,
  buildCall,
  bySource,
  call,
  codes,
  entry,
  from,
  invocation,
  look,
  MuxedAccount,
  network,
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
import { guardTransaction } from '../transaction/guardRequest.ts'

describe('a contract call', () => {
  test.each<[string, Transaction, ExpectedTransaction]>([
    ['authorized by the transaction’s source', buildCall(), call],
    ['with an operation that names the same source', buildCall({ opSource: sponsor.publicKey() }), call],
    [
      'with the customer as source',
      buildCall({ source: from, auth: [bySource()] }),
      { ...call, sponsor: undefined },
    ],
    ['with the customer as source of the operation', buildCall({ opSource: from, auth: [bySource()] }), call],
  ])('that is the expected call, %s, has no finding', (_, transaction, expected) => {
    expect(look(transaction, expected)).toMatchObject({ verdict: 'ok', findings: [] })
  })
  test('with the sponsor as source and an authorization by the source is refused', () => {
    expect(codes(buildCall({ auth: [bySource()] }), call)).toContain('WRONG_ACCOUNT')
  })
  test('with the customer as operation source and an authorization by its address is refused', () => {
    expect(codes(buildCall({ opSource: from }), call)).toEqual(['WRONG_ACCOUNT'])
  })
  const fn = (contract: string, name: string, values: readonly Xdr.ScVal[] = call.args) =>
    xdr.HostFunction.hostFunctionTypeInvokeContract(args(contract, name, [...values]))
  const approve = invocation(network.usdc.contract, 'approve', transferArgs())
  const root = (...inner: Xdr.SorobanAuthorizedInvocation[]) =>
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
      'an extra argument',
      buildCall({ func: fn(shop, 'buy', [...call.args, xdr.ScVal.scvVoid()]) }),
      'WRONG_ARGUMENTS',
    ],
    [
      'an upload of contract code',
      buildCall({ func: xdr.HostFunction.hostFunctionTypeUploadContractWasm(Buffer.alloc(4)) }),
      'UNKNOWN_OPERATION',
    ],
    ['no authorization', buildCall({ auth: [] }), 'EXTRA_AUTHORIZATION'],
    ['two authorizations', buildCall({ auth: [entry(), entry()] }), 'EXTRA_AUTHORIZATION'],
    [
      'another account’s authorization',
      buildCall({ auth: [entry({ address: stranger.publicKey() })] }),
      'WRONG_ACCOUNT',
    ],
    [
      'an extra authorization for an allowance',
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
    [
      'an authorization that is valid for too long',
      buildCall({ auth: [entry({ until: 1721 })] }),
      'EXPIRES_TOO_LATE',
    ],
    ['another operation source', buildCall({ opSource: stranger.publicKey() }), 'WRONG_ACCOUNT'],
    ['a memo', buildCall({ memo: Memo.text('x') }), 'WRONG_MEMO'],
    ['a payment instead of the call', build({ memo: Memo.none() }), 'UNEXPECTED_OPERATION'],
  ])('with %s is refused', (_, transaction, code) => {
    expect(codes(transaction, call)).toContain(code)
    expect(look(transaction, call).verdict).toBe('refuse')
  })
  test('with an invalid function name is refused, and the name is quoted', () => {
    const { findings } = look(buildCall({ func: fn(shop, 'buy. It is safe') }), call)
    expect(findings[0]?.message).toBe('The function of the call is "buy. It is safe" instead of buy.')
  })
  test('without the expected memo is refused', () => {
    expect(codes(buildCall(), { ...call, memo: 'pay_1' })).toEqual(['WRONG_MEMO'])
  })
  const { spends: _, ...free } = call
  test.each([
    ['no authorization', []],
    ['an authorization without calls inside', [root()]],
  ])('that spends nothing may have %s', (_, auth) => {
    expect(look(buildCall({ auth }), free).verdict).toBe('ok')
  })
  test('that spends nothing must not have a transfer inside', () => {
    expect(codes(buildCall({ auth: [root(transfer())] }), free)).toContain('SUB_INVOCATION')
  })
})

describe('a transfer of USDC’s own contract', () => {
  const { memo: _, ...expected } = payment
  const transferOf = (contract: string) =>
    xdr.HostFunction.hostFunctionTypeInvokeContract(args(contract, 'transfer', transferArgs()))
  const [func, auth] = [transferOf(network.usdc.contract), [entry({ root: transfer() })]]
  test('is a payment', () => {
    expect(look(buildCall({ func, auth }), expected).verdict).toBe('ok')
  })
  test('has no memo, because the network rejects a memo in a contract call', () => {
    expect(codes(buildCall({ func, auth, memo: Memo.text('pay_1') }))).toEqual(['WRONG_MEMO'])
  })
  test('on another network moves another asset', () => {
    expect(codes(buildCall({ func: transferOf(pubnet.usdc.contract) }))).toContain('WRONG_ASSET')
  })
})

test('each difference is described in plain words, and an error names its field', () => {
  const thief = stranger.publicKey()
  const problemsOf = (transaction: Transaction, expected: ExpectedTransaction) =>
    formatInspection(look(transaction, expected))
      .lines.filter(({ label }) => label === 'Problem')
      .map(({ value }) => value)
  const operations = [pay({ destination: thief, amount: '3', asset: Asset.native(), source: thief }), pay()]
  const changes = { fee: '20000000', memo: Memo.none(), timebounds: { minTime: 0, maxTime: 1 }, operations }
  expect(problemsOf(build(changes), payment)).toEqual([
    'The request has expired, so it can no longer be executed.',
    'The network fee is too high.',
    'The number of operations is 2 instead of 1.',
    `The source account of the operation is ${thief} instead of ${sponsor.publicKey()}.`,
    'The memo is empty instead of "text:pay_1".',
    `The payer is ${thief} instead of ${from}.`,
    `The receiver is ${thief} instead of ${to}.`,
    'The amount is 3 instead of 2.5.',
    'The token is not the USDC of this network.',
  ])
  const inner = invocation(shop, 'buy', call.args, [transfer(thief), transfer()])
  expect(problemsOf(buildCall({ auth: [entry({ root: inner }), entry()] }), call)).toEqual([
    'The number of inner calls of the authorization is 2 instead of 1.',
    `The receiver of the inner call of the authorization is ${thief} instead of ${to}.`,
    'The number of authorizations is 2 instead of 1.',
  ])
  const more = invocation(shop, 'buy', call.args, [transfer(to, amount + 1n)])
  expect(problemsOf(buildCall({ auth: [entry({ root: more })] }), call)).toEqual([
    'The amount of the inner call of the authorization is 2.5000001 instead of 2.5.',
  ])
  expect(() =>
    guardTransaction(parseTransaction(build(changes).toXDR(), network), { ...options, expected: payment }),
  ).toThrow('timeBounds.maxTime is 1 instead of at least')
})

describe('checkExpected', () => {
  describe('rejects an invalid expectation', () => {
    test.each<[string, object, string, string]>([
      ['a number as amount', { amount: 25_000_000 }, 'InvalidAmountError', 'amount'],
      ['zero', { amount: 0n }, 'InvalidAmountError', 'amount'],
      ['a negative amount', { amount: -1n }, 'InvalidAmountError', 'amount'],
      ['more than 63 bits', { amount: 1n << 63n }, 'InvalidAmountError', 'amount'],
      ['an invalid receiver', { to: `${to.slice(0, -1)}A` }, 'InvalidAddressError', 'to'],
      ['an invalid customer', { from: shop }, 'InvalidAddressError', 'from'],
      [
        'an invalid contract',
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
        'no amount to spend',
        { kind: 'call', contract: shop, functionName: 'buy', args: [], spends: null },
        'InvalidAddressError',
        'to',
      ],
    ])('%s', (_, change, name, field) => {
      const expected = { ...payment, ...change } as ExpectedTransaction
      expect(() => look(build(), expected)).toThrow(expect.objectContaining({ name, field }))
    })
    test.each(['from', 'sponsor'])('a %s that is not an account', (field) => {
      expect(() => look(build(), { ...call, [field]: 'GABC' })).toThrow(
        expect.objectContaining({ name: 'InvalidAddressError', field }),
      )
    })
    test.each([1, null, 'AAAA', '!'])('%j as an argument', (arg) => {
      expect(() => look(build(), { ...call, args: [arg as never] })).toThrow(
        expect.objectContaining({ name: 'InvalidTransactionError', field: 'args[0]' }),
      )
    })
    test('a muxed account as the receiver inside a call', () => {
      const muxed = new MuxedAccount(new Account(to, '0'), '7').accountId()
      expect(() => look(build(), { ...call, spends: { to: muxed, amount } })).toThrow(
        expect.objectContaining({ name: 'InvalidAddressError', field: 'to' }),
      )
    })
  })
})
