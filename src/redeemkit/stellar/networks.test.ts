import { describe, expect, test } from 'vitest'
import {
  feeBump,
  networkOf,
  signAuthEntry,
  signAuthMessage,
  signTransaction,
  stellarAdapter,
  stellarTransaction,
  usdcTransfer,
  verifyAuthMessage,
} from './index.ts'
import { forbidden, network } from './stellar.fixture.ts'

test.each([
  { usdc: {} },
  { ...network, networkPassphrase: undefined },
  { ...network, usdc: { ...network.usdc, contract: '' } },
])('a custom network must have every field', (environment) => {
  expect(() => networkOf(environment as never)).toThrow(
    expect.objectContaining({ name: 'UnknownNetworkError', field: 'environment' }),
  )
})

describe.each([undefined, null] as never[])('without any options (%j)', (options) => {
  const client = undefined as never
  test.each<[string, () => unknown]>([
    ['signTransaction', () => signTransaction(forbidden, options)],
    ['signAuthEntry', () => signAuthEntry(forbidden, options)],
    ['feeBump', () => feeBump(forbidden, options)],
    ['signAuthMessage', () => signAuthMessage(forbidden, options)],
    ['stellarTransaction', () => stellarTransaction(client, options)],
    ['usdcTransfer', () => usdcTransfer(client, options)],
  ])('%s rejects with a typed error', async (_, request) => {
    await expect(request()).rejects.toMatchObject({ name: 'UnknownNetworkError', field: 'environment' })
  })
  test.each<[string, () => unknown]>([
    ['verifyAuthMessage', () => verifyAuthMessage(options)],
    ['stellarAdapter', () => stellarAdapter(options)],
  ])('%s throws a typed error', (_, request) => {
    expect(request).toThrow(expect.objectContaining({ name: 'UnknownNetworkError' }))
  })
})
