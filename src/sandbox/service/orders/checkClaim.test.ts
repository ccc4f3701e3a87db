import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Service } from '../service.ts'
import type { OrderClaim } from './claimOrders.ts'
import { checkClaim } from './orderProblems.ts'

const orderKey: Hex = `0x${'cf'.repeat(12)}`
const end = 1_000_000n
const newest = 100
const confirmations = 2
const at = new Date(0)
const claim: OrderClaim = {
  merchantId: 'shop',
  wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  orderKey,
  blockchain: 'arbitrum',
  nonce: `${orderKey}${'01'.repeat(20)}`,
  validBefore: end,
  redeemedIn: null,
  createdAt: at,
  updatedAt: at,
}
const states = { unused: 0, redeemed: 1, cancelled: 2 } as const
type State = keyof typeof states
type Moment = { state: State; time: bigint }

/** The claim's chain, now and two blocks ago. */
function chainOf(now: Moment, then: Moment = now, depth = 0): EvmChain {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const momentAt = (block: unknown) =>
    block === 'latest' || block === 'pending' || block === numberToHex(newest) ? now : then
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }) => {
    if (method === 'eth_getBlockByNumber') {
      const number = numberToHex(momentAt(params[0]) === now ? newest : newest - confirmations)
      return {
        number,
        hash: number,
        parentHash: number,
        timestamp: numberToHex(momentAt(params[0]).time),
      }
    }
    if (method === 'eth_call') return `0x${word(states[momentAt(params[1]).state])}${word(0)}${word(0)}`
    throw new Error(`The fake node has no ${method}.`)
  }
  const creditsContract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  // Its other fields are not used.
  return { blockchain: 'arbitrum', creditsContract, confirmations: depth, client: { request } } as never
}

/** A new attempt of the order on Base, while its claim names Arbitrum. */
const check = (chain: EvmChain | undefined, change: Partial<OrderClaim> = {}) =>
  checkClaim(
    {
      chains: new Map(chain && [['arbitrum', chain]]),
      database: () => Promise.reject(new Error('The event is looked up.')),
    } as Pick<Service, 'chains' | 'database'>,
    {
      claim: { ...claim, ...change },
      attempt: { blockchain: 'base', nonce: `${orderKey}${'02'.repeat(20)}` },
      terms: { creditSeed: 'shop' } as never, // compared with a redeem that was found
    },
  )
const underway = { code: 'ORDER_UNDERWAY', details: { blockchain: 'arbitrum', nonce: claim.nonce } }

test('an order without a claim, and its own claim, are free', async () => {
  const options = { attempt: claim, terms: {} as never } // not read
  const service = { chains: new Map(), database: () => expect.unreachable() } as never // not read
  expect(await checkClaim(service, { ...options, claim: undefined })).toBeUndefined()
  expect(await checkClaim(service, { ...options, claim })).toBeUndefined()
})

test.each([
  ['a second before the permit ends', 'unused', end - 1n, 'underway'],
  ['when the permit has ended', 'unused', end, 'ended'],
  ['cancelled', 'cancelled', end - 1n, 'ended'],
] as const)('on a chain without reorgs, %s', async (_, state, time, fate) => {
  const checked = check(chainOf({ state, time }))
  if (fate === 'ended') expect(await checked).toMatchObject({ nonce: claim.nonce })
  else await expect(checked).rejects.toMatchObject(underway)
})

test.each<[string, Moment, Moment, 'underway' | 'ended']>([
  [
    'cancelled, but not at depth: a reorg could undo it',
    { state: 'cancelled', time: end - 1n },
    { state: 'unused', time: end - 9n },
    'underway',
  ],
  [
    'cancelled, but not at depth, after the permit ended',
    { state: 'cancelled', time: end + 9n },
    { state: 'unused', time: end },
    'underway',
  ],
  [
    'cancelled at depth',
    { state: 'cancelled', time: end - 1n },
    { state: 'cancelled', time: end - 9n },
    'ended',
  ],
  ['ended at depth', { state: 'unused', time: end + 9n }, { state: 'unused', time: end }, 'ended'],
  [
    'ended, but not at depth',
    { state: 'unused', time: end + 9n },
    { state: 'unused', time: end - 1n },
    'underway',
  ],
])('on a chain with reorgs, %s', async (_, now, then, fate) => {
  const checked = check(chainOf(now, then, confirmations))
  if (fate === 'ended') expect(await checked).toMatchObject({ nonce: claim.nonce })
  else await expect(checked).rejects.toMatchObject(underway)
})

test('a chain shorter than the depth decides nothing', async () => {
  const chain = chainOf({ state: 'cancelled', time: end }, undefined, newest + 1)
  await expect(check(chain)).rejects.toMatchObject(underway)
})

test.each([0, confirmations])('redeemed is looked up, and never free (depth %i)', async (depth) => {
  const chain = chainOf({ state: 'redeemed', time: end + 9n }, { state: 'unused', time: end }, depth)
  await expect(check(chain)).rejects.toThrow('The event is looked up.')
})

test('on a chain that the service no longer has, the record decides', async () => {
  await expect(check(undefined)).rejects.toMatchObject(underway)
  const redeemedIn: Hex = `0x${'33'.repeat(32)}`
  await expect(check(undefined, { redeemedIn })).rejects.toMatchObject({
    code: 'ORDER_ALREADY_PAID',
    details: { hash: redeemedIn, blockchain: 'arbitrum' },
  })
})
