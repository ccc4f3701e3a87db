// @vitest-environment happy-dom
import './react.fixture.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { custom, encodeFunctionResult, parseAbi } from 'viem'
import { mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { useAccountName } from './useAccountName.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const abi = parseAbi([
  'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string resolvedName, address resolver, address reverseResolver)',
])

function renderName(answer: () => unknown, asked?: string) {
  const transport = custom({ request: async () => answer() }, { retryCount: 0 })
  const config = createConfig({
    batch: { multicall: false },
    chains: [mainnet],
    transports: { [mainnet.id]: transport },
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </WagmiProvider>
  )
  return renderHook(() => useAccountName({ address: asked }), { wrapper })
}

test('shows the address immediately, and the name once it is read', async () => {
  const answer = encodeFunctionResult({ abi, result: ['vitalik.eth', address, address] })
  const { result } = renderName(() => answer, address)
  expect(result.current.text).toBe('0xd8dA…6045')
  await waitFor(() => expect(result.current.text).toBe('vitalik.eth'))
})

test('shows the address if the name cannot be read', async () => {
  const { result } = renderName(() => {
    throw new Error('down')
  }, address)
  await waitFor(() => expect(result.current.isError).toBe(true))
  expect(result.current.text).toBe('0xd8dA…6045')
})

test('is empty without an account, and asks nothing', () => {
  const { result } = renderName(() => expect.unreachable())
  expect(result.current).toMatchObject({ text: '', fetchStatus: 'idle' })
})
