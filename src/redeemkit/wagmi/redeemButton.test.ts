// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { UserRejectedError, WrongNetworkError } from '../core/errors/walletErrors.ts'
import type { UserMessages } from '../core/userMessage/userMessages.ts'
import { ptBr } from '../languages/ptBr.ts'
import { describeSigning } from '../redeem/describeSigning.ts'
import {
  AlreadyRedeemedError,
  InsufficientFundsError,
  OrderUsedError,
  RedeemCancelledError,
  RedeemWouldFailError,
} from '../redeem/errors.ts'
import { openRedeemError } from '../redeem/openRedeem.ts'
import { creditsContract, nonce, pinned } from '../redeem/redeem.fixture.ts'
import { clickRedeemButton } from './clickRedeemButton.ts'
import { createRedeemButton, type RedeemButtonState } from './createRedeemButton.ts'
import { describeRedeemButton, purchaseOf } from './describeRedeemButton.ts'
import { loadEngine } from './engine/loadEngine.ts'
import { prepareRedeem } from './engine/redeem.ts'
import { chainId, hash, otherChainId, purchase, stranger, wallet, world } from './wagmi.fixture.ts'

const open = { wallet, nonce, creditsContract, chainId, validBefore: '1800000600' } as const
beforeAll(loadEngine)

const unread = { data: undefined, error: null, isFetching: true }

