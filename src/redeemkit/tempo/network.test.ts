import { getAddress } from 'viem'
import { Addresses } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import { isTip20, tempoContracts, tempoTokenName, tempoTokens } from './network.ts'

test('contracts are where another library has them', () => {
  const { signatureVerifier, accountKeychain, feeManager, pathUsd } = Addresses
  const theirs = { signatureVerifier, accountKeychain, feeManager, pathUsd }
  expect(Object.entries(tempoContracts).map(([name, address]) => [name, address.toLowerCase()])).toEqual(
    Object.entries(theirs).map(([name, address]) => [name, address.toLowerCase()]),
  )
})

describe('tokens', () => {
  test.each(tempoTokens)('$name is written with its checksum, and is one of the factory', ({ address }) => {
    expect(getAddress(address)).toBe(address)
    expect(isTip20(address)).toBe(true)
  })

  test('AlphaUSD is one of the test network only', () => {
    const alpha = '0x20C0000000000000000000000000000000000001'
    expect(tempoTokenName(alpha, 42431)).toBe('AlphaUSD')
    expect(tempoTokenName(alpha, 4217)).toBeUndefined()
  })

  test('USDC.e has an address on each', () => {
    const address = '0x20C000000000000000000000b9537d11c60E8b50'
    expect([4217, 42431].map((chainId) => tempoTokenName(address, chainId))).toEqual(['USDC.e', undefined])
  })

  test('an address outside the range is not of the factory', () => {
    const prefix = `0x20c${'0'.repeat(21)}` as const
    expect(isTip20(`${prefix}1000000000000001`)).toBe(true)
    expect(isTip20(`${prefix.slice(0, -1) as '0x'}11000000000000001`)).toBe(false)
  })
})
