import { expect, test } from 'vitest'
import { authRoutes } from '../auth/authRoutes.ts'
import { createApp } from '../http/createApp.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { registerBusiness } from './registerBusiness.ts'

test('a random-nonce service returns a 451 with its links as top-level fields', async () => {
  const { service, close } = await testService()
  const app = createApp({ ...service, kind: 'randomNonce' }, [...authRoutes, registerBusiness])
  const user = { authorization: testKeys.shop, 'x-svc-auth-user-id': 'ada' }
  const { key } = await (await app.request('/api/auth/session-key', { headers: user })).json()
  const response = await app.request('/api/withdraw/kyb', {
    method: 'POST',
    headers: {
      ...user,
      'content-type': 'application/json',
      'x-svc-auth-session-key': key,
      'x-svc-auth-wallet': '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      'x-svc-auth-blockchain': 'base',
    },
    body: JSON.stringify({
      merchantId: 'shop',
      country: 'DE',
      email: 'ada@engines.example',
      redirectLink: 'https://shop.example/back',
    }),
  })
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 451,
    body: {
      message: 'Error Processing your request',
      details: expect.any(String),
      verificationLink: expect.stringContaining('/sandbox/verifications/ver_'),
      redirectLink: 'https://shop.example/back',
    },
  })
  await close()
})
