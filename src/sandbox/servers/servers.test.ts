import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { findRefusal, isForwarded, isOwnPage, onlyLocal } from './findRefusal.ts'
import { listen } from './listen.ts'
import { isLoopback, isMetadataAddress } from './networks.ts'

const here = '127.0.0.1:4242'

test.each(['localhost:4242', 'localhost', '127.0.0.1:1', '[::1]:4242', 'shop.localhost:80', 'LOCALHOST'])(
  'allows host %s',
  (host) => expect(findRefusal({ host, origin: undefined })).toBeUndefined(),
)

test.each([
  'evil.example:4242',
  'localhost/evil.example',
  'user@localhost',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  '192.168.1.1',
  '',
  undefined,
])('rejects host %s', (host) => expect(findRefusal({ host, origin: undefined })).toMatch('Host'))

test.each(['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:1', 'chrome-extension://abc'])(
  'allows a page at %s',
  (origin) => expect(findRefusal({ host: here, origin })).toBeUndefined(),
)

test.each([
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'file://localhost',
  'http://10.0.0.1',
  'http://localhost:3000/path',
  'http://2130706433',
  '',
])('rejects a page at %s', (origin) => expect(findRefusal({ host: here, origin })).toMatch('origin'))

test('allows the listed origins and hosts', () => {
  const allowed = { origins: ['https://shop.example'], hosts: ['service.example'] }
  const ask = (host: string, origin: string) => findRefusal({ host, origin }, allowed)
  expect(ask('service.example', 'https://shop.example')).toBeUndefined()
  expect(ask('service.example:443', 'https://shop.example')).toBeUndefined()
  expect(ask('service.example', 'https://other.example')).toMatch('origin')
  expect(ask('other.example', 'https://shop.example')).toMatch('Host')
})

describe('forwarded by a proxy or tunnel', () => {
  test.each([
    [{ 'x-forwarded-for': '203.0.113.9' }],
    [{ 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }],
    [{ 'x-forwarded-for': 'unknown' }],
    [{ 'x-forwarded-host': 'strange.tunnel.example' }],
    [{ 'x-real-ip': '2001:db8::1' }],
    [{ 'cf-connecting-ip': '203.0.113.9' }],
    [{ forwarded: 'for=203.0.113.9;host=127.0.0.1' }],
  ])('%o comes from another machine', (headers) => expect(isForwarded(new Headers(headers))).toBe(true))

  test.each([
    [{}],
    [{ 'x-forwarded-for': '::ffff:127.0.0.1, ::1', 'x-forwarded-host': 'localhost:5173' }],
    [{ 'x-forwarded-proto': 'http', via: '1.1 vite' }],
  ])('%o comes from this machine', (headers) => expect(isForwarded(new Headers(headers))).toBe(false))
})

test.each([
  [{}, 200],
  [{ 'x-forwarded-for': '203.0.113.9' }, 403],
  [{ host: 'evil.example' }, 403],
  [{ origin: 'https://evil.example' }, 403],
])('a chain with its own server answers a request with %o with %i', async (headers, status) => {
  const chain = new Hono().use(onlyLocal({})).post('*', (context) => context.text('answered'))
  const response = await chain.request('/', { method: 'POST', headers: { host: here, ...headers } })
  expect(response.status).toBe(status)
})

test('an extension may call the service only if its origin is listed', () => {
  const extension = 'chrome-extension://abcdefghijklmnop'
  expect(isOwnPage(extension)).toBe(false)
  expect(isOwnPage(extension, ['chrome-extension://ponmlkjihgfedcba'])).toBe(false)
  expect(isOwnPage(extension, [extension])).toBe(true)
})

describe('isInNetworks', () => {
  test.each(['127.0.0.1', '127.5.5.5', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) =>
    expect(isLoopback(address)).toBe(true),
  )

  test.each(['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'localhost', 'unknown', ''])(
    '%s is not this machine',
    (address) => expect(isLoopback(address)).toBe(false),
  )

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.1.1',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]:80/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://[fd00:c1::a9fe:a9fe]/',
    'http://[fd00:42::42]/',
    'http://[fd00:ec2::23]/',
    'http://[fd00:a9fe:a9fe::1]/',
    'http://[fd00:100::100:200]/',
    'http://192.0.0.192/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
  ])('%s is a metadata service', (url) => expect(isMetadataAddress(new URL(url).hostname)).toBe(true))

  test.each([
    'http://127.0.0.1:3000',
    'http://localhost',
    'http://[::1]',
    'http://192.0.2.7',
    'http://10.0.0.9',
  ])('%s is no metadata service', (url) => expect(isMetadataAddress(new URL(url).hostname)).toBe(false))
})

describe('listen', () => {
  test('finishes pending requests on close and accepts no new ones', async () => {
    let answer = (_: Response) => {}
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { url, close } = await listen({
      port: 0,
      fetch: (request) => {
        // A connection that arrives at the moment of closing is still answered.
        if (request.url.endsWith('/new')) return new Response('new')
        asked()
        return new Promise<Response>((resolve) => {
          answer = resolve
        })
      },
    })
    const underWay = fetch(url)
    await isAsked
    const closed = close()
    const isRefused = () =>
      fetch(`${url}/new`).then(
        () => false,
        () => true,
      )
    await expect.poll(isRefused, { timeout: 10_000, interval: 150 }).toBe(true)
    answer(new Response('late'))
    expect(await (await underWay).text()).toBe('late')
    await closed
  })

  test('answers requests that arrived before the close but were unread, even on a slow machine', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { url, close } = await listen({
      port: 0,
      fetch: () => {
        asked()
        const end = performance.now() + 20
        while (performance.now() < end);
        return new Response('answered')
      },
    })
    const all = Array.from({ length: 30 }, async () => (await fetch(url)).text())
    const answers = Promise.allSettled(all)
    await isAsked
    const closed = close()
    expect(await answers).toEqual(all.map(() => ({ status: 'fulfilled', value: 'answered' })))
    await closed
  })

  test('does not wait for idle connections on close', async () => {
    const { url, close } = await listen({ port: 0, fetch: () => new Response('') })
    await (await fetch(url)).text()
    const started = performance.now()
    await close()
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('the error names a port that is in use', async () => {
    const { port, close } = await listen({ port: 0, fetch: () => new Response('') })
    await expect(listen({ port, fetch: () => new Response('') })).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'port',
      shortMessage: `Port ${port} of 127.0.0.1 is in use.`,
    })
    await close()
  })

  test.each([-1, 65_536, 1.5, Number.NaN])('rejects port %s', async (port) => {
    await expect(listen({ port, fetch: () => new Response('') })).rejects.toMatchObject({ field: 'port' })
  })
})
