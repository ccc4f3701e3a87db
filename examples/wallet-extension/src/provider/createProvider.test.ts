import { expect, test } from 'vitest'
import { createProvider } from './createProvider.ts'

/** Creates a page whose wallet returns these accounts and this chain. */
function openPage() {
  const wallet = { eth_accounts: ['0xa1'], eth_chainId: '0x1' } as Record<string, unknown>
  const asked: string[] = []
  const heard: unknown[] = []
  const { provider, receive, shownAgain } = createProvider(({ id, text }) => {
    const { method } = JSON.parse(text)
    asked.push(method)
    queueMicrotask(() => receive({ id, result: wallet[method] ?? null }))
  })
  for (const event of ['accountsChanged', 'chainChanged', 'disconnect'])
    provider.on(event, (value) => heard.push([event, value]))
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  return { wallet, asked, heard, provider, receive, shownAgain, settled }
}

test('an error contains its code and the node’s data', async () => {
  const ids: string[] = []
  const { provider, receive } = createProvider(({ id }) => ids.push(id))
  const asked = provider.request({ method: 'eth_call', params: [] })
  for (const id of ids) receive({ id, error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } })
  await expect(asked).rejects.toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
})

test('a page that is shown again gets only changed values, and sends no request if it sent none before', async () => {
  const { wallet, asked, heard, provider, shownAgain, settled } = openPage()
  shownAgain()
  expect(asked).toEqual([])
  await provider.request({ method: 'personal_sign', params: [] })
  shownAgain()
  await settled()
  expect(heard).toEqual([])
  wallet.eth_chainId = '0x2105'
  shownAgain()
  await settled()
  expect(heard).toEqual([['chainChanged', '0x2105']])
})

test('an event is emitted once, even if two messages report it', async () => {
  const { wallet, heard, provider, receive, shownAgain, settled } = openPage()
  await provider.request({ method: 'eth_accounts' })
  wallet.eth_accounts = []
  shownAgain()
  receive({ event: 'accountsChanged', value: [] })
  for (const _ of [1, 2]) receive({ event: 'disconnect', value: { code: 4900, message: 'gone' } })
  await settled()
  expect(heard).toEqual([
    ['accountsChanged', []],
    ['disconnect', { code: 4900, message: 'gone' }],
  ])
})

test('an answer that is older than an event changes nothing', async () => {
  const { heard, provider, receive, settled } = openPage()
  const asked = provider.request({ method: 'eth_accounts' })
  receive({ event: 'chainChanged', value: '0x2105' }) // the answer with the previous chain is still pending
  await asked
  await settled()
  expect(heard).toEqual([['chainChanged', '0x2105']])
})
