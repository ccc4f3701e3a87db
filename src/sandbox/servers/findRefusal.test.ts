import { expect, test } from 'vitest'
import { findRefusal, isOwnPage } from './findRefusal.ts'

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

test('an extension calls the service only where its own origin is listed', () => {
  const extension = 'chrome-extension://abcdefghijklmnop'
  expect(isOwnPage(extension)).toBe(false)
  expect(isOwnPage(extension, ['chrome-extension://ponmlkjihgfedcba'])).toBe(false)
  expect(isOwnPage(extension, [extension])).toBe(true)
})
