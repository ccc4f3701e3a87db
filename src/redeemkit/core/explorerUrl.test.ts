import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { networks } from '../evm/networks.ts'
import { explorerUrl } from './explorerUrl.ts'

const hash = `0x${'aB'.repeat(32)}`
const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const solanaAddress = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
// from the README of vyper-protocol/explorer-link-helper
const solanaHash = '65VTdMUcxMtLqUsRRif4HDjoM8sTCchE758oVNwF7kJorMZZHrDyJpfwtuyPKt25MuMzUUU9VgoGB14fMBBQnMm4'
const stellarAddress = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
const stellarContract = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'

describe('explorerUrl', () => {
  test.each(networks.map(({ name, chainId }) => [name, chainId] as const))(
    'for %s is on the default explorer of viem’s chain',
    (_, chainId) => {
      const known = Object.values(chains).find((chain) => chain.id === chainId)
      const url = known?.blockExplorers?.default.url
      expect(url).toMatch(/^https:/)
      expect(explorerUrl({ chainId, hash })).toBe(`${url}/tx/${hash}`)
      expect(explorerUrl({ chainId, address })).toBe(`${url}/address/${address}`)
    },
  )

  test.each([
    ['solana', 'prod', { hash: solanaHash }, `explorer.solana.com/tx/${solanaHash}`],
    ['solana', 'sandbox', { hash: solanaHash }, `explorer.solana.com/tx/${solanaHash}?cluster=devnet`],
    ['solana', 'prod', { address: solanaAddress }, `explorer.solana.com/address/${solanaAddress}`],
    ['stellar', 'prod', { hash: 'a'.repeat(64) }, `stellar.expert/explorer/public/tx/${'a'.repeat(64)}`],
    [
      'stellar',
      'sandbox',
      { address: stellarAddress },
      `stellar.expert/explorer/testnet/account/${stellarAddress}`,
    ],
    [
      'stellar',
      'prod',
      { address: stellarContract },
      `stellar.expert/explorer/public/contract/${stellarContract}`,
    ],
  ] as const)('for %s in %s', (blockchain, environment, what, url) => {
    expect(explorerUrl({ blockchain, environment, ...what })).toBe(`https://${url}`)
  })

  test.each([31337, 1337, 0, '1', undefined])('returns undefined for the chain id %j', (chainId) => {
    // callers without TypeScript can pass this
    expect(explorerUrl({ chainId: chainId as number, hash })).toBeUndefined()
  })

  test.each([
    ['http://localhost:3000', undefined],
    ['http://shop.localhost', undefined],
    ['http://127.0.0.1:8787/api', undefined],
    ['http://[::1]:8787', undefined],
    ['https://service.example', 'https://sepolia.basescan.org/tx/'],
    ['https://localhost.example', 'https://sepolia.basescan.org/tx/'],
    ['https://127.0.0.1.example', 'https://sepolia.basescan.org/tx/'],
  ])('returns a link unless the service is local: %s', (baseUrl, start) => {
    expect(explorerUrl({ chainId: 84532, hash, baseUrl })).toBe(start && start + hash)
  })

  // values that a service, or the page's URL, could pass as a hash
  const untrusted = [
    '',
    '0x',
    `${hash}/../../evil`,
    `${hash}?x=1`,
    `${hash}#x`,
    `${hash}\n`,
    `@evil.example/${hash}`,
    'javascript:alert(1)',
    `${hash}0`,
    'ä'.repeat(64),
    7,
    null,
    {},
    [hash],
  ]
  test.each(untrusted)('returns undefined for the hash %j', (value) => {
    for (const key of ['hash', 'address'])
      for (const of of [
        { chainId: 1 },
        { blockchain: 'solana', environment: 'prod' },
        { blockchain: 'stellar', environment: 'prod' },
      ])
        expect(explorerUrl({ ...of, [key]: value } as never)).toBeUndefined()
  })

  test.each([undefined, null, {}, { chainId: 1 }, { blockchain: 'constructor', environment: 'prod', hash }])(
    'returns undefined for the options %j',
    (options) => {
      expect(explorerUrl(options as never)).toBeUndefined()
    },
  )
})
