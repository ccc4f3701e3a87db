import { expect, test } from 'vitest'
import { checkPrepared } from './checkPrepared.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { chainId, fakeService, now, pinned, stranger, token, wallet } from './redeem.fixture.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token }
const options = { pinned, request, wallet, now }
const stored = async (): Promise<PreparedRedeem> =>
  JSON.parse(JSON.stringify(await prepareRedeem(fakeService().client, { ...request, chainId, pinned })))

test('a stored redeem that matches may be shown', async () => {
  const data = await stored()
  expect(checkPrepared(data, options)).toStrictEqual(data)
})

test('the result is frozen', async () => {
  expect(Object.isFrozen(checkPrepared(await stored(), options))).toBe(true)
})

test.each<[string, Partial<checkPrepared.Options>, string, string]>([
  [
    'another cart',
    { request: { ...request, subtotal: { cents: 1200 } } },
    'PreparedMismatchError',
    'request.subtotal.cents',
  ],
  [
    'another contract',
    { pinned: { ...pinned, creditsContract: stranger } },
    'PreparedMismatchError',
    'pinned.creditsContract',
  ],
  ['another wallet', { wallet: stranger }, 'PreparedMismatchError', 'wallet'],
  ['no request', { request: undefined as never }, 'PinsRequiredError', 'request'],
  ['no pins', { pinned: undefined as never }, 'PinsRequiredError', 'pinned'],
  ['a later time', { now: () => now() + 3_600_000 }, 'ExpiredError', 'validBefore'],
])('%s: may not', async (_, change, name, field) => {
  const data = await stored()
  expect(() => checkPrepared(data, { ...options, ...change })).toThrow(
    expect.objectContaining({ name, field }),
  )
})

test.each<[string, (data: PreparedRedeem) => object]>([
  ['another summary', (data) => ({ ...data, summary: 'Pays nothing.' })],
  ['another amount', (data) => ({ ...data, amount: '1' })],
  ['another answer', (data) => ({ ...data, answer: { ...data.answer, creditsRawAmount: 1 } })],
  ['no fields', () => ({})],
])('%s in the storage: may not', async (_, change) => {
  const data = await stored()
  expect(() => checkPrepared(change(data) as PreparedRedeem, options)).toThrow(
    expect.objectContaining({ name: 'StoredRedeemError' }),
  )
})
