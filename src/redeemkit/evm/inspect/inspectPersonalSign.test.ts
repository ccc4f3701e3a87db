import { hashMessage, hexToBytes, stringToHex, toRlp } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { inspect } from './inspect.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const time = Date.parse('2026-11-20T12:00:00Z')
const context = {
  address: wallet,
  chainId: 8453,
  origin: 'https://api.example.com',
  now: () => time,
} as const
const ask = (...params: unknown[]) => inspect({ method: 'personal_sign', params }, context)
const codes = (text: string) => ask(text, wallet).findings.map(({ code }) => code)

describe('personal_sign of a raw transaction', () => {
  const fields = (size: number, count: number) => [
    `0x${'11'.repeat(size)}` as const,
    ...Array<'0x'>(count - 1).fill('0x'),
  ]
  const raw = (size: number, count = 6) => toRlp(fields(size, count))

  // RLP encodes a length up to 55 in the first byte, and a larger length in the bytes after the first
  test.each([0, 1, 49, 50, 55, 56, 60, 255, 256, 70_000])(
    'is recognized as an RLP list of at least six fields: the first field has %i bytes',
    (size) => {
      expect(codes(raw(size))).toEqual(['RAW_TRANSACTION'])
      expect(codes(raw(size, 9))).toEqual(['RAW_TRANSACTION'])
      expect(codes(raw(size, 5))).not.toContain('RAW_TRANSACTION')
      expect(codes(raw(size).slice(0, -2))).not.toContain('RAW_TRANSACTION')
      expect(codes(`${raw(size)}80`)).not.toContain('RAW_TRANSACTION')
    },
  )
  test('is recognized if the first field is an empty list or a short value', () => {
    expect(codes(toRlp([[], '0x', '0x', '0x', '0x', '0x']))).toEqual(['RAW_TRANSACTION'])
    expect(codes(toRlp(['0x01020304', '0x7f', '0x80', '0x', '0x', '0x']))).toEqual(['RAW_TRANSACTION'])
    expect(codes(toRlp(['0x01020304', '0x7f', '0x80', '0x', '0x']))).not.toContain('RAW_TRANSACTION')
  })
  test.each([
    ['with a transaction type byte', `0x02${raw(60).slice(2)}`],
    ['without 0x', raw(60).slice(2)],
    ['with white space around it', ` ${raw(60)}\n`],
    ['with its text encoded as hex', stringToHex(raw(60))],
  ])('is recognized %s', (_, text) => {
    expect(codes(text)).toEqual(['RAW_TRANSACTION'])
  })
  test.each([
    ['before the bytes', `Sign ${raw(60)}`],
    ['after the bytes', `${raw(60)} please`],
  ])('counts as plain text with words %s', (_, text) => {
    expect(codes(text)).toEqual(['PLAIN_TEXT'])
  })
})

test('the summary of a sign-in message with capabilities says that the site can act for the account', () => {
  // the resource that WalletConnect's one-click auth adds; it grants eth_sendTransaction and personal_sign
  const recap =
    'urn:recap:eyJhdHQiOiB7ImVpcDE1NSI6IHsicmVxdWVzdC9ldGhfc2VuZFRyYW5zYWN0aW9uIjogW10sICJyZXF1ZXN0L3BlcnNvbmFsX3NpZ24iOiBbXX19fQ=='
  const text = createSiweMessage({
    address: wallet,
    chainId: 8453,
    domain: 'api.example.com',
    uri: 'https://api.example.com',
    version: '1',
    nonce: 'abcdefgh',
    issuedAt: new Date(time),
    expirationTime: new Date(time + 1000),
    resources: [recap],
  })
  const { verdict, summary } = ask(text, wallet)
  expect(verdict).toBe('refuse')
  expect(summary.split('\n')[0]).toBe('The sign-in message also lets the site act for your account.')
})

