import { QueryClient } from '@tanstack/query-core'
import { createConfig, custom } from '@wagmi/core'
import { encodeFunctionResult, parseAbi } from 'viem'
import { base, mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { getAccountName, getAccountNameQueryOptions } from './getAccountName.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
// ENS universal resolver, as viem calls it: https://docs.ens.domains/resolvers/universal
const abi = parseAbi([
  'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string resolvedName, address resolver, address reverseResolver)',
])

/** Creates a wagmi config whose mainnet returns this name, and records its requests. */
function configOf(name: string | Error) {
  const asked: string[] = []
  const request = async ({ method }: { method: string }) => {
    asked.push(method)
    if (method === 'eth_chainId') return '0x1'
    if (name instanceof Error) throw name
    return encodeFunctionResult({ abi, result: [name, address, address] })
  }
  const transport = custom({ request }, { retryCount: 0 })
  const config = createConfig({
    batch: { multicall: false },
    chains: [base, mainnet],
    transports: { [base.id]: transport, [mainnet.id]: transport },
  })
  return { config, asked }
}

describe('getAccountName', () => {
  test('returns the ENS name', async () => {
    const { config } = configOf('vitalik.eth')
    expect(await getAccountName(config, { address: address.toLowerCase() })).toEqual({
      address,
      name: 'vitalik.eth',
      text: 'vitalik.eth',
    })
  })

  test('returns the name of another account, in a query', async () => {
    const { queryFn } = getAccountNameQueryOptions(configOf('vitalik.eth').config, { address })
    const { signal } = new AbortController()
    expect(await queryFn({ signal, client: new QueryClient() })).toMatchObject({ name: 'vitalik.eth' })
  })

  test('returns the shortened address if there is no name', async () => {
    const { config } = configOf('')
    expect(await getAccountName(config, { address })).toEqual({ address, name: null, text: '0xd8dA…6045' })
  })

  // ENSIP-15: capitals, letters of two alphabets, and forbidden characters
  test.each(['Vitalik.eth', 'vitаlik.eth', 'vitalik\u202e.eth', 'vitalik.eth '])(
    'ignores a name that could be mistaken for another: %j',
    async (name) => {
      const { config } = configOf(name)
      expect(await getAccountName(config, { address })).toMatchObject({ name: null, text: '0xd8dA…6045' })
    },
  )

  test('makes no request without Ethereum mainnet', async () => {
    const { asked } = configOf('vitalik.eth')
    const transport = custom({
      request: async ({ method }) => {
        asked.push(method)
      },
    })
    const config = createConfig({ chains: [base], transports: { [base.id]: transport } })
    expect(await getAccountName(config, { address })).toMatchObject({ name: null })
    expect(asked).toEqual([])
  })

  test('fails if mainnet cannot be read', async () => {
    const { config } = configOf(new Error('down'))
    await expect(getAccountName(config, { address })).rejects.toMatchObject({
      name: 'ChainReadError',
      fix: 'Show the address, and retry later.',
    })
  })

  test('needs an address or a connected wallet', async () => {
    const { config } = configOf('vitalik.eth')
    await expect(getAccountName(config)).rejects.toMatchObject({ name: 'WalletNotConnectedError' })
  })

  test('rejects an invalid address', async () => {
    const { config } = configOf('vitalik.eth')
    await expect(getAccountName(config, { address: 'vitalik.eth' })).rejects.toMatchObject({
      name: 'InvalidAddressError',
      field: 'address',
    })
  })
})
