import { expect, test } from 'vitest'
import { checksumOf } from './check/compare.ts'
import { checkPrepared } from './checkPrepared.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { chainId, fakeService, now, pinned, stranger, token, usdcAddress, wallet } from './redeem.fixture.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token }
const options = { pinned, request, wallet, now }
const simulated = { severity: 'warning', code: 'X', message: 'x' }
const stored = async (): Promise<PreparedRedeem> =>
  JSON.parse(JSON.stringify(await prepareRedeem(fakeService().client, { ...request, chainId, pinned })))

test('a matching stored redeem is returned unchanged', async () => {
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
  ['another order', { purchaseId: 'order 2' }, 'PreparedMismatchError', 'purchaseId'],
  ['no request', { request: undefined as never }, 'PinsRequiredError', 'request'],
  ['no pins', { pinned: undefined as never }, 'PinsRequiredError', 'pinned'],
  ['a later time', { now: () => now() + 3_600_000 }, 'ExpiredError', 'validBefore'],
])('%s is rejected', async (_, change, name, field) => {
  const data = await stored()
  expect(() => checkPrepared(data, { ...options, ...change })).toThrow(
    expect.objectContaining({ name, field }),
  )
})

test.each([
  ['request', { request: { ...request, subtotal: { cents: 1200 } } }],
  ['deployment', { pinned: { ...pinned, creditSeed: 'other' } }],
])('the fix names what differs: another %s', async (what, change) => {
  const data = await stored()
  expect(() => checkPrepared(data, { ...options, ...change })).toThrow(`is for a different ${what} than`)
})

test.each<[string, (data: PreparedRedeem) => object]>([
  ['another summary', (data) => ({ ...data, summary: 'Pays nothing.' })],
  ['another amount', (data) => ({ ...data, amount: '1' })],
  ['another answer', (data) => ({ ...data, answer: { ...data.answer, creditsRawAmount: 1 } })],
  ['a list instead of a record', (data) => ({ ...data, request: Object.values(data.request) })],
  ['a dry run that is not a list', (data) => ({ ...data, dryRun: { 0: simulated } })],
  ['no fields', () => ({})],
])('%s in the storage is rejected', async (_, change) => {
  const data = await stored()
  expect(() => checkPrepared(change(data) as PreparedRedeem, options)).toThrow(
    expect.objectContaining({ name: 'StoredRedeemError' }),
  )
})

/** Lists all values in plain data, each with its path of keys. */
const valuesIn = (data: object): [string[], unknown][] =>
  Object.entries(data).flatMap(([key, value]) => [
    [[key], value] as [string[], unknown],
    ...(typeof value === 'object' && value !== null ? valuesIn(value) : []).map(
      ([keys, inner]): [string[], unknown] => [[key, ...keys], inner],
    ),
  ])

test.each<[unknown]>([[null], [{}], [[]]])('any stored value replaced by %j is rejected', async (other) => {
  const data = await stored()
  for (const [keys, value] of valuesIn(data)) {
    if (JSON.stringify(value) === JSON.stringify(other)) continue
    const changed = structuredClone(data)
    const last = keys.at(-1) as string // never empty
    Object.assign(
      keys.slice(0, -1).reduce((at, key) => Reflect.get(at, key), changed as object),
      {
        [last]: other,
      },
    )
    expect(() => checkPrepared(changed, options), keys.join('.')).toThrow(
      expect.objectContaining({
        name: expect.stringMatching(/^(StoredRedeemError|PreparedMismatchError)$/),
      }),
    )
  }
})

test('a pinned bridge adapter does not affect a redeem without a bridge', async () => {
  const data = await stored()
  const bridged = { ...pinned, bridgeAdapter: stranger }
  expect(checkPrepared(data, { ...options, pinned: bridged })).toStrictEqual(data)
})

test('the same price in another unit is a different request', async () => {
  const data = await stored()
  const subtotal = { address: usdcAddress, amount: '10' }
  expect(() => checkPrepared(data, { ...options, request: { ...request, subtotal } })).toThrow(
    expect.objectContaining({ name: 'PreparedMismatchError', field: 'request.subtotal.address' }),
  )
})

test('a finding without a message is rejected, even with a matching checksum', async () => {
  const data = await stored()
  const unreadable = { code: 'X' } as never
  const dryRun = [simulated, unreadable] as PreparedRedeem['dryRun'] & object
  const { checksum: _, ...rest } = { ...data, dryRun, findings: [...dryRun, ...data.findings] }
  expect(() => checkPrepared({ ...rest, checksum: checksumOf(rest) }, options)).toThrow(
    expect.objectContaining({ name: 'StoredRedeemError', field: 'prepared.dryRun' }),
  )
})

test('the error names the changed field', async () => {
  const data = await stored()
  for (const field of ['salt', 'orderKey'] as const)
    expect(() => checkPrepared({ ...data, [field]: '0x12' }, options)).toThrow(
      expect.objectContaining({ name: 'StoredRedeemError', field: `prepared.${field}` }),
    )
  expect(() => checkPrepared({ ...data, answer: 5 as never }, options)).toThrow(
    expect.objectContaining({ name: 'StoredRedeemError', field: 'prepared.answer' }),
  )
})

test.each<[string, object | undefined | null, string]>([
  ['nothing', undefined, 'There is no stored redeem.'],
  ['null', null, 'There is no stored redeem.'],
  ['a text', Object('x'), 'The data is not a stored redeem.'],
  ['a promise', Promise.resolve(), '; await it first.'],
  ['data of a later version', { version: 2 }, 'The data is not a prepared redeem of version 1.'],
])('the error describes the data: %s', (_, data, says) => {
  expect(() => checkPrepared(data as PreparedRedeem, options)).toThrow(says)
})

const ones = (bytes: number) => '11'.repeat(bytes)
test.each([
  ['the end', `0x${ones(63)}22`, `0x${ones(63)}33`, '…111111111122', '…111111111133'],
  ['the beginning', `0x22${ones(63)}`, `0x33${ones(63)}`, `0x22${ones(24)}`, `0x33${ones(24)}`],
  ['their length', `0x${ones(40)}`, '0x', `0x${ones(24)}11`, '0x'],
  ['80 characters', `0x${ones(38)}22`, `0x${ones(39)}`, `0x${ones(38)}22`, `0x${ones(39)}`],
])('the error shows where call data differs: %s', async (_, own, other, expected, actual) => {
  const call = (contractData: string) => ({
    ...request,
    transactionData: { type: 'normal', contractAddress: stranger, contractData },
  })
  const data = { ...(await stored()), request: call(other) } as PreparedRedeem
  const stop = () => checkPrepared(data, { ...options, request: call(own) as never })
  expect(stop).toThrow(
    expect.objectContaining({
      field: 'request.transactionData.contractData',
      expected: JSON.stringify(expected),
      actual: JSON.stringify(actual),
    }),
  )
})
