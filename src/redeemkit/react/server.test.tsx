import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createRedeemkit } from '../wagmi/createRedeemkit.ts'
import { purchase, world } from '../wagmi/wagmi.fixture.ts'
import { useBalances } from './account.ts'
import { providersOf } from './react.fixture.tsx'
import { useOpenRedeems } from './useOpenRedeems.ts'
import { useRedeem } from './useRedeem.ts'

function Page() {
  const { step, canClick } = useRedeem(purchase)
  return `${step} ${canClick} ${useBalances().status} ${useOpenRedeems().status}`
}

test('a server without a window renders every hook, without requests', () => {
  const at = world({ ssr: true })
  // Without the option, the kit uses the storage of the page, if any.
  const kit = createRedeemkit({ baseUrl: 'http://service.test', merchantId: 'shop', pins: at.kit.pins })
  const Providers = providersOf({ config: at.config, kit })
  expect(globalThis.window).toBeUndefined()
  expect(
    renderToString(
      <Providers>
        <Page />
      </Providers>,
    ),
  ).toBe('notConnected false pending pending')
  expect(at.asked).toEqual([])
})
