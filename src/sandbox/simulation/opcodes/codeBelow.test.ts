import { type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import { ruleContext } from '../rules/rules.fixture.ts'
import { frame, people } from '../text/report.fixture.ts'
import { hasOpcode } from './codeBelow.ts'
import { opcodes } from './opcodesIn.ts'

const { shop, stranger } = people
const lower = stranger.toLowerCase() as Hex // still hex
const readsOrigin = (context: Parameters<typeof hasOpcode>[0]) => hasOpcode(context, [opcodes.origin])

test('what a called contract does counts', async () => {
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

test('of too many contracts to be read, it is taken for granted', async () => {
  const calls = Array.from({ length: 101 }, (_, index) => frame({ to: pad(`0x${index + 16}`, { size: 20 }) }))
  expect(await readsOrigin(ruleContext(frame({ calls: calls.slice(0, 90) })))).toBe(false)
  expect(await readsOrigin(ruleContext(frame({ calls })))).toBe(true)
})
