import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Service } from '../service.ts'
import { refuseRedeemedElsewhere } from './orderProblems.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
/** A chain with the given node responses; its other fields are unused. */
const chainOf = (blockchain: string, request: () => Promise<unknown>) =>
  ({ blockchain, creditsContract, client: { request } }) as unknown as EvmChain

test('nodes that fail or do not respond within two seconds are skipped and reported', async () => {
  const base = chainOf('base', () => expect.unreachable('the paying chain is read elsewhere'))
  const others = [
    chainOf('arbitrum', () => Promise.reject(new Error('down'))),
    chainOf('polygon', () => new Promise(() => {})),
  ]
  const reported: unknown[] = []
  const service = {
    chains: new Map([base, ...others].map((chain) => [chain.blockchain, chain])),
    database: () => expect.unreachable('nothing was found'),
    onError: (error: unknown) => void reported.push(error),
  } as unknown as Service // the rest is not used
  let isOver = false
  const refusal = refuseRedeemedElsewhere(service, {
    chain: base,
    wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    orderKey: `0x${'80'.repeat(12)}`,
    terms: { creditSeed: 'shop' } as never, // compared with a redeem that was found
  }).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await refusal
  expect(reported.map(String)).toEqual([
    expect.stringContaining('could not be read on arbitrum'),
    expect.stringContaining('could not be read on polygon'),
  ])
})
