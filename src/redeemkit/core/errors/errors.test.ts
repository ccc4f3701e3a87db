import { describe, expect, test } from 'vitest'
import { chainFamily, UnsupportedBlockchainError } from '../blockchains.ts'
import { verdictOf } from '../finding/finding.ts'
import { BaseError } from './baseError.ts'
import { InvalidOptionError } from './inputErrors.ts'
import { showValue } from './showValue.ts'
import { isWireErrorCode, wireErrors } from './wireErrors.ts'

describe('BaseError', () => {
  test('shows the failure, the field, the fix, and the specification', () => {
    const error = new BaseError('It failed.', { field: 'a.b', fix: 'Do this.', source: 'EIP-712' })
    expect(error.message).toBe('It failed.\nField: a.b\nWhat to do: Do this.\nSee: EIP-712')
    expect(error.shortMessage).toBe('It failed.')
  })

  test('walk returns the first matching cause, or the root cause', () => {
    const root = new InvalidOptionError('root')
    const error = new BaseError('outer', { cause: new BaseError('inner', { cause: root }) })
    expect(error.walk()).toBe(root)
    expect(error.walk((cause) => cause instanceof InvalidOptionError)).toBe(root)
    expect(error.walk((cause) => cause instanceof RangeError)).toBeUndefined()
  })
})

describe('showValue', () => {
  test.each([
    [12n, '12'],
    ['a', '"a"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[1, 2], 'a list of length 2'],
    [{}, 'an object'],
    [1.5, '1.5'],
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
  ])('%s', (value, shown) => {
    expect(showValue(value)).toBe(shown)
  })
})

test('shows an object that throws when inspected', () => {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  expect(showValue(proxy)).toBe('an object')
  expect(showValue(Object.assign(new Error('x'), { name: {} }))).toBe('an object')
})

test('every wire error has a unique name and an error status', () => {
  const rows = Object.values(wireErrors)
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length)
  for (const row of rows) expect(row.status).toBeGreaterThanOrEqual(400)
  expect(isWireErrorCode('UNKNOWN_NONCE')).toBe(true)
  expect(isWireErrorCode('toString')).toBe(false)
})

test('chainFamily returns the family of a chain', () => {
  expect(chainFamily('tempo')).toBe('evm')
  expect(chainFamily('solana')).toBe('solana')
  expect(() => chainFamily('user')).toThrow(UnsupportedBlockchainError)
  expect(() => chainFamily('bitcoin')).toThrow('"bitcoin" is not known')
})

test('verdictOf returns refuse for a danger and caution for a warning', () => {
  const finding = (severity: 'info' | 'warning' | 'danger') => ({
    severity,
    code: 'EXPIRED' as const,
    message: 'x',
  })
  expect(verdictOf([])).toBe('ok')
  expect(verdictOf([finding('info')])).toBe('ok')
  expect(verdictOf([finding('info'), finding('warning')])).toBe('caution')
  expect(verdictOf([finding('danger'), finding('warning')])).toBe('refuse')
})
