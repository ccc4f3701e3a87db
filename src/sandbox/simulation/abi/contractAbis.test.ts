import { type Abi, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { frame } from '../text/report.fixture.ts'
import { contractAbis, rememberCode } from './contractAbis.ts'
import { describeTree } from './describe.ts'

const usdc = '11'.repeat(20)
const at = (name: string) => `0x${name.padStart(40, '0')}` as Hex
/** A build of two contracts with the same function. Each code has an immutable value, a library address, and a distinct part. */
const build = (code: (own: string) => unknown): readonly Abi[] =>
  ['bidder', 'receiver'].map((name, place) => {
    const abi: Abi = parseAbi([`function buy(address ${name})`, `error Closed(address ${name})`]) as Abi
    rememberCode(abi, { deployedBytecode: code(`0${place}`) })
    return abi
  })
const foundry = build((own) => ({ object: `0x7f${'00'.repeat(32)}73__$${'ab'.repeat(17)}$__60${own}` }))
const hardhat = build((own) => `0x7f${'00'.repeat(32)}73__$${'ab'.repeat(17)}$__60${own}`)
const deployed = (own: string) => `0x7f${usdc.padStart(64, '0')}73${'22'.repeat(20)}60${own}`
const chain: Record<Hex, string> = {
  [at('a')]: deployed('00'),
  [at('b')]: deployed('01'),
  [at('c')]: deployed('02'),
  [at('d')]: '0x',
}
const client = {
  request: async ({ method, params }: { method: string; params?: unknown }) => {
    expect(method).toBe('eth_getCode')
    return chain[(params as [Hex])[0]] // the only call
  },
}
const input: Hex = `0xf088d547${usdc.padStart(64, '0')}`

async function textOf(call: CallFrame, abis: readonly Abi[]) {
  return describeTree(call, await contractAbis(client, { root: call, abis, blockNumber: 1n }))
}

test.each([
  ['Foundry', foundry],
  ['Hardhat', hardhat],
])('parameters have the names of the contract at the address, built by %s', async (_, abis) => {
  const name = async (to: Hex) => (await textOf(frame({ to, input }), abis)).text
  expect(await name(at('a'))).toContain('address bidder =')
  expect(await name(at('b'))).toContain('address receiver =')
  // The build does not have this code: the first function with the selector.
  expect(await name(at('c'))).toContain('address bidder =')
  expect(await name(at('d'))).toContain('address bidder =')
})

test('a proxy uses the names of its implementation, and an error those of its contract', async () => {
  const output: Hex = `0x13607bf9${usdc.padStart(64, '0')}`
  const implementation = frame({ type: 'DELEGATECALL', to: at('b'), input, output, failure: 'it reverted' })
  const tree = await textOf(frame({ to: at('d'), input, calls: [implementation] }), foundry)
  expect(tree.text).toContain('address receiver =')
  expect(tree.calls[0]?.failure).toContain('receiver')
})

test('without the code of a build, no code is read', async () => {
  const abis = [parseAbi(['function buy(address whom)'])]
  const none = { request: () => expect.fail('asked') }
  const abisOf = await contractAbis(none, {
    root: frame({ to: at('a'), input }),
    abis,
    blockNumber: 1n,
  })
  expect(abisOf(frame({ to: at('a'), input }))).toBe(abis)
})