test('a redeem that may be submitted is shown as open before anything is read', async () => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const failed = {
    ...createRedeemButton().getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: openRedeemError(new Error('no response'), open),
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
  // A click has no effect, because the config's node for that chain is on another chain.
  ['publicClient', 'preparing', 'Something went wrong on this page'],
])('the %s is on another network', async (field, step, text) => {
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

test('an open redeem that needs another signature on another chain: a click switches the chain, then resumes', async () => {
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

describe('what a button shows', () => {
  /** Connects a page, and returns the button's view for a state and a check. */
  async function page(change: Parameters<typeof world>[0] = {}) {
    const at = world(change)
    await at.connect()
    const request = { kit: at.kit, ...purchase }
    const { purchase: name } = purchaseOf(at.config, request)
    const view = (
      checked: Partial<describeRedeemButton.Parameters['checked']> = {},
      state: Partial<RedeemButtonState> = {},
    ) =>
      describeRedeemButton(at.config, {
        ...request,
        checked: { data: undefined, error: null, isFetching: false, ...checked },
        state: { ...createRedeemButton().getState(), purchase: name, ...state },
      })
    return { ...at, request, view, check: () => prepareRedeem(at.config, request) }
  }

  test.each<[Partial<RedeemButtonState>, string, string, boolean]>([
    [{}, 'checking', '', false],
    [{ step: 'preparing' }, 'preparing', '', false],
    [{ step: 'signing', prompt: 'creditPermit' }, 'signingPermit', '', true],
    [{ step: 'permitSigned' }, 'signingUsdc', '', true],
    [{ step: 'signing', prompt: 'usdcAuthorization' }, 'signingUsdc', '', true],
    [{ status: 'secondClick' }, 'secondClick', 'click', true],
    [{ status: 'switchingChain' }, 'switchingChain', '', true],
    [{ step: 'submitting' }, 'submitting', '', false],
    [{ step: 'stillWaiting' }, 'stillWaiting', '', false],
    [{ step: 'stillWaiting', sendNow: () => {} }, 'stillWaiting', 'click', false],
    [{ step: 'lookingUp' }, 'lookingUp', '', false],
    [{ step: 'submitted' }, 'confirming', '', false],
    [{ status: 'done' }, 'done', '', false],
  ])('in state %o: %s', async (state, step, click, canCancel) => {
    const { view, check } = await page()
    const data = await check()
    const shown = view({ data }, { status: 'running', ...state })
    expect(shown).toMatchObject({ step, canClick: click === 'click', canCancel })
    const isSigned = ['submitting', 'stillWaiting', 'lookingUp', 'confirming', 'done'].includes(step)
    expect(shown.signing === undefined).toBe(isSigned)
    expect(shown.prompts).toEqual(['creditPermit'])
    expect(shown.userMessage === undefined).toBe(step !== 'stillWaiting')
  })

  test('the button shows that a click can shorten the wait, and a click shortens it', async () => {
    const { view, config, request, check } = await page()
    const data = await check()
    const sendNow = vi.fn()
    const waits = { status: 'running', step: 'stillWaiting' } as const
    const [long, short] = [view({ data }, waits), view({ data }, { ...waits, sendNow })]
    expect(short.label).not.toBe(long.label)
    const button = createRedeemButton()
    const shown = { ...button.getState(), ...purchaseOf(config, request), ...waits, sendNow }
    vi.spyOn(button, 'getState').mockReturnValue(shown)
    const confirm = vi.spyOn(button, 'confirmSecondPrompt')
    const checked = { data, error: null, isFetching: false }
    const click = () =>
      clickRedeemButton(config, { ...request, button, check: () => {}, run: vi.fn(), checked })
    click()
    expect([sendNow.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 0])
    vi.spyOn(button, 'getState').mockReturnValue({ ...shown, sendNow: undefined })
    expect(click).not.toThrow()
    vi.spyOn(button, 'getState').mockReturnValue({ ...shown, status: 'secondClick' })
    click()
    expect([sendNow.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 1])
  })

  test('a transaction has a link as soon as its hash is known', async () => {
    const { view } = await page()
    expect(view().explorerUrl).toBeUndefined()
    const paid = { state: 'redeemed', nonce, hash } as const
    for (const shown of [view({ data: paid }), view({}, { status: 'running', step: 'submitted', hash })])
      expect(shown.explorerUrl).toMatch(new RegExp(`^https://.*${hash}$`))
  })

  test('a check can be used until its last second, while the wallet is connected', async () => {
    const { view, check, clock, kit, config } = await page()
    const data = await check()
    const end = 'usableUntil' in data ? Number(data.usableUntil) * 1000 : 0
    clock.ms = end - 1
    expect(view({ data }).step).toBe('ready')
    // A failed new check does not hide the earlier one.
    expect(view({ data, error: new Error('down') })).toMatchObject({ step: 'ready', error: null })
    config.setState((state) => ({ ...state, status: 'reconnecting' }))
    expect(view({ data }).step).toBe('checking')
    config.setState((state) => ({ ...state, status: 'connected' }))
    clock.ms = end
    expect(view({ data }).step).toBe('checking')
    expect(view({ data, isFetching: true, error: new Error('down') }).step).toBe('checking')
    expect(view({ data, error: new Error('down') })).toMatchObject({ step: 'failed', canClick: true })
    expect(kit.client.now()).toBe(end)
  })

  test.each([
    ['was used for another payment', new OrderUsedError('x', { paid: 10n, expected: 12n, hash, nonce })],
    ['was cancelled', new RedeemCancelledError({ nonce, wallet })],
    [
      'costs more than the wallet has',
      new InsufficientFundsError('x', { asset: 'credits', have: 1n, need: 2n }),
    ],
    ['would fail', new RedeemWouldFailError([])],
  ])('an order that %s is not offered, even if an older check has not expired', async (_, error) => {
    const { view, check } = await page()
    const data = await check()
    expect(view({ data, error })).toMatchObject({ step: 'failed', error })
    expect(view({ data, error, isFetching: true }).step).toBe('checking')
  })

  test('once a click finds that the order was used, it is not offered again, even before the next check', async () => {
    const { view, check } = await page()
    const data = await check()
    const error = new OrderUsedError('x', { paid: 10n, expected: 12n, hash, nonce })
    expect(view({ data }, { status: 'failed', error })).toMatchObject({ step: 'failed', error })
    expect(view({ data, isFetching: true }, { status: 'failed', error }).step).toBe('checking')
  })

  test('with random nonces nothing is checked before the click', async () => {
    const { view } = await page({ kit: { pins: [{ ...pinned, chainId, intentBound: false }] } })
    expect(view()).toMatchObject({ step: 'ready', canClick: true })
  })

  test('warnings about other chains are shown until everything is signed', async () => {
    const { view, check } = await page()
    const elsewhere = [{ severity: 'warning', code: 'ORDER_USED_ELSEWHERE', message: 'x' }] as const
    const data = { ...(await check()), elsewhere } as never
    expect(view({ data }).elsewhere).toEqual(elsewhere)
    expect(view({ data }, { status: 'running', step: 'submitting' }).elsewhere).toEqual([])
    expect(view()).toMatchObject({ elsewhere: [], prompts: [] })
  })

  test('a paid order shows its payment, and the payer if another account paid', async () => {
    const { view } = await page()
    const outcome = { wallet, nonce, creditsContract, hash } as never
    const data = { state: 'redeemed', nonce, hash, outcome } as const
    expect(view({ data })).toMatchObject({
      step: 'done',
      data: { chainId, hash, outcome },
      paidBy: undefined,
    })
    const bare = { state: 'redeemed', nonce, hash } as const
    expect(view({ data: bare })).toMatchObject({ step: 'done', data: undefined })
    const paid = new AlreadyRedeemedError('x', { paidBy: stranger })
    for (const shown of [view({ error: paid }), view({}, { status: 'failed', error: paid })])
      expect(shown).toMatchObject({ step: 'done', paidBy: stranger, data: undefined, error: paid })
    // The redeem failed while the customer waited.
    expect(view({}, { status: 'failed', error: paid, sendNow: () => {} }).canClick).toBe(false)
  })

  test('without a wallet, a click has no effect', async () => {
    const { config, kit } = world()
    const request = { kit, ...purchase }
    const state = createRedeemButton().getState()
    expect(describeRedeemButton(config, { ...request, checked: unread, state })).toMatchObject({
      step: 'notConnected',
      canClick: false,
    })
  })

  test.each([
    [{ cents: 1050 }, 'Pay $10.50'],
    [{ cents: 1050 }, 'Pagar US$\u00a010,50', ptBr],
    [{ cents: -1 }, 'Pay'],
    [{ cents: 1.5 }, 'Pay'],
    [undefined, 'Pay'],
    [null, 'Pay'],
  ])('the amount on the button: %o, %s', async (subtotal, label, messages: Partial<UserMessages> = {}) => {
    const { config, kit, request } = await page({
      kit: { messages, pins: [{ ...pinned, chainId, intentBound: false }] },
    })
    const state = createRedeemButton().getState()
    const parameters = { ...request, kit, subtotal, checked: unread, state } as never
    expect(describeRedeemButton(config, parameters).label).toBe(label)
  })

  test('the signing text and errors are in the kit’s language', async () => {
    const { view, check } = await page({ kit: { messages: ptBr } })
    const data = await check()
    if (data.state !== 'ready') throw new Error('It is not ready.')
    const rejected = { status: 'failed', error: new UserRejectedError('x') } as const
    expect(view({ data })).toMatchObject({ signing: describeSigning(data.prepared, { messages: ptBr }) })
    expect(view({ data }, rejected).userMessage).toBe(ptBr.UserRejectedError)
  })

  test('the message about a rejected network switch does not mention a payment', async () => {
    const { view } = await page()
    const messageFor = (about: 'payment' | 'other') =>
      view({}, { status: 'failed', error: new UserRejectedError('x'), about }).userMessage
    expect(messageFor('payment')).toContain('charged')
    expect(messageFor('other')).not.toContain('charged')
  })

  test('the button uses the chain that the page chooses', async () => {
    const pins = [chainId, otherChainId].map((id) => ({ ...pinned, chainId: id }))
    const { config, request } = await page({ kit: { pins } })
    const state = createRedeemButton().getState()
    const shown = describeRedeemButton(config, {
      ...request,
      chainId: otherChainId,
      checked: unread,
      state,
    })
    expect(shown).toMatchObject({ network: 'Sepolia', step: 'wrongChain' })
  })

  test('a click does what the button shows', async () => {
    const { config, request, check, clock, wallet: fake } = await page()
    const data = await check()
    const button = createRedeemButton()
    const run = vi.fn(() => new Promise<never>(() => {}))
    const again = vi.fn()
    const click = (checked: Partial<describeRedeemButton.Parameters['checked']>) =>
      clickRedeemButton(config, {
        ...request,
        button,
        check: again,
        run,
        checked: { data: undefined, error: null, isFetching: false, ...checked },
      })
    click({ isFetching: true })
    expect([again.mock.calls.length, run.mock.calls.length]).toEqual([0, 0])
    click({ error: new Error('down') })
    expect([again.mock.calls.length, run.mock.calls.length]).toEqual([1, 0])
    click({ data })
    expect(run).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ready: data, chainId }))
    // While a redeem runs, a click starts no check and no redeem.
    click({ data })
    expect([again.mock.calls.length, run.mock.calls.length]).toEqual([1, 1])
    button.reset()
    click({ data: { state: 'open', open } })
    expect(run).toHaveBeenLastCalledWith(expect.objectContaining({ ready: undefined }))
    button.reset()
    const { ms } = clock
    clock.ms += 3_600_000
    click({ data })
    expect([again.mock.calls.length, run.mock.calls.length]).toEqual([2, 2])
    clock.ms = ms
    fake.state.chainId = otherChainId
    fake.emit('chainChanged', `0x${otherChainId.toString(16)}`)
    click({ data })
    await expect.poll(() => fake.state.chainId).toBe(chainId)
  })
})

const checked = { data: { state: 'open' as const, open }, error: null, isFetching: false }
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a wallet in the same browser on a phone', phone, 'injected', undefined, false],
  ['another app on a phone', phone, 'walletConnect', undefined, true],
  ['a phone next to a desktop', 'Mozilla/5.0 (X11; Linux x86_64)', 'walletConnect', undefined, false],
  ['a page with secondClick: true', 'Mozilla/5.0 (X11; Linux x86_64)', 'injected', true, true],
  ['a page with secondClick: false', phone, 'walletConnect', false, false],
] as const)('with %s, the second prompt waits for a click: %s', async (_, userAgent, type, asked, waits) => {
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
