import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { FetchRequest, getAddress, JsonRpcProvider } from 'ethers'
import {
  createPublicClient,
  custom,
  HttpRequestError,
  http,
  RpcRequestError,
  UserRejectedRequestError,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { BaseError } from './baseError.ts'
import { ForeignCause, safeCause } from './safeCause.ts'
import { shownOf } from './shownOf.fixture.ts'

const secret = 'c0ffee5eed0123456789abcdefbadc0de5ea1ed0123456789abcdef01234567c'
const bearer = `Bearer ${secret}`

async function caught(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}

/** Errors as libraries throw them. Each contains the secret in the place where such errors contain the request's data. */
const foreign: Record<string, () => unknown> = {
  'a fetch of an invalid URL with a key in it': () => caught(() => fetch(`http://user:${secret}@`)),
  'a fetch with an invalid header': () =>
    caught(() => fetch('http://127.0.0.1:1/', { headers: { 'x-key': `${secret}\n${secret}` } })),
  'an abort with a reason': () =>
    caught(() => fetch('http://127.0.0.1:1/', { signal: AbortSignal.abort(new Error(secret)) })),
  'a body that is not JSON': () => caught(() => JSON.parse(secret)),
  'viem: HttpRequestError': () =>
    new HttpRequestError({
      url: `https://node.test/v2/${secret}`,
      body: { params: [secret] },
      headers: new Headers({ authorization: bearer }),
      details: secret,
      status: 500,
    }),
  'viem: RpcRequestError': () =>
    new RpcRequestError({
      url: `https://node.test/v2/${secret}`,
      body: { params: [secret] },
      error: { code: -32000, message: secret, data: secret },
    }),
  'viem: the error for a node that quotes the call': () =>
    caught(() =>
      createPublicClient({
        transport: custom({
          request: async () => {
            throw Object.assign(new Error(`bad call ${secret}`), { code: -32000, data: { call: secret } })
          },
        }),
      }).call({ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', data: `0x${secret}` }),
    ),
  'viem: the error for an unreachable node': () =>
    caught(() =>
      createPublicClient({ transport: http(`http://127.0.0.1:1/${secret}`, { retryCount: 0 }) }).call({
        to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        data: `0x${secret}`,
      }),
    ),
  'ethers: an invalid address': () => caught(() => getAddress(`0x${secret}`)),
  'ethers: a response of 500': async () => {
    const server = createServer((_, response) => response.writeHead(500).end(secret)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const request = new FetchRequest(`http://127.0.0.1:${Object(address).port}/${secret}`)
    request.setHeader('authorization', bearer)
    request.body = secret
    const error = await caught(async () => (await request.send()).assertOk())
    await new Promise((resolve) => server.close(resolve))
    return error
  },
  'ethers: a provider that is destroyed': async () => {
    const provider = new JsonRpcProvider(`http://127.0.0.1:1/${secret}`, 1, { staticNetwork: true })
    provider.destroy()
    return caught(() => provider.send(secret, [secret]))
  },
  // As axios creates it: https://github.com/axios/axios, lib/core/AxiosError.js.
  'axios: AxiosError': () =>
    Object.assign(new Error(`Request failed with ${secret}`), {
      name: 'AxiosError',
      code: 'ERR_BAD_REQUEST',
      config: { url: `https://x.test/${secret}`, headers: { Authorization: bearer }, data: secret },
      request: new Request('https://x.test', { headers: { authorization: bearer } }),
      response: { status: 401, headers: new Headers({ 'set-cookie': secret }), data: secret },
    }),
  'an AggregateError': () =>
    new AggregateError([new Error(secret), new TypeError(secret)], secret, { cause: new Error(secret) }),
  'a DOMException': () => new DOMException(secret, 'NotAllowedError'),
  'a system error with a path': () =>
    Object.assign(new Error(`ENOENT: no such file, open '${secret}'`), {
      code: 'ENOENT',
      errno: -2,
      path: secret,
      dest: secret,
    }),
  'PostgreSQL: a failed query with its parameters': () =>
    Object.assign(new Error(`Failed query: select $1\nparams: ${secret}`), {
      query: secret,
      params: [secret],
      cause: Object.assign(new Error('duplicate key'), { code: '23505', detail: `Key (k)=(${secret})` }),
    }),
  "a wallet's object": () => ({ code: 4001, message: secret, data: { tx: secret }, stack: secret }),
  text: () => secret,
  'a map': () => new Map([[secret, secret]]),
  'a request': () => new Request('https://x.test', { headers: { authorization: bearer } }),
  'an error whose name is a secret': () =>
    Object.assign(new Error('x'), { name: secret, code: secret.toUpperCase() }),
  'an error whose name is a part of a secret': () =>
    Object.assign(new Error('x'), { name: secret.slice(0, 32), code: secret.slice(0, 20).toUpperCase() }),
  'a class whose name is a secret': () => ({ constructor: { name: secret }, message: 'x' }),
  'a secret under a symbol': () => Object.assign(new Error('x'), { [Symbol(secret)]: secret }),
}

describe('safeCause removes the secret from', () => {
  for (const [name, make] of Object.entries(foreign))
    test(name, async () => {
      const made = await make()
      // the error itself contains the secret
      expect(`${shownOf(made)} ${String(made)}`.toLowerCase()).toContain(secret.slice(0, 8))
      const error = new BaseError('outer', { cause: new BaseError('inner', { cause: made }) })
      const shown = shownOf(error).toLowerCase()
      for (let at = 0; at + 8 <= secret.length; at += 4) expect(shown).not.toContain(secret.slice(at, at + 8))
      expect(Object.keys(Object(error.walk())).sort()).toEqual(['className', 'code', 'name'])
    })
})

describe('safeCause keeps', () => {
  test.each([
    ['viem: HttpRequestError', { name: 'HttpRequestError', className: 'HttpRequestError', code: undefined }],
    ['viem: RpcRequestError', { name: 'RpcRequestError', className: 'RpcRequestError', code: -32000 }],
    ['axios: AxiosError', { name: 'AxiosError', className: 'Error', code: 'ERR_BAD_REQUEST' }],
    ['a DOMException', { name: 'NotAllowedError', className: 'DOMException', code: 0 }],
    ['ethers: a provider that is destroyed', { code: 'UNSUPPORTED_OPERATION' }],
    ['PostgreSQL: a failed query with its parameters', { name: 'Error', code: '23505' }],
    ["a wallet's object", { name: 'Object', className: 'Object', code: 4001 }],
    ['text', { name: 'string', className: 'string', code: undefined }],
  ])('%s', async (name, kept) => {
    expect(safeCause(await foreign[name]?.())).toMatchObject(kept)
  })

  test('the code inside a failed fetch', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = Object(server.address())
    await new Promise((resolve) => server.close(resolve))
    const error = await caught(() => fetch(`http://127.0.0.1:${port}/`))
    expect(safeCause(error)).toMatchObject({ name: 'TypeError', code: 'ECONNREFUSED' })
  })

  test('a rejection that viem has wrapped', () => {
    const no = new UserRejectedRequestError(new Error('User rejected the request.'))
    expect(safeCause(new Error('outer', { cause: no }))).toMatchObject({ code: 4001 })
  })

  test('a redeemkit error, unchanged', () => {
    const inner = new BaseError('inner', { cause: new RangeError(secret) })
    const outer = new BaseError('outer', { cause: inner })
    expect(outer.cause).toBe(inner)
    expect(outer.walk((cause) => cause instanceof ForeignCause)).toMatchObject({ name: 'RangeError' })
  })

  test('nothing if there is no cause', () => {
    for (const cause of [undefined, null]) expect(new BaseError('x', { cause })).not.toHaveProperty('cause')
  })
})

describe('safeCause handles a hostile object:', () => {
  const breaks = (): never => {
    throw new Error(secret)
  }
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable(new Error(secret), {})
    revoke()
    return proxy
  }
  const hostile: [string, () => unknown][] = [
    ['a proxy that is revoked', revoked],
    [
      'a proxy that throws',
      () =>
        new Proxy(new Error(secret), { get: breaks, has: breaks, getPrototypeOf: breaks, ownKeys: breaks }),
    ],
    [
      'getters that throw',
      () =>
        Object.defineProperties({}, { name: { get: breaks }, code: { get: breaks }, cause: { get: breaks } }),
    ],
    ['no prototype', () => Object.create(null)],
    ['a code that is an object', () => ({ code: { toString: breaks }, name: { toString: breaks } })],
    [
      'a cycle',
      () => {
        const error: Error & { errors?: unknown } = new Error(secret)
        error.cause = error
        error.errors = [error]
        return error
      },
    ],
    [
      'an endless chain',
      () => {
        const endless = (): object => ({
          get cause() {
            return endless()
          },
        })
        return endless()
      },
    ],
    ['a copy of a redeemkit error', () => Object.assign(Object.create(BaseError.prototype), { secret })],
    ['a proxy of a redeemkit error', () => new Proxy(new BaseError('x'), { get: breaks })],
  ]
  for (const [name, make] of hostile)
    test(name, () => {
      const error = new BaseError('x', { cause: make() })
      expect(error.cause).toBeInstanceOf(ForeignCause)
      expect(shownOf(error)).not.toContain(secret.slice(0, 8))
    })
})

test('safeCause handles circular causes', () => {
  const inner = new BaseError('inner')
  const outer = new BaseError('outer', { cause: inner })
  inner.cause = outer
  expect(outer.walk(() => false)).toBeUndefined()
  expect(outer.walk()).toBe(inner)
  expect(inspect(outer)).toContain('Circular')
})