test('a sign-in whose site has other letters or a user name is refused with that site and its text', () => {
  for (const site of ['\u0430pi.example.com', 'api.example.com@evil.example']) {
    const first = `${site} wants you to sign in with your Ethereum account:`
    expect(ask(`${first}\n${wallet}`, wallet)).toMatchObject({
      kind: 'signIn',
      verdict: 'refuse',
      summary: `The sign-in message is not well-formed at "${site}". It must begin with the domain of the requesting site, in ASCII.\nText: "${first} ↵ ${wallet}"`,
    })
  }
})

test('a text that contains a hash or an address next to words is plain text', () => {
  const hash = 'b6c175ad03e36adc3cd6273f3dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
  expect(codes(hash)).toEqual(['BARE_HASH'])
  for (const text of [`Order ${hash}`, `${hash} is my order`]) expect(codes(text)).toEqual(['PLAIN_TEXT'])
  const named = ask(`I am ${wallet}`, undefined).findings.map(({ code }) => code)
  expect(named).toEqual(['PLAIN_TEXT', 'WRONG_ACCOUNT'])
})

test.each([undefined, 7, { text: 'hello' }])('%j is not text', (data) => {
  expect(ask(data, wallet)).toMatchObject({ verdict: 'refuse', findings: [{ code: 'MALFORMED' }] })
})

test('the EIP-191 digest covers the bytes of valid hex, and otherwise the text itself', () => {
  expect(ask('0x1234', wallet).digests).toEqual({ eip191: hashMessage({ raw: hexToBytes('0x1234') }) })
  for (const text of ['0x123', '0x12 ', 'x0x12', '0x12g4'])
    expect(ask(text, wallet).digests).toEqual({ eip191: hashMessage(text) })
})

describe('a sign-in message', () => {
  const signIn = (more: object) =>
    ask(
      createSiweMessage({
        address: wallet,
        chainId: 8453,
        domain: 'api.example.com',
        nonce: 'k5nD2aQ9x',
        uri: 'https://api.example.com/login',
        version: '1',
        issuedAt: new Date(time),
        expirationTime: new Date(time + 1000),
        ...more,
      }),
      wallet,
    ).findings.map(({ code, message }) => [code, message])
  const day = 86_400_000

  test.each([undefined, 'I accept the terms (https://api.example.com/terms).'])(
    'with the statement %s has no findings',
    (statement) => {
      expect(signIn({ statement })).toEqual([])
    },
  )
  test('may be valid for a day and a minute', () => {
    expect(signIn({ expirationTime: new Date(time + day + 60_000) })).toEqual([])
    expect(signIn({ expirationTime: new Date(time + day + 60_001) })).toEqual([
      ['EXPIRES_TOO_LATE', 'The sign-in is valid for 25 hours; at most 24 hours is usual.'],
    ])
    expect(signIn({ expirationTime: new Date(time + 7 * day) })).toEqual([
      ['EXPIRES_TOO_LATE', 'The sign-in is valid for 7 days; at most 24 hours is usual.'],
    ])
    expect(signIn({ expirationTime: undefined })).toEqual([
      ['EXPIRES_TOO_LATE', 'The sign-in never expires.'],
    ])
  })
  test('causes a finding if a resource is not a web page', () => {
    expect(signIn({ resources: ['http://a.example/terms', 'https://a.example'] })).toEqual([])
    expect(signIn({ resources: ['ipfs://bafy/https://a.example'] }).map(([code]) => code)).toEqual([
      'NOT_COMPARED',
    ])
  })
  test('for another account names both accounts in the finding', () => {
    const other = signIn({ address: stranger })
    expect(other.map(([code]) => code)).toEqual(['SIGN_IN', 'WRONG_ACCOUNT'])
  })
})

test('the summary of a long text counts the omitted lines', () => {
  expect(ask('a '.repeat(4000), wallet).summary).toMatch(/^Signs the text "a .*…\s?.* a "\.\nMore lines: 1$/)
})

test('a text with many line breaks is parsed quickly', () => {
  const start = performance.now()
  codes(`x wants you to sign${'\n'.repeat(100_000)}x`)
  expect(performance.now() - start).toBeLessThan(2_000)
})
