import { expect, test } from 'vitest'
import { envHeader, envText, sandboxSettings } from './sandboxSettings.ts'

test('one line a value, named by the way to it', () => {
  expect(
    envText({
      url: 'http://127.0.0.1:4242',
      base: { chainId: 84532, rpcUrl: 'http://127.0.0.1:4242/rpc/base' },
    }),
  ).toBe(
    `${envHeader}\nREDEEMKIT_URL=http://127.0.0.1:4242\nREDEEMKIT_BASE_CHAIN_ID=84532\nREDEEMKIT_BASE_RPC_URL=http://127.0.0.1:4242/rpc/base\n`,
  )
})

test('a value is one value, whatever is in it', () => {
  expect(envText({ a: 'two words', b: '$(rm x)', c: "it's\nB=2", d: '' }).split('\n').slice(1)).toEqual([
    "REDEEMKIT_A='two words'",
    "REDEEMKIT_B='$(rm x)'",
    'REDEEMKIT_C="it\'s\\nB=2"',
    'REDEEMKIT_D=',
    '',
  ])
})

test('what signs a destinationAuthKey is among them, as the API key is', () => {
  const running = { apiKey: 'sk_1', jwtSecret: 'a secret', chains: {}, people: {} }
  // Of a running sandbox it reads no more than is there.
  expect(sandboxSettings(running as Parameters<typeof sandboxSettings>[0])).toMatchObject({
    apiKey: 'sk_1',
    jwtSecret: 'a secret',
  })
})
