// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createMockService } from '../../mock/createMockService.ts'
import { pinned } from '../../redeem/redeem.fixture.ts'
import { chainId, otherChainId, wallet, world } from '../wagmi.fixture.ts'
import { getTotals } from './getTotals.ts'

const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const

test('totals are for the connected wallet, on its chain or the requested chain', async () => {
  const mock = createMockService()
  const asked: (string | null)[][] = []
  const {
    config,
    kit,
    connect,
    wallet: fake,
  } = world({
    kit: {
      sessionKey: 'key',
      userId: 'ana',
      pins: [chainId, otherChainId].map((id) => ({ ...pinned, chainId: id })),
      fetch: (url, init) => {
        const headers = new Headers(init?.headers)
        asked.push(['wallet', 'blockchain'].map((name) => headers.get(`x-svc-auth-${name}`)))
        return mock.fetch(url, init)
      },
    },
  })
  await getTotals(config, { kit, ...order })
  fake.state.chainId = otherChainId
  await connect()
  await getTotals(config, { kit, ...order })
  await getTotals(config, { kit, ...order, chainId })
  expect(asked).toEqual([
    [null, null],
    [wallet, 'eth'],
    [wallet, 'base'],
  ])
})
