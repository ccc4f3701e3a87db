// @vitest-environment happy-dom
import type { describeRedeemButton } from 'redeemkit/wagmi'
import { expect, test, vi } from 'vitest'
import { world } from '../../src/redeemkit/wagmi/wagmi.fixture.ts'
import { payWith } from './index.ts'

test('a button without a framework pays, and makes no network request before it opens the wallet', async () => {
  const { config, kit, asked, redeemed, connect } = world()
  const button = document.createElement('button')
  let shown: describeRedeemButton.ReturnType | undefined
  const end = payWith(button, {
    config,
    kit,
    orderId: 'order 1',
    show: (next) => {
      shown = next
    },
  })
  expect(shown?.step).toBe('notConnected')
  await connect()
  await vi.waitFor(() => expect(shown?.step).toBe('ready'))
  asked.length = 0
  button.click()
  await vi.waitFor(() => expect(shown?.step).toBe('done'))
  expect(asked.slice(0, 3)).toEqual([
    'wallet eth_accounts',
    'wallet eth_chainId',
    'wallet eth_signTypedData_v4',
  ])
  expect(redeemed.size).toBe(1)
  end()
})
