import { describe, expect, test } from 'vitest'
import type { ExpectedTransaction } from './index.ts'
import { Account } from './sdk.ts'
import { amount, build, call, look, MuxedAccount, payment, shop, to } from './stellar.fixture.ts'

describe('rejects an expectation that cannot be meant', () => {
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
      'nothing to spend',
      { kind: 'call', contract: shop, functionName: 'buy', args: [], spends: null },
      'InvalidAddressError',
      'to',
    ],
  ])('%s', (_, change, name, field) => {
    const expected = { ...payment, ...change } as ExpectedTransaction
    expect(() => look(build(), expected)).toThrow(expect.objectContaining({ name, field }))
  })
  test.each(['from', 'sponsor'])('a %s that is no account', (field) => {
    expect(() => look(build(), { ...call, [field]: 'GABC' })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError', field }),
    )
  })
  test.each([1, null, 'AAAA', '!'])('%j as an argument', (arg) => {
    expect(() => look(build(), { ...call, args: [arg as never] })).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'args[0]' }),
    )
  })
  test('an account with a number as the receiver inside a call', () => {
    const muxed = new MuxedAccount(new Account(to, '0'), '7').accountId()
    expect(() => look(build(), { ...call, spends: { to: muxed, amount } })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError', field: 'to' }),
    )
  })
})
