import { describe, expect, test } from 'vitest'
import { shownOf } from '../core/errors/shownOf.fixture.ts'
import { createPaymentsClient } from './createPaymentsClient.ts'

const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const misplaced: Record<string, string> = {
  'a private key': `0x${key}`,
  'a private key without 0x': key,
  'a private key with a line break behind it': `0x${key}\n`,
  // 32 bytes in base58 are as long as an address
  'a short key': '7Ff2mXq9cT4vLw8hRbYz3N6kPdJs5GuAeB1iVoWt',
  'a session key with a line break behind it': 'Zk93mQ-xT71vLw_84hRbYc2N\n',
}

describe.each(Object.entries(misplaced))('%s in a wrong place is not shown', (_, secret) => {
  test.each(['wallet', 'sessionKey', 'signedMessage', 'deviceId', 'baseUrl'])('as %s', (field) => {
    const options = {
      baseUrl: 'https://service.example',
      merchantId: 'shop',
      blockchain: 'base',
      [field]: secret,
    }
    try {
      // As plain JavaScript would call it.
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
