import { TypedDataEncoder } from 'ethers'
import { domainSeparator } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import vectors from '../../../test/vectors/usdc.json' with { type: 'json' }
import { checkAddress } from './checkAddress.ts'
import { networkOf, networks } from './networks.ts'
import { usdcToken } from './usdcToken.ts'

describe('the networks', () => {
  test('match the protocol’s table', () => {
    expect(
      networks.map(({ blockchain, environment, chainId }) => [blockchain, environment, chainId]),
    ).toEqual([
      ['eth', 'prod', 1],
      ['eth', 'sandbox', 11155111],
      ['polygon', 'prod', 137],
      ['polygon', 'sandbox', 80002],
      ['base', 'prod', 8453],
      ['base', 'sandbox', 84532],
      ['arbitrum', 'prod', 42161],
      ['arbitrum', 'sandbox', 421614],
      ['monad', 'prod', 143],
      ['monad', 'sandbox', 10143],
      ['tempo', 'prod', 4217],
      ['tempo', 'sandbox', 42431],
    ])
  })
  test('have the same native coins as in viem, except Tempo, which has no native coin', () => {
    const coins = Object.values(chains).map(({ id, nativeCurrency }) => [id, nativeCurrency.symbol] as const)
    const coinOf = new Map<number, string>(coins)
    for (const { chainId, blockchain, coin } of networks)
      expect([chainId, coin]).toEqual([chainId, blockchain === 'tempo' ? undefined : coinOf.get(chainId)])
  })
  test('are found by chain id and by name', () => {
    for (const network of networks) {
      expect(networkOf({ chainId: network.chainId })).toBe(network)
      expect(networkOf({ blockchain: network.blockchain, environment: network.environment })).toBe(network)
    }
  })
  test('do not include unknown chains or names, which networkOf refuses', () => {
    expect(() => networkOf({ chainId: 10 })).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError', field: 'chainId' }),
    )
    // callers without TypeScript can pass this
    expect(() => networkOf({ blockchain: 'solana' as never, environment: 'prod' })).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError', field: 'blockchain' }),
    )
  })
})

describe('USDC', () => {
  test('has the address, name and version of each row of the test vectors', () => {
    expect(vectors.tokens).toHaveLength(10)
    for (const row of vectors.tokens)
      expect(usdcToken({ chainId: row.chainId })).toEqual({
        chainId: row.chainId,
        address: row.address,
        name: row.name,
        version: vectors.version,
        decimals: vectors.decimals,
        domainSeparator: row.domainSeparator,
      })
    expect(networks.filter(({ usdc }) => usdc).map(({ chainId }) => chainId)).toEqual(
      vectors.tokens.map(({ chainId }) => chainId),
    )
  })
  test.each(vectors.tokens)(
    'viem and ethers compute the same domain separator: $blockchain $environment',
    (row) => {
      const domain = { name: row.name, version: '2', chainId: row.chainId, verifyingContract: row.address }
      expect(
        domainSeparator({ domain: { ...domain, verifyingContract: checkAddress(row.address, 'address') } }),
      ).toBe(row.domainSeparator)
      expect(TypedDataEncoder.hashDomain(domain)).toBe(row.domainSeparator)
    },
  )
  test.each([4217, 42431])('does not exist on Tempo, chain %i', (chainId) => {
    expect(() => usdcToken({ chainId })).toThrow(
      expect.objectContaining({ name: 'NoUsdcAuthorizationError', field: 'chainId' }),
    )
  })
  test.each([0, -1, 1.5, 2 ** 53, Number.NaN, '1'])('%j is not a chain id', (chainId) => {
    // callers without TypeScript can pass this
    expect(() => usdcToken({ chainId: chainId as number })).toThrow(
      expect.objectContaining({ name: 'InvalidChainIdError', field: 'chainId' }),
    )
  })
  test('is refused for an unknown chain', () => {
    expect(() => usdcToken({ chainId: 10 })).toThrow(expect.objectContaining({ name: 'UnknownNetworkError' }))
  })
})

test('networkOf refuses text in place of options, without the text in the error', () => {
  const key = `0x${'ac09'.repeat(16)}`
  expect(() => networkOf(key as never)).toThrow(
    expect.objectContaining({ name: 'InvalidRecordError', field: 'options' }),
  )
  expect(() => networkOf(key as never)).not.toThrow('ac09')
})
