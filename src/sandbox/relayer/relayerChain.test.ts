import { HttpRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { fakeNode } from './fakeNode.fixture.ts'
import { gasPrice, withHeadroom } from './relayerChain.ts'

describe('the gas price', () => {
  // In each case, the base fee is 100.
  test.each<[string, readonly bigint[] | undefined, Parameters<typeof fakeNode>[0], bigint, bigint, bigint]>([
    ['twice the base fee plus the priority fee of other transactions', [10n], {}, 10n, 110n, 210n],
    ['the median of recent blocks', [900n, 10n, 30n, 20n, 0n], {}, 20n, 120n, 220n],
    ['the higher of two middle values', [40n, 10n], {}, 40n, 140n, 240n],
    ['the node’s suggestion, without recent blocks', [], {}, 7n, 107n, 207n],
    ['the node’s suggestion, without a fee history', undefined, {}, 7n, 107n, 207n],
    ['at most the chain’s maximum priority fee', [10n], { maxPriorityFeePerGas: 9n }, 9n, 109n, 209n],
    [
      'the priority fee of others, below the chain’s maximum',
      [10n],
      { maxPriorityFeePerGas: 11n },
      10n,
      110n,
      210n,
    ],
    ['at most the chain’s maximum fee', [10n], { maxFeePerGas: 209n }, 10n, 110n, 209n],
    ['below the chain’s maximum fee', [10n], { maxFeePerGas: 211n }, 10n, 110n, 210n],
    ['a priority fee of at most the maximum fee', [10n], { maxFeePerGas: 9n }, 9n, 110n, 9n],
  ])('is %s', async (_, rewards, terms, priority, expected, maximum) => {
    const fake = fakeNode(terms)
    fake.node.rewards = rewards
    expect(await gasPrice(fake.chain)).toEqual({ base: 100n, priority, expected, maximum, timestamp: 1n })
  })

  test('does not use the node’s suggestion after a single failure', async () => {
    const fake = fakeNode({})
    const url = 'http://127.0.0.1:1'
    fake.chain.client.getFeeHistory = async () => Promise.reject(new HttpRequestError({ url }))
    await expect(gasPrice(fake.chain)).rejects.toThrow(HttpRequestError)
  })
})

test.each([
  { estimated: 100_000n, gas: 125_000n },
  { estimated: 16_777_216n, gas: 16_777_216n },
  // A chain that executes this much gas accepts more than EIP-7825 allows.
  { estimated: 16_777_217n, gas: 20_971_521n },
])('an estimate of $estimated gas gets the limit $gas, which nodes accept', ({ estimated, gas }) => {
  expect(withHeadroom(estimated)).toBe(gas)
})
