import { expect, test } from 'vitest'
import { isLoopback, isMetadataHost } from './networks.ts'

test.each(['127.0.0.1', '127.5.5.5', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) =>
  expect(isLoopback(address)).toBe(true),
)

test.each(['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'localhost', 'unknown', ''])('%s is not', (address) =>
  expect(isLoopback(address)).toBe(false),
)

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://169.254.1.1',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]:80/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
])('%s leads to a metadata service', async (url) =>
  expect(await isMetadataHost(new URL(url).hostname)).toBe(true),
)

test.each([
  'http://127.0.0.1:3000',
  'http://localhost',
  'http://[::1]',
  'http://192.0.2.7',
  'http://10.0.0.9',
])('%s does not', async (url) => expect(await isMetadataHost(new URL(url).hostname)).toBe(false))
