import { describe, expect, test } from 'vitest'
import { findRefusal, isForwarded, isOwnPage } from './findRefusal.ts'

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
  ])('%o is of another machine', (headers) => expect(isForwarded(new Headers(headers))).toBe(true))

  test.each([
    [{}],
    [{ 'x-forwarded-for': '::ffff:127.0.0.1, ::1', 'x-forwarded-host': 'localhost:5173' }],
    [{ 'x-forwarded-proto': 'http', via: '1.1 vite' }],
  ])('%o is of this one', (headers) => expect(isForwarded(new Headers(headers))).toBe(false))
})

test('an extension calls the service only where its own origin is listed', () => {
  const extension = 'chrome-extension://abcdefghijklmnop'
  expect(isOwnPage(extension)).toBe(false)
  expect(isOwnPage(extension, ['chrome-extension://ponmlkjihgfedcba'])).toBe(false)
  expect(isOwnPage(extension, [extension])).toBe(true)
})
