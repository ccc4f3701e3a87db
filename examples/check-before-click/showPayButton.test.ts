// @vitest-environment happy-dom
import { createMockService, createMockWallet } from 'redeemkit/mock'
import { expect, test, vi } from 'vitest'
import { showPayButton } from './showPayButton.ts'

test('a click opens the wallet without a request to the service', async () => {
  const mock = createMockService()
  const wallet = createMockWallet({ chain: mock.chain, prompts: ['reject', 'approve'] })
  const button = document.createElement('button')
  const said: string[] = []
  const end = showPayButton(button, {
    client: mock.client,
    wallet: wallet.address,
    signer: wallet,
    publicClient: mock.chain,
    pinned: mock.pinned,
    shop: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    orderId: 'order 1',
    say: (text) => said.push(text),
  })
  await vi.waitFor(() => expect(said[0]).toMatch(/^You send \$10\.00/))
  const asked = mock.asked.length
  button.click()
  await vi.waitFor(() => expect(wallet.prompts).toHaveLength(1))
  expect(mock.asked).toHaveLength(asked)
  await vi.waitFor(() => expect(said.at(-1)).toMatch(/You have not been charged/))

  button.click() // Without a check from the page, `redeem` runs its own.
  await vi.waitFor(() => expect(said.at(-1)).toBe('Paid.'))
  end()
})
