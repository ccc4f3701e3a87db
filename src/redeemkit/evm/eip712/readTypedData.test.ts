import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { duplicateKey } from './readTypedData.ts'

test('JSON that was written from an object has no key twice', () => {
  fc.assert(
    fc.property(fc.json(), (text) => duplicateKey(JSON.stringify(JSON.parse(text))) === undefined),
    { numRuns: inject('generatedInputs') },
  )
})

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['[{"b":{"a":1,"c":[],"a":{}}}]', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a\\"":1,"b":"\\\\","a\\"":2}', 'a"'],
])('%s has %s twice', (text, key) => {
  expect(duplicateKey(text)).toBe(key)
})

test.each([
  '{"a":{"a":1},"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":"\\"a\\":"}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '"a"',
])('%s has none', (text) => {
  expect(duplicateKey(text)).toBeUndefined()
})

test('a long text is read in one go', () => {
  expect(duplicateKey(`{"a":"${'x\\\\'.repeat(500_000)}"${',"b":[{}]'.repeat(2)}}`)).toBe('b')
})
