import { expect, test } from 'vitest'
import { lastCheck } from './lastCheck.ts'

const account = '3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const call = { from: '0x', to: '0x', data: '0x', gas: 1n, blockNumber: 1n, overrides: {} } as const
const checked = (answer: unknown) => lastCheck({ request: async () => answer }, { call, depth: 1 })
const compare = (...words: string[]) => ({ op: 0x10, words })

test.each<[string, object[], string | undefined]>([
  ['two numbers', [compare('a', '14')], 'after it compared 10 with 20'],
  ['the last of two', [compare('1', '2'), compare('a', '14')], 'after it compared 10 with 20'],
  [
    'an address and a hash',
    [compare(account, `ab${'0'.repeat(62)}`)],
    'after it compared 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC with 0xab000000…',
  ],
  [
    'the time',
    [{ op: 0x42, words: ['a'] }, compare('a', '14')],
    'after it compared 10, the time of the block, with 20',
  ],
  [
    'the size of the call data',
    [{ op: 0x36, words: ['24'] }, compare('20', '40')],
    'because the call data is too short for its arguments',
  ],
  ['storage', [{ op: 0x54, words: ['7', '0'] }], 'after it read 0 from its storage'],
  [
    'storage of an account',
    [
      { op: 0x20, words: [], data: `0x${account.padStart(64, '0')}${'3'.padStart(64, '0')}` },
      { op: 0x54, words: ['7', '1'] },
    ],
    'after it read 1 from its storage, stored for 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ],
  ['nothing', [{ op: 0x20, words: [], data: '0x' }], undefined],
  ['what is no number', [compare('x', 'y')], undefined],
])('a contract that checks %s', async (_, steps, text) => {
  expect(await checked({ 2: steps })).toBe(text)
})

test('the steps of another call say nothing', async () => {
  expect(await checked({ 1: [compare('a', '14')], 3: [compare('a', '14')] })).toBeUndefined()
  expect(await checked(null)).toBeUndefined()
})
