import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { normalMerchantBytecode } from '../../../../contracts/generated/merchants.ts'
import { accounts, frame } from '../text/report.fixture.ts'
import { hasOpcode, opcodes, opcodesIn, readsGasLeft } from './opcodes.ts'
import { ruleContext } from './rules.fixture.ts'

const has = (code: Hex, opcode: number) => opcodesIn(code).has(opcode)

test('finds an opcode in the code', () => {
  expect(has('0x600032', opcodes.origin)).toBe(true)
})

test.each<[string, Hex]>([
  ['PUSH1', '0x6032'],
  ['PUSH2', '0x613232'],
  ['PUSH20', `0x73${'32'.repeat(20)}00`],
  ['PUSH32', `0x7f${'32'.repeat(32)}00`],
  ['a push that the end of the code cuts off', '0x7f3232'],
])('ignores the data of %s', (_, code) => {
  expect(has(code, opcodes.origin)).toBe(false)
})

test('reads the byte after PUSH0 as an opcode', () => {
  expect(has('0x5f32', opcodes.origin)).toBe(true)
})

test('ignores compiler metadata', () => {
  // {"ipfs": …} as Solidity encodes it; every byte of the hash equals the opcode.
  const metadata = `a264697066735822${'32'.repeat(34)}64736f6c634300081c`
  const length = (metadata.length / 2).toString(16).padStart(4, '0')
  expect(has(`0x6000fe${metadata}${length}`, opcodes.origin)).toBe(false)
  expect(has(`0x6000fe${metadata}ffff`, opcodes.origin)).toBe(true)
})

test.each(['a1', 'a4', '81', '85'])('ignores metadata that begins with %s', (first) => {
  expect(has(`0x6000fe${first}323232320005`, opcodes.origin)).toBe(false)
})

test.each<[string, Hex]>([
  ['begins with a5', '0x6000fea5323232320005'],
  ['begins with a0', '0x6000fea0323232320005'],
  ['begins with 86', '0x6000fe86323232320005'],
  ['begins with 80', '0x6000fe80323232320005'],
  ['is shorter than any metadata', '0x6000fea1320002'],
  ['is as long as the code', '0xa1323232320005'],
])('reads the end of the code as code if it %s', (_, code) => {
  expect(has(code, opcodes.origin)).toBe(true)
})

test.each<[string, Hex]>([
  ['is a jump destination', '0x600456fea15b320003'],
  ['is reached by the code before it', '0x6000a1323232330005'],
  ['follows a push whose data looks like an end of code', '0x61fefea1323232330005'],
])('reads bytes that look like metadata as code if that part %s', (_, code) => {
  expect(has(code, opcodes.origin)).toBe(true)
})

test('does not find opcodes that a contract does not use', () => {
  for (const opcode of [opcodes.origin, opcodes.timestamp, opcodes.delegateCall])
    expect(has(normalMerchantBytecode, opcode)).toBe(false)
})

test('finds no opcode at an address without code', () => {
  expect(opcodesIn('0x').size).toBe(0)
})

const { shop, stranger } = accounts
const lower = stranger.toLowerCase() as Hex // lower-case hex is still hex
const readsOrigin = (context: Parameters<typeof hasOpcode>[0]) => hasOpcode(context, [opcodes.origin])

test('includes the code of called contracts', async () => {
  const call = frame({ calls: [frame({ from: shop, to: stranger })] })
  expect(await readsOrigin(ruleContext(call, { codes: { [lower]: '0x32' } }))).toBe(true)
  expect(await readsOrigin(ruleContext(call, { codes: { [lower]: '0x33' } }))).toBe(false)
})

test.each<[string, { input: Hex; output: Hex }]>([
  ['the constructor', { input: '0x32', output: '0x' }],
  ['the code that the constructor returns', { input: '0x00', output: '0x32' }],
])('includes %s of a contract that the call creates', async (_, code) => {
  const made = frame({ type: 'CREATE2', from: shop, to: stranger, ...code })
  expect(await readsOrigin(ruleContext(frame({ calls: [made] })))).toBe(true)
})

test('excludes USDC, the credits contract, the wallet, and the beneficiary of a SELFDESTRUCT', async () => {
  const { usdc, credits, customer } = accounts
  const calls = [usdc, credits, customer].map((to) => frame({ to, calls: [frame({ to: stranger })] }))
  const destroyed = frame({ type: 'SELFDESTRUCT', from: shop, to: stranger })
  const codes = Object.fromEntries(
    [usdc, credits, customer, stranger].map((address) => [address.toLowerCase(), '0x32' as Hex]),
  )
  expect(await readsOrigin(ruleContext(frame({ calls: [...calls, destroyed] }), { codes }))).toBe(false)
})

test('reads no code if the redeem did not reach the call', async () => {
  expect(await readsOrigin({ ...ruleContext(), call: undefined })).toBe(false)
})

test.each([7, '', '32', '0xzz', 'x0x32'])('rejects the response %j as code', async (code) => {
  const context = ruleContext(frame(), { codes: { [shop.toLowerCase()]: code as Hex } })
  await expect(readsOrigin(context)).rejects.toMatchObject({ name: 'ChainReadError' })
})

describe('the remaining gas', () => {
  const reads = (code: Hex) => readsGasLeft(ruleContext(frame(), { codes: { [shop.toLowerCase()]: code } }))

  test.each<[string, Hex, boolean]>([
    ['counts as not read if GAS is missing', '0x600100', false],
    ['counts as not read if forwarded to a call', '0x5af1', false],
    ['counts as not read if forwarded to any kind of call', '0x5af25af45afa', false],
    ['counts as read if compared', '0x5a10', true],
    ['counts as read if forwarded and compared', '0x5af15a10', true],
    ['counts as read if GAS is the last opcode', '0x5a', true],
    ['counts as not read if GAS is only data', '0x605a00', false],
  ])('%s', async (_, code, expected) => {
    expect(await reads(code)).toBe(expected)
  })

  test('counts as read if there are too many contracts', async () => {
    const calls = Array.from({ length: 100 }, (_, index) =>
      frame({ to: pad(`0x${index + 16}`, { size: 20 }) }),
    )
    expect(await readsGasLeft(ruleContext(frame({ calls: calls.slice(1) })))).toBe(false)
    expect(await readsGasLeft(ruleContext(frame({ calls })))).toBe(true)
  })
})

test('assumes that the opcode is used if there are too many contracts to read', async () => {
  const calls = Array.from({ length: 101 }, (_, index) => frame({ to: pad(`0x${index + 16}`, { size: 20 }) }))
  expect(await readsOrigin(ruleContext(frame({ calls: calls.slice(0, 90) })))).toBe(false)
  expect(await readsOrigin(ruleContext(frame({ calls })))).toBe(true)
})
