import { describe, expect, test } from 'vitest'
import { Memo } from '../sdk.ts'
import { build, codes, look, payment } from '../stellar.fixture.ts'

describe('a memo', () => {
  const bytes = (hex: string) => Memo.text(Buffer.from(hex, 'hex') as never)
  test('of bytes is not the text that spells them', () => {
    expect(codes(build({ memo: bytes('deadbeef') }), { ...payment, memo: 'deadbeef' })).toEqual([
      'WRONG_MEMO',
    ])
  })
  test('of text is the text that was expected', () => {
    expect(codes(build({ memo: Memo.text('deadbeef') }), { ...payment, memo: 'deadbeef' })).toEqual([])
  })
  test('of bytes that are not text differs from the text that it looks like', () => {
    expect(look(build({ memo: bytes('fffe') }), { ...payment, memo: '\ufffd\ufffd' }).verdict).toBe('refuse')
  })
  test('of type return is not one of type hash', () => {
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
})

describe.each([
  { type: 'id', value: '18446744073709551615' },
  { type: 'hash', value: 'ab'.repeat(32) },
  { type: 'text', value: 'pay_1' },
] as const)('a memo of type $type', (memo) => {
  const { type, value } = memo
  const own = build({ memo: Memo[type](value) })
  test('is itself', () => {
    expect(codes(own, { ...payment, memo })).toEqual([])
  })
  test('is not the text of type and value', () => {
    expect(codes(own, { ...payment, memo: `${type}:${value}`.slice(0, 28) })).toEqual(['WRONG_MEMO'])
  })
  test('is not no memo', () => {
    expect(codes(build({ memo: Memo.none() }), { ...payment, memo })).toEqual(['WRONG_MEMO'])
  })
})

test.each([
  { type: 'id', value: '18446744073709551615' },
  { type: 'hash', value: 'ab'.repeat(32) },
] as const)('a memo of type $type is not the text of its value', (memo) => {
  const text = build({ memo: Memo.text(memo.value.slice(0, 28)) })
  expect(codes(text, { ...payment, memo })).toEqual(['WRONG_MEMO'])
})
