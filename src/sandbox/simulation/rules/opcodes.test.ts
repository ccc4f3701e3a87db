import { type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import { normalMerchantBytecode } from '../../../../contracts/generated/NormalMerchant.ts'
import { accounts, frame } from '../text/report.fixture.ts'
import { hasOpcode, opcodes, opcodesIn } from './opcodes.ts'
import { ruleContext } from './rules.fixture.ts'

const has = (code: Hex, opcode: number) => opcodesIn(code).has(opcode)

test('an opcode in the code', () => {
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

test('compiler metadata is not code', () => {
  // {"ipfs": …} as Solidity encodes it, with the opcode throughout the hash
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

test('a contract without time or sender', () => {
  for (const opcode of [opcodes.origin, opcodes.timestamp, opcodes.delegateCall])
    expect(has(normalMerchantBytecode, opcode)).toBe(false)
})

test('an address without code has none', () => {
  expect(opcodesIn('0x').size).toBe(0)
})

const { shop, stranger } = accounts
const lower = stranger.toLowerCase() as Hex // still hex
const readsOrigin = (context: Parameters<typeof hasOpcode>[0]) => hasOpcode(context, [opcodes.origin])

test('includes the code of called contracts', async () => {
  const call = frame({ calls: [frame({ from: shop, to: stranger })] })
  expect(await readsOrigin(ruleContext(call, { codes: { [lower]: '0x32' } }))).toBe(true)
  expect(await readsOrigin(ruleContext(call, { codes: { [lower]: '0x33' } }))).toBe(false)
})

test.each<[string, { input: Hex; output: Hex }]>([
  ['its constructor', { input: '0x32', output: '0x' }],
  ['what the constructor leaves', { input: '0x00', output: '0x32' }],
])('of a contract that is made meanwhile, %s counts', async (_, code) => {
  const made = frame({ type: 'CREATE2', from: shop, to: stranger, ...code })
  expect(await readsOrigin(ruleContext(frame({ calls: [made] })))).toBe(true)
})

test('with too many contracts to read, it is assumed', async () => {
  const calls = Array.from({ length: 101 }, (_, index) => frame({ to: pad(`0x${index + 16}`, { size: 20 }) }))
  expect(await readsOrigin(ruleContext(frame({ calls: calls.slice(0, 90) })))).toBe(false)
  expect(await readsOrigin(ruleContext(frame({ calls })))).toBe(true)
})
