import { type Hex, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { accounts, frame } from '../text/report.fixture.ts'
import { assumeUsdc } from './assumeUsdc.ts'
import { economicContext } from './rules.fixture.ts'

const { customer, usdc } = accounts
const slot = pad('0x05')
const money = 50n

/** Returns a USDC contract that computes its result from a storage slot, which holds 7 for the owner. */
function token(answer: (stored: bigint) => bigint, options: { size?: number; reads?: readonly Hex[] } = {}) {
  const { size = 32, reads = [pad('0x04'), slot] } = options
  const { plan } = economicContext(frame())
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'debug_traceCall')
      return { [usdc]: { storage: Object.fromEntries(reads.map((one) => [one, pad('0x07')])) } }
    const [, , overrides] = params as [unknown, unknown, Record<Hex, { stateDiff?: Record<Hex, Hex> }>] // the parameters of this request
    const stored = BigInt(overrides[usdc]?.stateDiff?.[slot] ?? 7n)
    const words = [1n, BigInt(size), answer(stored), 0n]
    return `0x${words.map((word) => toHex(word, { size: 32 }).slice(2)).join('')}`
  }
  return assumeUsdc({ ...plan, client: { request } }, { owners: [customer], spenders: [], balance: money })
}

test.each<[string, Parameters<typeof token>, Record<Hex, Hex> | undefined]>([
  ['set in the slot that changes the result', [(stored) => stored], { [slot]: toHex(money, { size: 32 }) }],
  ['not set if the owner has enough', [() => money], {}],
  ['unknown if the token stores a different number', [(stored) => stored * 2n], undefined],
  ['unknown if the node returns no slots', [(stored) => stored, { reads: [] }], undefined],
  ['unknown if the token does not return a number', [() => money, { size: 64 }], undefined],
])('the USDC of an owner is %s', async (_, options, stateDiff) => {
  expect(await token(...options)).toEqual(stateDiff && { [usdc]: { stateDiff } })
})
