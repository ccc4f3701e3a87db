import { expect, test } from 'vitest'
import { createSessions } from './sessions.ts'

const sessions = createSessions({ baseUrl: 'http://127.0.0.1:1', merchantId: 'lampfall', blockchain: 'base' })
const ask = (init: RequestInit, headers: Record<string, string> = {}) =>
  sessions.answer(
    new Request('http://127.0.0.1:4244/session', {
      ...init,
      headers: { host: '127.0.0.1:4244', ...headers },
    }),
  )
const signIn = { method: 'POST', body: JSON.stringify({ wallet: '0x', signedMessage: 'm' }) }

test.each([{}, { origin: 'https://other.example' }, { origin: 'null' }])(
  'a page from a different origin cannot sign in: %o',
  async (headers) => {
    expect((await ask(signIn, headers)).status).toBe(403)
  },
)

test('the page must send the wallet and its signature', async () => {
  const own = { origin: 'http://127.0.0.1:4244' }
  expect((await ask({ method: 'POST', body: '{' }, own)).status).toBe(400)
  expect((await ask({ method: 'POST', body: '{"wallet":"0x"}' }, own)).status).toBe(400)
})

test('requires a session of this server', async () => {
  const answer = await ask({ method: 'GET' }, { cookie: 'lampfall-session=made-up' })
  expect(await answer.json()).toEqual({ wallet: null })
})
