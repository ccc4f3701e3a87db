import { describe, expect, test } from 'vitest'
import { shownOf } from '../core/errors/shownOf.fixture.ts'
import { authMessageResponse } from '../schema/auth.ts'
import { askBody, bytes32, fakeClient, fakeService, submitBody, wallet } from './api.fixture.ts'
import { verifyAuth } from './endpoints/auth.ts'
import { getBalances } from './endpoints/customer.ts'
import { creditsAuthMsg, sendGaslessTx } from './endpoints/redeem.ts'
import type { PaymentsClient } from './paymentsClient.ts'

const sessionKey = 'Zk93mQ-xT71vLw_84hRbYc2N'
const signedMessage = 'q0+Jx8Wm/3Lr5Tz1Vn7Bk2Hd9Gf4Sc6Pa==Ye'
const messageOfOneCall = 'Nw6/bY2+Kt8Xd4Lz0Rg7/Pc3Ve1Hj5==Ub'
const r = '4fd1c29be07a3865'.repeat(4)
const s = '6a0e8d713bf5924c'.repeat(4)
const permit = '93d0b7f6125ca84e'.repeat(8)
const secrets = { sessionKey, signedMessage, messageOfOneCall, r, s, permit }
/** The credentials of one call only. In other calls, the same text is the service's own. */
const sentBy: Record<string, string> = {
  messageOfOneCall: 'verifyAuth, a request without the other credentials',
  r: 'sendGaslessTx',
  s: 'sendGaslessTx',
  permit: 'sendGaslessTx',
}

/** A client with every credential, whose service answers so. */
function clientOf(status: number, body: string, headers: Record<string, string> = {}): PaymentsClient {
  return fakeClient(fakeService(), {
    sessionKey,
    signedMessage,
    retry: false,
    fetch: () => new Response(body, { status, headers }),
  }).client
}

const calls: Record<string, (client: PaymentsClient) => Promise<unknown>> = {
  getBalances: (client) => getBalances(client),
  creditsAuthMsg: (client) => creditsAuthMsg(client, askBody),
  // A credential for this call alone.
  verifyAuth: (client) => verifyAuth(client, { signedMessage: messageOfOneCall }),
  'a request without the other credentials': (client) =>
    client.request({
      method: 'GET',
      path: '/api/auth',
      headers: 'wallet',
      signedMessage: messageOfOneCall,
      answer: authMessageResponse,
      repeatable: true,
    }),
  sendGaslessTx: (client) =>
    sendGaslessTx(client, {
      ...submitBody,
      signedMessages: {
        permitCredits: `0x${permit}`,
        customerUsdcAuthData: {
          from: wallet,
          to: wallet,
          value: '1',
          validAfter: 0,
          validBefore: 1,
          nonce: bytes32,
          v: 27,
          r: `0x${r}`,
          s: `0x${s}`,
        },
      },
    }),
}

/** Pieces of a secret which a service may send back, each longer than a few characters. */
const pieces: Record<string, (secret: string) => string> = {
  whole: (secret) => secret,
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'first 10': (secret) => secret.slice(0, 10),
  'last 10': (secret) => secret.slice(-10),
  'URL-encoded': encodeURIComponent,
  'with 0x': (secret) => `0x${secret}`,
  'over the limit of what is shown': (secret) => 'word '.repeat(72) + secret,
}

/** Every part of an answer that an error may show. */
const places: Record<
  string,
  (text: string) => [status: number, body: string, headers?: Record<string, string>]
> = {
  message: (text) => [400, JSON.stringify({ message: text })],
  code: (text) => [400, JSON.stringify({ code: text })],
  'code of another status': (text) => [418, JSON.stringify({ code: text.toUpperCase().replace(/\W/g, '') })],
  details: (text) => [412, JSON.stringify({ details: { [text]: [text] } })],
  issues: (text) => [400, JSON.stringify({ issues: [text, { path: ['a', text] }] })],
  requestId: (text) => [500, JSON.stringify({ requestId: text })],
  'the header of the request id': (text) => [500, '', { 'x-request-id': text }],
  'the header of a request id of an answer': (text) => [200, '[]', { 'x-request-id': text }],
  revertReason: (text) => [
    412,
    JSON.stringify({ code: 'SIMULATION_FAILED', details: { revertReason: text } }),
  ],
  challenge: (text) => [
    412,
    JSON.stringify({ code: 'CHALLENGE_REQUIRED', transactionId: text, url: `https://x.test/${text}` }),
  ],
  verificationLink: (text) => [451, JSON.stringify({ verificationLink: `https://x.test/?key=${text}` })],
  'a field of the record': (text) => [
    200,
    JSON.stringify({ hash: text, credits: text, usdc: { cents: text }, message: { text }, nonce: text }),
  ],
  'a header that is read as time': (text) => [429, '{}', { 'retry-after': text }],
  'text that is not JSON': (text) => [200, text],
  'a page': (text) => [502, `<h1>${text}</h1>`],
}

for (const [callName, call] of Object.entries(calls))
  describe(`${callName}: sent credentials are redacted`, () => {
    for (const [place, answer] of Object.entries(places))
      test(`in ${place}`, async () => {
        for (const [secretName, secret] of Object.entries(secrets)) {
          if (!(sentBy[secretName] ?? callName).includes(callName)) continue
          for (const [pieceName, piece] of Object.entries(pieces)) {
            const error: unknown = await call(clientOf(...answer(piece(secret)))).then(
              () => undefined,
              (error: unknown) => error,
            )
            // A call that expects no fields accepts an answer with fields.
            if (error === undefined) continue
            const shown = lettersOf(shownOf(error))
            for (const part of partsOf(lettersOf(secret)))
              expect(shown, `${secretName}, ${pieceName}`).not.toContain(part)
          }
        }
      })
  })

test('names the other fields of an answer unchanged', async () => {
  const client = clientOf(200, JSON.stringify({ credits: { cents: 'x' }, usdc: { cents: 1 } }))
  await expect(getBalances(client)).rejects.toMatchObject({
    name: 'InvalidAnswerError',
    remedy: 'tryAgain',
    field: 'credits.cents',
    message: expect.stringContaining('credits.cents is "x"'),
  })
})

const lettersOf = (text: string) => text.replace(/[^0-9a-z]/gi, '').toLowerCase()

/** Each run of 8 letters, which is as much as may not be seen. */
const partsOf = (letters: string) =>
  new Set(Array.from({ length: letters.length - 7 }, (_, at) => letters.slice(at, at + 8)))
