// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { openRedeemError } from '../../redeem/openRedeem.ts'
import { creditsContract, nonce } from '../../redeem/redeem.fixture.ts'
import { chainId, hash, purchase, wallet, world } from '../wagmi.fixture.ts'
import { createRedeemPress } from './createRedeemPress.ts'
import { purchaseOf, redeemButton } from './redeemButton.ts'

const open = { wallet, nonce, creditsContract, chainId, validBefore: '1800000600' } as const
const unread = { data: undefined, error: null, isFetching: true }

test('what may have been sent is open at once, before anything is read again', async () => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const failed = {
    ...createRedeemPress().getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: openRedeemError(new Error('no answer'), open),
  }
  expect(redeemButton(config, { ...request, checked: unread, press: failed })).toMatchObject({
    step: 'open',
    canPress: true,
  })
})

test.each([
  ['confirming', { hash }],
  ['lookingUp', {}],
])('what is waited for is %s with %o', async (step, known) => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const { purchase: name } = purchaseOf(config, request)
  const waits = { ...createRedeemPress().getState(), status: 'running', step: 'waiting', ...known } as const
  const press = { ...waits, purchase: name }
  expect(redeemButton(config, { ...request, checked: unread, press }).step).toBe(step)
})

test('what another account was pressed for is not shown', async () => {
  const { config, kit, connect } = world()
  await connect()
  const failed = {
    ...createRedeemPress().getState(),
    status: 'failed' as const,
    error: new Error('of another'),
  }
  const shown = redeemButton(config, {
    kit,
    ...purchase,
    checked: unread,
    press: { ...failed, purchase: 'other' },
  })
  expect(shown).toMatchObject({ step: 'preparing', error: null, userMessage: undefined })
})

test.each([
  ['signer', 'wrongChain', 'Your wallet is on a different network.'],
  // A press cannot switch it: the config gives that chain a node of another one.
  ['publicClient', 'preparing', 'Something went wrong on this page'],
])('another network of the %s', async (field, step, words) => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const failed = {
    ...createRedeemPress().getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: new WrongNetworkError('x', { field }),
  }
  const shown = redeemButton(config, { ...request, checked: unread, press: failed })
  expect(shown).toMatchObject({ step, userMessage: expect.stringContaining(words) })
})

test('what is open and has to be signed once more on another chain: a press switches, and then goes on', async () => {
  const { config, kit, connect } = world()
  await connect()
  const request = { kit, ...purchase }
  const checked = { data: { state: 'open' as const, open }, error: null, isFetching: false }
  const { getState } = createRedeemPress()
  const elsewhere = {
    ...getState(),
    ...purchaseOf(config, request),
    status: 'failed' as const,
    error: new WrongNetworkError('x', { field: 'signer' }),
  }
  expect(redeemButton(config, { ...request, checked, press: elsewhere }).step).toBe('wrongChain')
  // As `redeem` throws it once a permit has left.
  const left = { ...elsewhere, error: openRedeemError(elsewhere.error, open) }
  expect(redeemButton(config, { ...request, checked, press: left }).step).toBe('wrongChain')
  expect(redeemButton(config, { ...request, checked, press: getState() }).step).toBe('open')
})
