import { redeem } from 'redeemkit'
import { createMockService, createMockWallet, mockPurchase } from 'redeemkit/mock'
import { expect, test } from 'vitest'
import { resumeOpenRedeems } from './resumeOpenRedeems.ts'

/** Returns a service whose chain mines nothing yet, and the options of a redeem by a wallet. */
function open() {
  const items = new Map<string, string>()
  const mock = createMockService({ chain: 'waits' })
  const wallet = createMockWallet({ chain: mock.chain })
  const own = {
    wallet: wallet.address,
    signer: wallet,
    publicClient: mock.chain,
    pinned: mock.pinned,
    storage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
      keys: () => items.keys(),
    },
  }
  const pay = (purchaseId: string) =>
    redeem(mock.client, { ...own, ...mockPurchase, purchaseId, timeoutMs: 300, pollingIntervalMs: 50 })
  return { mock, wallet, own, pay }
}

test('resumes a signed payment without another prompt, and skips an unsigned one', async () => {
  const { mock, wallet, own, pay } = open()
  await expect(pay('signed')).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
  wallet.change({ prompts: 'reject' })
  await expect(pay('rejected')).rejects.toMatchObject({ name: 'UserRejectedError' })

  const prompts = wallet.prompts.length
  mock.change({ chain: 'mines' })
  const shown: unknown[] = []
  const unreadable = await resumeOpenRedeems(mock.client, { ...own, show: (payment) => shown.push(payment) })
  expect(shown).toEqual([{ orderId: 'signed', text: 'Paid.', canRetry: false }])
  expect(unreadable).toEqual([])
  expect(wallet.prompts).toHaveLength(prompts)
})

test('reports payments that are still open', async () => {
  const { mock, own, pay } = open()
  await expect(pay('open')).rejects.toThrow()
  mock.change({ chain: 'fails' })
  const shown: unknown[] = []
  await resumeOpenRedeems(mock.client, { ...own, show: (payment) => shown.push(payment) })
  expect(shown).toMatchObject([{ text: expect.stringMatching(/don't pay again/), canRetry: true }])
})
