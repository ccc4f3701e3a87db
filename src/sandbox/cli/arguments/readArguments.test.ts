import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { parseSignature } from '../../parseSelector.ts'
import { InvalidArgumentsError, readArguments } from './readArguments.ts'

const alice: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const options = { accounts: { alice, bob }, field: '--args' }
const read = (signature: string, ...texts: string[]) =>
  readArguments(parseSignature(signature, '--sig'), texts, options)

test('parses each argument as a value of its type', () => {
  expect(read('f(address,uint256,int8,bool,string,bytes,bytes4)', ...typed)).toEqual([
    bob,
    10_000_000n,
    -128n,
    true,
    ' two words',
    '0x',
    '0xcce7ec13',
  ])
})
const typed = [bob.toLowerCase(), '10000000', '-128', 'true', ' two words', '0x', '0xcce7ec13']

test('accepts a test account’s name as an address, even in a list', () => {
  expect(read('f(address,address[])', 'alice', '["bob", "alice"]')).toEqual([alice, [bob, alice]])
})

test('accepts a tuple as a list, or as an object with names', () => {
  expect(read('f((address,uint256))', '["alice", "7"]')).toEqual([[alice, 7n]])
  const named = 'f((address to, uint256[2] pair)[] orders)'
  const values = [[{ to: alice, pair: [1n, 2n] }]]
  expect(read(named, '[{"pair": [1, "2"], "to": "alice"}]')).toEqual(values)
  expect(read(named, '[["alice", [1, 2]]]')).toEqual(values)
})

test('returns arguments that viem encodes', () => {
  const called = parseSignature('f((address to, (uint8 a, bytes b) inner) order, string[] words)', '--sig')
  const args = readArguments(called, ['["alice", [255, "0x00ff"]]', '["x", ""]'], options)
  const data = encodeFunctionData({ abi: [called], args })
  expect(decodeFunctionData({ abi: [called], data }).args).toEqual([
    { to: alice, inner: { a: 255, b: '0x00ff' } },
    ['x', ''],
  ])
})

test.each([
  ['f(uint256)', ['10.00'], '"10.00" is not a valid uint256', '--args 1', 'raw units'],
  ['f(uint256 price)', ['1e6'], '"1e6" is not a valid uint256', '--args 1, price', 'digits'],
  ['f(uint8)', ['256'], '"256" is not a valid uint8', '--args 1', 'from 0 to 255'],
  ['f(uint256)', ['-1'], '"-1" is not a valid uint256', '--args 1', '256 bits'],
  ['f(uint256)', ['0x10'], '"0x10" is not a valid uint256', '--args 1', 'digits'],
  ['f(uint256)', [''], '"" is not a valid uint256', '--args 1', 'digits'],
  ['f(bool)', ['1'], '"1" is not a valid bool', '--args 1', 'true or false'],
  ['f(bytes4)', ['0xcce7ec'], '"0xcce7ec" is not a valid bytes4', '--args 1', '8 hexadecimal digits'],
  ['f(address)', ['dave'], '"dave" is not a valid address', '--args 1', 'alice, bob'],
  [
    'f(address)',
    [alice.replace('f39F', 'f39f')],
    'is not a valid address',
    '--args 1',
    'its checksummed form is',
  ],
  ['f(uint256[])', ['1,2'], '"1,2" is not a valid uint256[]', '--args 1', 'as JSON'],
  ['f(uint256[])', ['[9007199254740993]'], 'is not a valid uint256[]', '--args 1', 'in quotes'],
  ['f(uint256[])', ['[1, "x"]'], '"x" is not a valid uint256', '--args 1[1]', 'digits'],
  ['f(uint8[2])', ['[1]'], 'is not a valid uint8[2]', '--args 1', '2 values'],
  [
    'f(bool,(address to,bool b))',
    ['true', '{"to": "bob"}'],
    'is not a valid (address,bool)',
    '--args 2',
    '"to": …',
  ],
  ['f((address,bool))', ['["bob", true, 1]'], 'is not a valid (address,bool)', '--args 1', '2 values'],
  ['f((address to))', ['{"to": "eve"}'], '"eve" is not a valid address', '--args 1.to', '0x'],
  ['f(address,uint256)', ['alice'], 'f(address,uint256) takes 2 arguments, but got 1', '--args', 'one word'],
  ['f()', ['1', '2'], 'f() takes no arguments, but got 2', '--args', 'one word'],
])('for %s with %s, the error names argument, type and value', (signature, texts, text, field, fix) => {
  const error = (() => {
    try {
      return read(signature, ...texts)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(InvalidArgumentsError)
  expect(error).toMatchObject({
    shortMessage: expect.stringContaining(text),
    field,
    fix: expect.stringContaining(fix),
  })
})
