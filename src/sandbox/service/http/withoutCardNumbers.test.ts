import { expect, test } from 'vitest'
import { describeError } from './describeError.ts'
import { problem } from './problem.ts'
import { withoutCardNumbers } from './withoutCardNumbers.ts'

const shown = (text: string) =>
  describeError(withoutCardNumbers(problem('VERIFICATION_REQUIRED', text, { details: { text } })))

// Each has the digits of a card number in it, by chance.
test.each([
  'http://127.0.0.1:4242/sandbox/verifications/ver_58408933-0659-431d-819f-11aa8fb637db',
  'There is no payment "pay_58408933-0659-431d-819f-11aa8fb637db".',
  `0xab4111111111111111${'c'.repeat(46)}`,
  `0x4111111111111111${'c'.repeat(24)}`,
  // What a contract's Error(string) begins with.
  `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
])('%s stays', (text) => {
  expect(shown(text)).toMatchObject({ message: text, details: { text } })
})

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  'ver_4111111111111111',
  '0x4111111111111111',
  'aa4111111111111111bb',
  '58408933-0659-431',
])('%s does not', (text) => {
  const { message, details } = shown(text)
  expect(message).toContain('[card number]')
  expect(JSON.stringify({ message, details })).not.toMatch(/1111|8933/)
})

test('nor one deep in the details', () => {
  const details = { findings: [{ message: 'it says 4111111111111111' }] }
  expect(describeError(withoutCardNumbers(problem('SIMULATION_FAILED', 'no', { details })))).toMatchObject({
    details: { findings: [{ message: 'it says [card number]' }] },
  })
})
