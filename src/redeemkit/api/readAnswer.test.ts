import { describe, expect, test, vi } from 'vitest'
import { shownOf } from '../core/errors/shownOf.fixture.ts'
import { authMessageResponse } from '../schema/auth.ts'
import { loose } from '../schema/loose.ts'
import { emptyAnswer } from '../schema/values.ts'
import { askBody, bytes32, fakeClient, fakeService, submitBody, wallet } from './api.fixture.ts'
import { verifyAuth } from './endpoints/auth.ts'
import { getBalances } from './endpoints/customer.ts'
import { creditsAuthMsg, sendGaslessTx } from './endpoints/redeem.ts'
import type { PaymentsClient } from './paymentsClient.ts'
import { readAnswer, readText } from './readAnswer.ts'

const sessionKey = 'Zk93mQ-xT71vLw_84hRbYc2N'
const signedMessage = 'q0+Jx8Wm/3Lr5Tz1Vn7Bk2Hd9Gf4Sc6Pa==Ye'
const messageOfOneCall = 'Nw6/bY2+Kt8Xd4Lz0Rg7/Pc3Ve1Hj5==Ub'
const r = '4fd1c29be07a3865'.repeat(4)
const s = '6a0e8d713bf5924c'.repeat(4)
const permit = '93d0b7f6125ca84e'.repeat(8)
const secrets = { sessionKey, signedMessage, messageOfOneCall, r, s, permit }
/** Credentials that only one call sends. The errors of other calls may show them. */
const sentBy: Record<string, string> = {
  messageOfOneCall: 'verifyAuth, a request without the other credentials',
  r: 'sendGaslessTx',
  s: 'sendGaslessTx',
  permit: 'sendGaslessTx',
}

/** Creates a client with every credential, and with a service that returns this response. */
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
  // with a credential of this call only
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

/** Parts and forms of a secret that a service may send back. */
const pieces: Record<string, (secret: string) => string> = {
  whole: (secret) => secret,
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'first 10': (secret) => secret.slice(0, 10),
  'last 10': (secret) => secret.slice(-10),
  'URL-encoded': encodeURIComponent,
  'with 0x': (secret) => `0x${secret}`,
  'beyond the length that is shown': (secret) => 'word '.repeat(72) + secret,
}

/** Responses with text in every part that an error may show. */
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
  'the request id header of a response': (text) => [200, '[]', { 'x-request-id': text }],
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
  'a header that is parsed as a time': (text) => [429, '{}', { 'retry-after': text }],
  'text that is not JSON': (text) => [200, text],
  'a page': (text) => [502, `<h1>${text}</h1>`],
}

for (const [callName, call] of Object.entries(calls))
  describe(`${callName}: credentials that were sent are removed`, () => {
    for (const [place, answer] of Object.entries(places))
      test(`in ${place}`, async () => {
        for (const [secretName, secret] of Object.entries(secrets)) {
          if (!(sentBy[secretName] ?? callName).includes(callName)) continue
          for (const [pieceName, piece] of Object.entries(pieces)) {
            const error: unknown = await call(clientOf(...answer(piece(secret)))).then(
              () => undefined,
              (error: unknown) => error,
            )
            // a call that expects no record accepts any body
            if (error === undefined) continue
            const shown = lettersOf(shownOf(error))
            for (const part of partsOf(lettersOf(secret)))
              expect(shown, `${secretName}, ${pieceName}`).not.toContain(part)
          }
        }
      })
  })

test('the error shows the name of a field unchanged if it contains no credential', async () => {
  const client = clientOf(200, JSON.stringify({ credits: { cents: 'x' }, usdc: { cents: 1 } }))
  await expect(getBalances(client)).rejects.toMatchObject({
    name: 'InvalidAnswerError',
    remedy: 'tryAgain',
    field: 'credits.cents',
    message: expect.stringContaining('credits.cents is "x"'),
  })
})

test.each([
  [400, 'The service refused the redeem, but its permit was already sent.'],
  [412, 'The service refused the redeem, but its permit was already sent.'],
  [408, 'The outcome of the redeem is unknown.'],
  [500, 'The outcome of the redeem is unknown.'],
  [503, 'The outcome of the redeem is unknown.'],
])('a submit that ends with %s: %s', async (status, says) => {
  const submit = calls.sendGaslessTx?.(clientOf(status, '{}'))
  await expect(submit).rejects.toMatchObject({
    name: 'OutcomeUnknownError',
    message: expect.stringContaining(says),
    fix: expect.stringContaining('It may execute until 2027-01-15T08:00:00.000Z.'),
  })
})

