import { request } from 'node:http'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../servers/listen.ts'
import { createApp } from '../http/createApp.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { authRoutes, createSessionKey } from './authRoutes.ts'

const claims = {
  merchantId: 'shop',
  userId: 'alice',
  wallet: undefined,
  issuedAt: new Date('2026-05-01T12:00:00.900Z'),
  expiresAt: new Date('2026-05-02T12:00:00.900Z'),
}

test('is a JWT with merchant, end user and expiry', async () => {
  const key = await createSessionKey(claims)
  expect(decodeProtectedHeader(key)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(decodeJwt(key)).toEqual({
    merchantId: 'shop',
    userId: 'alice',
    iat: Date.UTC(2026, 4, 1, 12) / 1000,
    exp: Date.UTC(2026, 4, 2, 12) / 1000,
  })
})

test('is different each time', async () => {
  expect(await createSessionKey(claims)).not.toBe(await createSessionKey(claims))
})

let fixture: Awaited<ReturnType<typeof testService>>
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  fixture = await testService()
  server = await listen({ fetch: createApp(fixture.service, authRoutes).fetch, port: 0 })
})
afterAll(async () => {
  await server?.close()
  await fixture?.close()
})

/** Deployed clients send an empty object with this GET, which `fetch` does not allow (PROTOCOL.md 2.4). */
test.each(['', '{}'])('accepts a GET with the body "%s"', async (body) => {
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) => {
      const call = request(
        `${server.url}/api/auth/session-key`,
        {
          method: 'GET',
          headers: {
            authorization: testKeys.shop,
            'x-svc-auth-user-id': 'u-1',
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (answer) => {
          let text = ''
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.on('end', () => resolve({ status: answer.statusCode, text }))
        },
      )
      call.on('error', reject)
      call.end(body)
    },
  )
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual({ key: expect.stringMatching(/^ey/) })
})
