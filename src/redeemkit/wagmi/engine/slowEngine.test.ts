// @vitest-environment happy-dom
import { getConnection } from '@wagmi/core'
import { beforeEach, expect, test, vi } from 'vitest'
import { english } from '../../core/userMessage/userMessages.ts'
import { login } from '../actions/login.ts'
import { getOpenRedeems, resumeRedeem } from '../actions/openRedeems.ts'
import { prepareRedeem } from '../actions/prepareRedeem.ts'
import { redeem } from '../actions/redeem.ts'
import { clickRedeemButton } from '../clickRedeemButton.ts'
import { createRedeemButton } from '../createRedeemButton.ts'
import { errorText } from '../errorText.ts'
import { otherChainId, purchase, signInRoutes, stranger, world } from '../wagmi.fixture.ts'

// The test decides when the engine is loaded.
const slow = vi.hoisted(() => ({ load: () => {}, loading: Promise.resolve() }))
vi.mock('./loadEngine.ts', () => ({
  loadEngine: async () => {
    await slow.loading
    return import('./engine.ts')
  },
  loadedEngine: () => undefined,
}))

beforeEach(() => {
  slow.loading = new Promise((resolve) => {
    slow.load = resolve
  })
})

test.each(Object.entries({ prepareRedeem, redeem, resumeRedeem, getOpenRedeems }))(
  '%s uses the account at the time of the call, not one selected while the engine loads',
  async (_, act) => {
    const { config, kit, connect, wallet, asked, items } = world()
    await connect()
    items.set('redeemkit.purchase.1', 'of another purchase')
    const running = act(config, { kit, ...purchase })
    wallet.state.accounts = [stranger]
    wallet.emit('accountsChanged', [stranger])
    expect(getConnection(config).address).toBe(stranger)
    slow.load()
    await expect(running).rejects.toMatchObject({ name: 'WrongSignerError', field: 'wallet' })
    expect(asked).not.toContain('wallet eth_signTypedData_v4')
  },
)

test('without the engine, a sign-in uses the account at the time of the call, and its errors have messages', async () => {
  const { config, kit, connect, wallet, asked } = world(signInRoutes)
  await connect()
  const running = login(config, { kit })
  wallet.state.accounts = [stranger]
  wallet.emit('accountsChanged', [stranger])
  const error = await running.catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'WrongSignerError', field: 'wallet' })
  expect(asked).not.toContain('wallet personal_sign')
  expect(errorText(kit, error)).toBe(english.WrongSignerError)
})

test('redeem uses the chain at the time of the call, not one selected while the engine loads', async () => {
  const { config, kit, connect, wallet, asked } = world()
  const [pin] = kit.pins
  const both = { ...kit, pins: [{ ...pin, chainId: otherChainId }, pin] as typeof kit.pins }
  await connect()
  const running = redeem(config, { kit: both, ...purchase })
  wallet.state.chainId = otherChainId
  wallet.emit('chainChanged', `0x${otherChainId.toString(16)}`)
  slow.load()
  await expect(running).rejects.toMatchObject({ name: 'WrongNetworkError' })
  expect(asked).not.toContain('wallet eth_signTypedData_v4')
})

test('a network switch that is canceled while the engine loads opens no prompt', async () => {
  const { config, kit, connect, wallet, asked } = world()
  wallet.state.chainId = otherChainId
  await connect()
  const button = createRedeemButton()
  const checked = { data: undefined, error: null, isFetching: true }
  const run = () => new Promise<never>(() => {})
  const click = () => clickRedeemButton(config, { ...purchase, kit, button, checked, check: () => {}, run })
  click()
  expect(button.getState().status).toBe('switchingChain')
  button.cancel()
  expect(button.getState().status).toBe('idle')
  click()
  slow.load()
  await expect.poll(() => button.getState().status).toBe('idle')
  expect(asked.filter((call) => call === 'wallet wallet_switchEthereumChain')).toHaveLength(1)
})

test('a redeem that is aborted while the engine loads opens no prompt', async () => {
  const { config, kit, connect, asked } = world()
  await connect()
  const button = createRedeemButton()
  const ended = new Promise((resolve) => {
    button.redeem({
      purchase: 'one',
      secondClick: false,
      run: (control) => {
        const running = redeem(config, { kit, ...purchase, ...control })
        running.then(resolve, resolve)
        return running
      },
    })
  })
  button.reset()
  slow.load()
  expect(await ended).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
  expect(asked.filter((call) => call.startsWith('wallet eth_sign'))).toEqual([])
})

test('two buttons for one order sign once', async () => {
  const { config, kit, connect, asked } = world()
  await connect()
  const order = { kit, ...purchase, purchaseId: 'order' }
  const both = [redeem(config, order), redeem(config, order)]
  slow.load()
  const [one, other] = await Promise.all(both)
  expect(one?.hash).toBe(other?.hash)
  expect(asked.filter((call) => call.startsWith('wallet eth_sign'))).toHaveLength(1)
})
