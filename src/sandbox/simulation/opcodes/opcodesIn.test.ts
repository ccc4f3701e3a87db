import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { normalMerchantBytecode } from '../../../../contracts/generated/NormalMerchant.ts'
import { opcodes, opcodesIn } from './opcodesIn.ts'

const has = (code: Hex, opcode: number) => opcodesIn(code).has(opcode)

test('an opcode that stands there', () => {
  expect(has('0x600032', opcodes.origin)).toBe(true)
})

test.each<[string, Hex]>([
  ['PUSH1', '0x6032'],
  ['PUSH2', '0x613232'],
  ['PUSH20', `0x73${'32'.repeat(20)}00`],
  ['PUSH32', `0x7f${'32'.repeat(32)}00`],
  ['a push that the code ends in', '0x7f3232'],
])('the data of %s is no opcode', (_, code) => {
  expect(has(code, opcodes.origin)).toBe(false)
})

test('PUSH0 has no data', () => {
  expect(has('0x5f32', opcodes.origin)).toBe(true)
})

test('the metadata of a compiler is no code', () => {
  // {"ipfs": …} as Solidity writes it, with the opcode all over the hash
  const metadata = `a264697066735822${'32'.repeat(34)}64736f6c634300081c`
  const length = (metadata.length / 2).toString(16).padStart(4, '0')
  expect(has(`0x6000fe${metadata}${length}`, opcodes.origin)).toBe(false)
  expect(has(`0x6000fe${metadata}ffff`, opcodes.origin)).toBe(true)
})

test.each<[string, Hex]>([
  ['jumped to', '0x600456fea15b320003'],
  ['come to from before', '0x6000a1323232330005'],
  ['come to after a push whose data looks like an end', '0x61fefea1323232330005'],
])('what is called metadata and %s is code', (_, code) => {
  expect(has(code, opcodes.origin)).toBe(true)
})

test('a contract of ours that knows no time and no sender', () => {
  for (const opcode of [opcodes.origin, opcodes.timestamp, opcodes.delegateCall])
    expect(has(normalMerchantBytecode, opcode)).toBe(false)
})

test('an address without code has none', () => {
  expect(opcodesIn('0x').size).toBe(0)
})
