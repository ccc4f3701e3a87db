// @vitest-environment happy-dom
import { onlineManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import { expect, test, vi } from 'vitest'
import { getBalances as getBalancesOf } from '../../api/endpoints/customer.ts'
import { buttonEnglish } from '../../core/userMessage/buttonEnglish.ts'
import { ptBr } from '../../languages/ptBr.ts'
import type { CheckedPurchase } from '../../redeem/redeemOptions.ts'
import type { RedeemEvent } from '../../redeem/redeemStep.ts'
import { getBalances } from '../actions/getBalances.ts'
import { login } from '../actions/login.ts'
import { getOpenRedeems, getOpenRedeemsQueryOptions, resumeRedeem } from '../actions/openRedeems.ts'
import { prepareRedeem } from '../actions/prepareRedeem.ts'
import { redeem } from '../actions/redeem.ts'
import { createRedeemButton } from '../createRedeemButton.ts'
import { describeRedeemButton } from '../describeRedeemButton.ts'
import { errorText } from '../errorText.ts'
import { hash, purchase, signInRoutes, wallet, world } from '../wagmi.fixture.ts'

// The network fails after the page is loaded, or a new version of the page is deployed.
vi.mock('./engine.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('./login.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

const state = createRedeemButton().getState()

test.each(Object.entries({ prepareRedeem, redeem, resumeRedeem, getOpenRedeems }))(
  '%s fails before the service, a node or the wallet is asked',
  async (_, act) => {
    const events: RedeemEvent[] = []
    const { config, kit, connect, asked, items } = world({ kit: { onEvent: (event) => events.push(event) } })
    await connect()
    items.set('redeemkit.purchase.1', 'signed')
    await expect(act(config, { kit, ...purchase })).rejects.toMatchObject({ name: 'ModuleLoadError' })
    expect(asked).toEqual([])
    const reported = events.map(({ errorCode }) => errorCode)
    expect(reported).toEqual(act === getOpenRedeems ? [] : ['ModuleLoadError'])
  },
)

test('a sign-in whose file is missing fails before any request to the service or the wallet', async () => {
  const { config, kit, connect, asked } = world(signInRoutes)
  await connect()
  const error = await login(config, { kit }).catch((error: unknown) => error)
  expect(asked).toEqual([])
  expect(errorText(kit, error)).toBe(buttonEnglish.ModuleLoadError)
})

test.each([
  ['English', {}, buttonEnglish],
  ['the language of the kit', { messages: ptBr }, ptBr],
])('the button shows the failure in %s, and a click checks again', async (_, change, texts) => {
  const { config, kit, connect } = world({ kit: change })
  await connect()
  const error = await prepareRedeem(config, { kit, ...purchase }).catch((error: Error) => error)
  const checked = { data: undefined, error: error as Error, isFetching: false } // it rejects
  expect(describeRedeemButton(config, { kit, ...purchase, checked, state })).toMatchObject({
    step: 'failed',
    canClick: true,
    label: texts['button.failed'],
    userMessage: texts.ModuleLoadError,
  })
})

test('a check from a persisted cache is not ready without the engine', async () => {
  const { config, kit, connect, clock } = world()
  await connect()
  const view = (data: object) =>
    describeRedeemButton(config, {
      kit,
      ...purchase,
      checked: { data: data as CheckedPurchase, error: null, isFetching: true }, // only these fields are read
      state,
    })
  expect(view({ state: 'ready', usableUntil: `${clock.ms}`, prepared: {} })).toMatchObject({
    step: 'checking',
    canClick: false,
    signing: undefined,
  })
  expect(view({ state: 'redeemed', hash })).toMatchObject({ step: 'done', explorerUrl: undefined })
})

test('without the engine, messageOf returns a message for an error, and undefined without an error', () => {
  const { kit } = world()
  expect(errorText(kit, new Error('x'))).toBe(buttonEnglish.page)
  expect([errorText(kit, null), errorText(kit, undefined)]).toEqual([undefined, undefined])
})

test('open purchases are listed once the network is back', async () => {
  const { config, kit, connect, items } = world()
  await connect()
  items.set('redeemkit.purchase.1', 'signed')
  const queries = new QueryClient()
  queries.mount()
  const list = new QueryObserver(queries, getOpenRedeemsQueryOptions(config, { kit }))
  const stop = list.subscribe(() => {})
  const failures = () => list.getCurrentResult().errorUpdateCount
  await expect.poll(failures).toBe(1)
  onlineManager.setOnline(false)
  onlineManager.setOnline(true)
  await expect.poll(failures).toBe(2)
  stop()
  queries.unmount()
})

test('an empty list of open purchases needs no engine', async () => {
  const { config, kit, connect, items } = world()
  await connect()
  items.set('of the page', 'x')
  expect(await getOpenRedeems(config, { kit })).toEqual({ open: [], unreadable: [] })
})

test('calls to the service need the engine only with `kit.client`', async () => {
  const { config, kit, connect, asked } = world()
  await connect()
  const call = () => getBalancesOf(kit.client.with({ wallet }), { creditSeed: 'my-shop' })
  await expect(call()).rejects.toMatchObject({ name: 'ModuleLoadError' })
  expect(asked).toEqual([])
  const own = await getBalances(config, { kit })
  expect(await call()).toEqual(own)
})
