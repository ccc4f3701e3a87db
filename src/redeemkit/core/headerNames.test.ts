import { expect, test } from 'vitest'
import { InvalidOptionError } from './errors/inputErrors.ts'
import { headerNames } from './headerNames.ts'

test('headerNames returns the names of PROTOCOL.md 1.2', () => {
  expect(headerNames()).toEqual({
    sessionKey: 'x-svc-auth-session-key',
    wallet: 'x-svc-auth-wallet',
    blockchain: 'x-svc-auth-blockchain',
    userId: 'x-svc-auth-user-id',
    merchantId: 'x-svc-auth-merchant-id',
    signedMessage: 'x-svc-auth-signed-message',
    clientIp: 'x-svc-client-ip',
    deviceId: 'x-device-id',
  })
  expect(headerNames('x-acme-').wallet).toBe('x-acme-auth-wallet')
})

test.each(['', 'x', 'X-Acme-', 'x acme-', 'x-acme', '-', 'x--', 'x\n-', 'é-', `${'x'.repeat(64)}-`])(
  'rejects the prefix %j',
  (prefix) => {
    expect(() => headerNames(prefix)).toThrow(InvalidOptionError)
  },
)
