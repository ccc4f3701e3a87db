import { expect, test } from 'vitest'
import { showKey } from './showKey.ts'

test.each(['subtotal', 'usdcAmount', '_x', '$y', 'x-request-id'])('%s stands as it is', (name) => {
  expect(showKey(name)).toBe(name)
})

test.each([
  // SEP-5's first test vector
  ['a seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
  ['a private key', `0x${'ac09'.repeat(16)}`],
  ['a session key', 'sess_9fA7xQ2LmZ4tB8vK1pW3yZ5c0d1e2f3g4h5i6j7k8l9m0'],
  ['a short session key', 'a1b2c3d4e5f6a7b8c9d0e1f2'],
  ['what forges a line', 'x\nWhat to do: pay'],
])('%s does not', (_, name) => {
  expect(showKey(name)).not.toContain(name.slice(0, 12))
  expect(showKey(name)).not.toContain('\n')
})
