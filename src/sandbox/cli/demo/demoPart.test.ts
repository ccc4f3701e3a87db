import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { tableText } from './demoPart.ts'

const rows = [
  [
    'client',
    `service changes: usdcAuthorization.domain.verifyingContract\nNotUsdcError: The domain's verifyingContract is "0x000000…dEaD", and USDC on chain 84532 has "0x036CbD…CF7e".`,
  ],
  ['contract', 'the same permit replayed\nOrderUsed: wallet 0x556B62…98BE, state 1'],
] as const

const linesOf = (columns: number) =>
  stripVTControlCharacters(tableText({ head: ['rejected by', 'attack'], rows }, columns)).split('\n')

test.each([100, 120, 400])('a table fits in %i columns without splitting a word', (columns) => {
  const lines = linesOf(columns)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  const words = new Set(lines.join(' ').split(/[│\s]+/))
  for (const word of rows.flat().join(' ').split(/\s/)) expect(words).toContain(word)
})

test('a table wraps only if necessary', () => {
  expect(linesOf(400)).toHaveLength(7)
  expect(linesOf(100).length).toBeGreaterThan(7)
})
