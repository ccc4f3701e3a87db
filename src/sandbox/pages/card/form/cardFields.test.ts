import { describe, expect, test } from 'vitest'
import { cardOf, findProblems, formatCvv, formatExpiry, formatNumber } from './cardFields.ts'

const now = Date.parse('2026-05-15T12:00:00Z')
const good = {
  email: 'a@example.org',
  number: '4000 0099 0000 0012',
  expiry: '12 / 30',
  cvv: '123',
  name: 'Alice',
}
const problems = (changes: Partial<typeof good>, asksEmail = true) =>
  findProblems({ ...good, ...changes }, { now, asksEmail })

test.each([
  ['4000009900000012', '4000 0099 0000 0012'],
  ['4000-0099 0000', '4000 0099 0000'],
  ['371449635398431', '3714 496353 98431'],
  ['4000009900000012345', '4000 0099 0000 0012 345'],
  ['x4y', '4'],
  ['', ''],
])('formats the number %j as %j', (typed, shown) => expect(formatNumber(typed)).toBe(shown))

test.each([
  ['1', '1'],
  ['12', '12'],
  ['123', '12 / 3'],
  ['1230', '12 / 30'],
  ['12/', '12 / '],
  ['12/30', '12 / 30'],
  ['12/2030', '12 / 30'],
  ['2030-12', '12 / 30'],
  ['9', '09'],
  ['1/30', '01 / 30'],
  ['122030', '12 / 30'],
  ['', ''],
])('formats the expiry %j as %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))

test('limits the security code to four digits', () => expect(formatCvv('12 345')).toBe('1234'))

test('converts the input to the service’s format', () => {
  expect(cardOf(good)).toEqual({ number: '4000009900000012', expMonth: '12', expYear: '30', cvv: '123' })
})

describe('validation', () => {
  test('accepts valid input', () => expect(problems({})).toEqual({}))
  test('reports every empty field', () => {
    expect(problems({ email: '', number: '', expiry: '', cvv: '', name: ' ' })).toEqual({
      email: 'emailMissing',
      number: 'numberMissing',
      expiry: 'expiryMissing',
      cvv: 'cvvMissing',
      name: 'nameMissing',
    })
  })
  test.each([
    [{ email: 'a@b' }, { email: 'emailWrong' }],
    [{ number: '4000 0099 0000 0013' }, { number: 'numberWrong' }],
    [{ number: '4000' }, { number: 'numberWrong' }],
    [{ expiry: '13 / 30' }, { expiry: 'expiryWrong' }],
    [{ expiry: '00 / 30' }, { expiry: 'expiryWrong' }],
    [{ expiry: '12' }, { expiry: 'expiryWrong' }],
    [{ expiry: '04 / 26' }, { expiry: 'expiryPast' }],
    [{ expiry: '05 / 26' }, {}],
    [{ cvv: '12' }, { cvv: 'cvvWrong' }],
    [{ cvv: '1234' }, {}],
    [{ number: '371449635398431', cvv: '123' }, { cvv: 'cvvWrong' }],
    [{ number: '371449635398431', cvv: '1234' }, {}],
  ])('%o', (changes, found) => expect(problems(changes)).toEqual(found))
  test('requires no email address if it is known', () => expect(problems({ email: '' }, false)).toEqual({}))
})
