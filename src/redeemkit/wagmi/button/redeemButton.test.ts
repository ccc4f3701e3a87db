// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { openRedeemError } from '../../redeem/openRedeem.ts'
import { creditsContract, nonce } from '../../redeem/redeem.fixture.ts'
import { loadEngine } from '../engine/loadEngine.ts'
import { chainId, hash, purchase, wallet, world } from '../wagmi.fixture.ts'
import { clickRedeemButton } from './clickRedeemButton.ts'
import { createRedeemButton } from './createRedeemButton.ts'
import { describeRedeemButton, purchaseOf } from './describeRedeemButton.ts'

const open = { wallet, nonce, creditsContract, chainId, validBefore: '1800000600' } as const
beforeAll(loadEngine)

const unread = { data: undefined, error: null, isFetching: true }

test('a redeem that may be submitted shows as open before anything is read again', async () => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const failed = {
    ...createRedeemButton().getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: openRedeemError(new Error('no answer'), open),
  }
  expect(describeRedeemButton(config, { ...request, checked: unread, state: failed })).toMatchObject({
    step: 'open',
    canClick: true,
  })
})

test.each([
  ['confirming', { hash }],
  ['lookingUp', {}],
])('a waiting redeem shows %s with %o', async (step, known) => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const { purchase: name } = purchaseOf(config, request)
  const waits = { ...createRedeemButton().getState(), status: 'running', step: 'waiting', ...known } as const
  const state = { ...waits, purchase: name }
  expect(describeRedeemButton(config, { ...request, checked: unread, state }).step).toBe(step)
})

test('the state of another account is not shown', async () => {
  const { config, kit, connect } = world()
  await connect()
  const failed = {
    ...createRedeemButton().getState(),
    status: 'failed' as const,
    error: new Error('of another'),
  }
  const shown = describeRedeemButton(config, {
    kit,
    ...purchase,
    checked: unread,
    state: { ...failed, purchase: 'other' },
  })
  expect(shown).toMatchObject({ step: 'preparing', error: null, userMessage: undefined })
})

test.each([
  ['signer', 'wrongChain', 'Your wallet is on a different network.'],
  // A click cannot fix it: the config maps that chain to a node of another chain.
  ['publicClient', 'preparing', 'Something went wrong on this page'],
])('%s on another network', async (field, step, text) => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const failed = {
    ...createRedeemButton().getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: new WrongNetworkError('x', { field }),
  }
  const shown = describeRedeemButton(config, { ...request, checked: unread, state: failed })
  expect(shown).toMatchObject({ step, userMessage: expect.stringContaining(text) })
})

test('an open redeem that needs another signature on another chain: a click switches, then resumes', async () => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const checked = { data: { state: 'open' as const, open }, error: null, isFetching: false }
  const { getState } = createRedeemButton()
  const elsewhere = {
    ...getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: new WrongNetworkError('x', { field: 'signer' }),
  }
  expect(describeRedeemButton(config, { ...request, checked, state: elsewhere }).step).toBe('wrongChain')
  // The error of `redeem` after a permit was submitted.
  const submitted = { ...elsewhere, error: openRedeemError(elsewhere.error, open) }
  expect(describeRedeemButton(config, { ...request, checked, state: submitted }).step).toBe('wrongChain')
  expect(describeRedeemButton(config, { ...request, checked, state: getState() }).step).toBe('open')
})

const checked = { data: { state: 'open' as const, open }, error: null, isFetching: false }
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a wallet in this page’s own browser on a phone', phone, 'injected', undefined, false],
  ['another app on a phone', phone, 'walletConnect', undefined, true],
  ['a phone beside a desktop', 'Mozilla/5.0 (X11; Linux x86_64)', 'walletConnect', undefined, false],
  ['a page that always asks for it', 'Mozilla/5.0 (X11; Linux x86_64)', 'injected', true, true],
  ['a page that never does', phone, 'walletConnect', false, false],
] as const)('second prompt with %s waits for a click: %s', async (_, userAgent, type, asked, waits) => {
  const { config, kit, connect } = world()
  await connect()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  const [connection] = [...config.state.connections.values()]
  Object.assign(connection?.connector ?? {}, { type })
  const button = createRedeemButton()
  const redeem = vi.spyOn(button, 'redeem').mockImplementation(() => {})
  clickRedeemButton(config, {
    ...purchase,
    kit,
    button,
    checked,
    check: () => {},
    run: () => new Promise(() => {}),
    ...(asked !== undefined && { secondClick: asked }),
  })
  expect(redeem.mock.calls.map(([{ secondClick }]) => secondClick)).toEqual([waits])
})
