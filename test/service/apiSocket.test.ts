import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { askBody, bytes32, goodAnswers, submitBody, wallet } from '../../src/redeemkit/api/api.fixture.ts'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import { getBalances } from '../../src/redeemkit/api/endpoints/customer.ts'
import { creditsAuthMsg, sendGaslessTx } from '../../src/redeemkit/api/endpoints/redeem.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      // A TCP server that listens has an address of this kind.
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

const http = (listener: RequestListener) => listen(createServer(listener))
/** Responds to the first request of each connection with these bytes, then runs `after`. */
const raw = (bytes: string, after: (socket: Socket) => void = () => {}) =>
  listen(
    createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(bytes, () => after(socket))
      })
    }),
  )

function clientOf(baseUrl: string, options: Partial<createPaymentsClient.Options> = {}) {
  return createPaymentsClient({
    baseUrl,
    merchantId: 'shop',
    blockchain: 'base',
    wallet,
    sessionKey: 'session-key-0123456789',
    retry: false,
    timeoutMs: 20_000,
    ...options,
  })
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('It did not fail.'),
    (error: unknown) => error,
  )
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('on a real socket', () => {
  test('sends a call and returns its response', async () => {
    const url = await http((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({ merchantId: 'shop', ...submitBody })
        expect(request.headers['x-svc-auth-session-key']).toBe('session-key-0123456789')
        expect(request.headers.authorization).toBeUndefined()
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ hash: bytes32 }))
      })
    })
    expect(await sendGaslessTx(clientOf(url), submitBody)).toEqual({ hash: bytes32 })
  })

  test('reads a chunked response that is split inside a character', async () => {
    const body = Buffer.from(JSON.stringify({ ...goodAnswers['/api/customer/balances/shop'], note: '€' }))
    const url = await http(async (_, response) => {
      for (const byte of body)
        await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()))
      response.end()
    })
    expect(await getBalances(clientOf(url))).toMatchObject({ note: '€' })
  })

  test('reports a missing listener and an unknown host name', async () => {
    const url = await http(() => {})
    for (const close of closing.splice(0)) await close()
    expect(await errorOf(getBalances(clientOf(url)))).toMatchObject({
      name: 'ServiceUnreachableError',
      message: expect.stringContaining(url),
    })
    expect(await errorOf(sendGaslessTx(clientOf(url), submitBody))).toMatchObject({
      name: 'OutcomeUnknownError',
      nonce: bytes32,
      cause: { name: 'ServiceUnreachableError' },
    })
  })

  test('times out as configured without headers, without a body after the headers, and when the body stops', async () => {
    const urls = [
      await raw(''),
      await raw(`${head}content-length: 100\r\n\r\n`),
      await raw(`${head}\r\n{"hash":`),
    ]
    for (const url of urls) {
      expect(await errorOf(getBalances(clientOf(url, { timeoutMs: 100 })))).toMatchObject({
        name: 'ServiceTimeoutError',
        message: expect.stringContaining('100 ms'),
      })
      expect(await errorOf(sendGaslessTx(clientOf(url), submitBody, { timeoutMs: 100 }))).toMatchObject({
        name: 'OutcomeUnknownError',
        cause: { name: 'ServiceTimeoutError' },
      })
    }
  })

  test('a timeout is not retried', async () => {
    let asked = 0
    const url = await http(() => {
      asked++
    })
    expect(await errorOf(getBalances(clientOf(url, { retry: {}, timeoutMs: 1_000 })))).toMatchObject({
      name: 'ServiceTimeoutError',
    })
    expect(asked).toBe(1)
  })

  test('reports a connection that is reset before a response, within the headers, and within the body', async () => {
    const reset = (socket: Socket) => socket.resetAndDestroy()
    const urls = [
      await raw('', reset),
      await raw('HTTP/1.1 200 OK\r\ncontent-ty', reset),
      await raw(`${head}content-length: 100\r\n\r\n{"credits"`, reset),
      await raw(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"cre\r\n`, reset),
      await raw(`${head}content-length: 100\r\n\r\n{}`, (socket) => socket.end()),
      await raw('SSH-2.0-garbage\r\n', (socket) => socket.end()),
    ]
    for (const url of urls) {
      expect(await errorOf(getBalances(clientOf(url)))).toMatchObject({ name: 'ServiceUnreachableError' })
      expect(await errorOf(sendGaslessTx(clientOf(url), submitBody))).toMatchObject({
        name: 'OutcomeUnknownError',
      })
    }
  })

  test('uses an error status even if its body breaks off', async () => {
    const url = await raw('HTTP/1.1 412 x\r\ncontent-length: 100\r\n\r\n{"code"', (socket) =>
      socket.resetAndDestroy(),
    )
    expect(await errorOf(sendGaslessTx(clientOf(url), submitBody))).toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'UnknownServiceError', status: 412 },
    })
  })

  test('an endless response is aborted after maxAnswerBytes', async () => {
    let closed = () => {}
    const hangUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await http((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      response.on('close', closed)
      more()
    })
    expect(await errorOf(getBalances(clientOf(url, { maxAnswerBytes: 100_000 })))).toMatchObject({
      name: 'InvalidAnswerError',
      message: expect.stringContaining('more than 100000 bytes'),
    })
    await hangUp
  })

  test('a redirect is not followed: no credential reaches another host', async () => {
    let reached = 0
    const other = await http((_, response) => {
      reached++
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await http((_, response) => {
        response.writeHead(status, { location: `${other}/api/customer/balances/shop` }).end()
      })
      expect(await errorOf(getBalances(clientOf(url)))).toMatchObject({
        name: 'InvalidAnswerError',
        status,
        message: expect.stringContaining('redirect'),
      })
      expect(await errorOf(sendGaslessTx(clientOf(url), submitBody))).toMatchObject({
        name: 'OutcomeUnknownError',
      })
    }
    expect(reached).toBe(0)
  })

  test('aborting closes the connection', async () => {
    const controller = new AbortController()
    let closed = () => {}
    const hangUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await http((request) => {
      request.socket.on('close', closed)
      controller.abort()
    })
    expect(
      await errorOf(creditsAuthMsg(clientOf(url), askBody, { signal: controller.signal })),
    ).toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'lookUp',
    })
    await hangUp
  })

  test('a read is retried after a broken connection, with the real delays', async () => {
    let asked = 0
    const url = await http((request, response) => {
      if (++asked === 1) request.socket.resetAndDestroy()
      else response.end(JSON.stringify(goodAnswers['/api/customer/balances/shop']))
    })
    await getBalances(clientOf(url, { retry: { baseMs: 1 } }))
    expect(asked).toBe(2)
  })
})
