// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { creditsContract, nonce } from '../../redeem/redeem.fixture.ts'
import { chainId, purchase, wallet, world } from '../wagmi.fixture.ts'
import { createRedeemPress } from './createRedeemPress.ts'
import { pressRedeemButton } from './pressRedeemButton.ts'

const open = { wallet, nonce, creditsContract, chainId, validBefore: '1800000600' } as const
const checked = { data: { state: 'open' as const, open }, error: null, isFetching: false }
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a wallet in this page’s own browser on a phone', phone, 'injected', undefined, false],
  ['another app on a phone', phone, 'walletConnect', undefined, true],
  ['a phone beside a desktop', 'Mozilla/5.0 (X11; Linux x86_64)', 'walletConnect', undefined, false],
  ['a page that always asks for it', 'Mozilla/5.0 (X11; Linux x86_64)', 'injected', true, true],
  ['a page that never does', phone, 'walletConnect', false, false],
] as const)('%s: whether the second prompt waits for a press', async (_, userAgent, type, asked, waits) => {
  const { config, kit, connect } = world()
  await connect()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  const [connection] = [...config.state.connections.values()]
  Object.assign(connection?.connector ?? {}, { type })
  const press = createRedeemPress()
  const redeem = vi.spyOn(press, 'redeem').mockImplementation(() => {})
  pressRedeemButton(config, {
    ...purchase,
    kit,
    press,
    checked,
    check: () => {},
    run: () => new Promise(() => {}),
    ...(asked !== undefined && { secondPress: asked }),
  })
  expect(redeem.mock.calls.map(([{ secondPress }]) => secondPress)).toEqual([waits])
})
