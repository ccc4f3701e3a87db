import { describe, expect, test } from 'vitest'
import { shownOf } from '../core/errors/shownOf.fixture.ts'
import { createPaymentsClient } from './createPaymentsClient.ts'

const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const misplaced: Record<string, string> = {
  'a private key': `0x${key}`,
  'a private key without 0x': key,
  'a private key with a line break at its end': `0x${key}\n`,
  // 32 bytes in base58 are as long as an address
  'a short key': '7Ff2mXq9cT4vLw8hRbYz3N6kPdJs5GuAeB1iVoWt',
  'a session key with a line break at its end': 'Zk93mQ-xT71vLw_84hRbYc2N\n',
}

describe.each(Object.entries(misplaced))('%s in a wrong option is not shown', (_, secret) => {
  test.each(['wallet', 'sessionKey', 'signedMessage', 'deviceId', 'baseUrl'])('as %s', (field) => {
    const options = {
      baseUrl: 'https://service.example',
      merchantId: 'shop',
      blockchain: 'base',
      [field]: secret,
    }
    try {
      // JavaScript callers can pass such options
      createPaymentsClient(options as createPaymentsClient.Options)
    } catch (error) {
      expect(error).toMatchObject({ name: 'InvalidOptionError' })
      for (let at = 2; at + 8 <= secret.length; at++)
        expect(shownOf(error)).not.toContain(secret.slice(at, at + 8))
    }
  })
})

test('a mistyped address is shown', () => {
  expect(() =>
    createPaymentsClient({
      baseUrl: 'https://service.example',
      merchantId: 'shop',
      blockchain: 'base',
      wallet: '0x1234',
    }),
  ).toThrow('wallet "0x1234" cannot be used.')
})

const good = { baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' } as const

test.each([
  ['https://service.example/api', ''],
  ['https://service.example//api//', ''],
  ['https://service.example///', ''],
  ['https://service.example/pay/api/', '/pay'],
  ['https://service.example/api/pay', '/api/pay'],
  ['https://service.example/papi', '/papi'],
])('a base URL may end with /api, as in %s', (baseUrl, path) => {
  expect(createPaymentsClient({ ...good, baseUrl }).baseUrl).toBe(`https://service.example${path}`)
})

test('an API key is rejected', () => {
  expect(() => createPaymentsClient({ ...good, apiKey: 'key' } as never)).toThrow(
    'A browser client does not accept an API key.',
  )
})

test.each<[unknown, string]>([
  ['Base', 'blockchain "Base" cannot be used.'],
  [8453, 'blockchain 8453 cannot be used.'],
  [{ key }, 'blockchain cannot be used.'],
])('an invalid blockchain is shown unless it may be a secret: %o', (blockchain, says) => {
  expect(() => createPaymentsClient({ ...good, blockchain } as never)).toThrow(says)
})

test.each<[createPaymentsClient.Options['blockchain'], string, boolean]>([
  ['base', `0x${'a'.repeat(40)}`, true],
  ['base', `x0x${'a'.repeat(40)}`, false],
  ['base', `0x${'a'.repeat(41)}`, false],
  ['solana', 'a'.repeat(256), true],
  ['solana', 'a'.repeat(257), false],
  ['solana', 'two words', false],
  ['solana', '', false],
])('a wallet on %s may be %s: %s', (blockchain, wallet, isTaken) => {
  const create = () => createPaymentsClient({ ...good, blockchain, wallet })
  if (isTaken) expect(create().wallet).toBe(wallet)
  else expect(create).toThrow(expect.objectContaining({ name: 'InvalidOptionError', field: 'wallet' }))
})

test.each([1, 2 ** 31 - 1])('a timeout may be %s ms', (timeoutMs) => {
  expect(() => createPaymentsClient({ ...good, timeoutMs })).not.toThrow()
})