describe('the body of a response', () => {
  const read = (response: Partial<Response>, maxBytes: number) =>
    readText(response as Response, maxBytes, (promise) => promise)
  const bytes = (text: string) => new TextEncoder().encode(text)

  test.each(['abcdef', 'éü', '€', '😀', 'a😀é'])('may have as many bytes as allowed: %s', async (text) => {
    const most = bytes(text).length
    // without a stream, the text is measured
    for (const response of [
      () => new Response(text),
      () => ({ headers: new Headers(), text: async () => text }),
    ]) {
      expect(await read(response(), most)).toBe(text)
      await expect(read(response(), most - 1)).rejects.toThrow(`more than ${most - 1} bytes`)
    }
  })

  test('may arrive in chunks that split a character, and is cancelled once it is too long', async () => {
    const pieces = [...bytes('a€b')].map((byte) => Uint8Array.of(byte))
    const cancel = vi.fn()
    const stream = () => {
      const left = [...pieces]
      const pull = (controller: ReadableStreamDefaultController) => {
        const next = left.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      }
      return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }))
    }
    expect(await read(stream(), 5)).toBe('a€b')
    expect(cancel).not.toHaveBeenCalled()
    await expect(read(stream(), 3)).rejects.toThrow('more than 3 bytes')
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('without streams is not read if its header says that it is too long', async () => {
    const text = vi.fn(async () => 'abc')
    const response = { headers: new Headers({ 'content-length': '4' }), text }
    await expect(read(response, 3)).rejects.toThrow('more than 3 bytes')
    expect(text).not.toHaveBeenCalled()
    expect(await read(response, 4)).toBe('abc')
  })

  test('must be UTF-8', async () => {
    const wrong = Uint8Array.of(0xff)
    for (const response of [
      new Response(wrong),
      { headers: new Headers(), arrayBuffer: async () => wrong.buffer },
    ])
      await expect(read(response, 9)).rejects.toThrow('not UTF-8')
    expect(await read({ headers: new Headers() }, 9)).toBe('')
  })
})

describe('a response', () => {
  const anything = { isAny: true, safeParse: (data: unknown) => ({ success: true, data }) } as const
  const nothing = loose(emptyAnswer)
  const read = (response: Partial<Response>, schema: object = anything, aborted = false) =>
    readAnswer(response as Response, {
      schema: schema as never,
      maxBytes: 10_000,
      secrets: () => [],
      signal: aborted ? AbortSignal.abort() : new AbortController().signal,
      race: (promise) => promise,
      now: () => 0,
    })

  test.each<[string, Partial<Response>]>([
    ['300', new Response('', { status: 300 })],
    ['399', new Response('', { status: 399 })],
    ['that fetch followed', Object.defineProperty(new Response('{}'), 'redirected', { value: true })],
    [
      'that is hidden from the page',
      Object.defineProperty(new Response('{}'), 'type', { value: 'opaqueredirect' }),
    ],
  ])('is invalid if it is a redirect: %s', async (_, response) => {
    await expect(read(response)).rejects.toThrow('with a redirect, which is never followed')
  })

  test.each([
    ['<html>', 'HTML or XML'],
    ['  <p>', 'HTML or XML'],
    ['12 <b>', 'text that is not JSON'],
    ['{"a":9007199254740993}', 'a JSON number that cannot be represented exactly'],
    [' ', 'an empty body'],
    ['hello', 'text that is not JSON'],
  ])('that is not a record is described in the error: %s', async (text, what) => {
    const schema = { safeParse: (data: unknown) => ({ success: true, data }), shape: { a: {} } }
    await expect(read(new Response(text), schema)).rejects.toThrow(`The service returned 200 with ${what}.`)
  })

  test.each([
    ['', undefined],
    [' ', undefined],
    ['Done', 'Done'],
    ['null', null],
    ['[1]', [1]],
  ])('may have any body if the schema accepts anything: %j', async (text, expected) => {
    expect(await read(new Response(text))).toEqual(expected)
    await expect(read(new Response('<html>'))).rejects.toThrow('HTML or XML')
  })

  const broken = (status: number) =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) }), {
      status,
    })

  test('whose body breaks off is reported with its error status, unless the call was aborted', async () => {
    await expect(read(broken(503))).rejects.toMatchObject({ status: 503 })
    await expect(read(broken(503), anything, true)).rejects.toThrow('reset')
    await expect(read(broken(200))).rejects.toThrow('reset')
    const early = { status: 199, headers: new Headers(), text: async () => '{}' }
    await expect(read(early)).rejects.toThrow('The service returned 199 with no final response.')
  })

  test.each([
    ['<html><head><title>T</title></head><body><h1>Bad</h1> gateway</body></html>', 'Bad gateway'],
    ['\n <style>p{}</style><p>Bad<script>x()</script> gateway', 'Bad gateway'],
    ['<head><title>Only a title</title></head>', 'Only a title'],
    ['<p>a &amp; b &lt;c&gt; &#39;d&#39; &unknown; e', "a & b <c> 'd' &unknown; e"],
    ['<p>cut <b', 'cut'],
    ['It failed\n    at run (/srv/app.js:10:5)\n    at main (/srv/app.js:1:2)', 'It failed'],
    ['It failed at 10:30', 'It failed at 10:30'],
    ['two\n\n  lines', 'two lines'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ])('with an error status shows its visible text on one line: %s', async (text, message) => {
    await expect(read(new Response(text, { status: 400 }))).rejects.toMatchObject({
      shortMessage: expect.stringContaining(`"${message.replaceAll('"', '\\"')}"`),
    })
  })

  test('shows at most 200 characters of a request id', async () => {
    const headers = { 'x-request-id': 'r'.repeat(300) }
    await expect(read(new Response('x', { headers }), nothing)).resolves.toEqual({})
    await expect(read(new Response('<p>', { headers }), nothing)).rejects.toMatchObject({
      requestId: 'r'.repeat(200),
    })
  })
})

const lettersOf = (text: string) => text.replace(/[^0-9a-z]/gi, '').toLowerCase()

/** Returns every sequence of 8 letters. None may remain in an error. */
const partsOf = (letters: string) =>
  new Set(Array.from({ length: letters.length - 7 }, (_, at) => letters.slice(at, at + 8)))
