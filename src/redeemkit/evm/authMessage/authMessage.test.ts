import { ParsedMessage } from '@spruceid/siwe-parser'
import fc from 'fast-check'
import { SiweMessage as TheirSiweMessage } from 'siwe'
import { hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, inject, test, vi } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { caught } from '../caught.fixture.ts'
import { evmAdapter } from '../evmAdapter.ts'
import { signAuthMessage } from './signAuthMessage.ts'
import { parseSiweMessage } from './siweMessage.ts'
import { verifyAuthMessage } from './verifyAuthMessage.ts'

/** viem imports its secp256k1 code when it first recovers a key. With `missing.curve`, that import fails. */
const { missing } = vi.hoisted(() => ({ missing: { curve: false } }))
vi.mock('../viem.ts', async (original) => {
  const viem = await original<typeof import('../viem.ts')>()
  const recoverAddress: typeof viem.recoverAddress = async (given) => {
    if (missing.curve) throw new TypeError('Failed to fetch dynamically imported module')
    return viem.recoverAddress(given)
  }
  return { ...viem, recoverAddress }
})

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'02'.repeat(32)}`)
const time = Date.parse('2026-11-20T12:00:00Z')
const now = () => time
const fields = {
  address: account.address,
  chainId: 8453,
  domain: 'api.example.com',
  nonce: 'k5nD2aQ9x',
  uri: 'https://api.example.com/login',
  version: '1',
  issuedAt: new Date(time - 1000),
  expirationTime: new Date(time + 24 * 3600 * 1000),
} as const
const text = createSiweMessage({ ...fields, statement: 'Sign in to pay.' })
const expected = { address: account.address, chainId: 8453, domains: ['api.example.com'], now }
const fails = (name: string, field?: string) =>
  expect.objectContaining(field === undefined ? { name } : { name, field })

/** Creates a signer that records the messages that it is asked to sign. */
function watched() {
  const asked: string[] = []
  return {
    asked,
    signer: {
      ...account,
      signMessage: async ({ message }: { message: string }) => {
        asked.push(message)
        return account.signMessage({ message })
      },
    } as never,
  }
}

describe('a valid message', () => {
  test('is signed unchanged, and its expiry is returned', async () => {
    const { asked, signer } = watched()
    const signed = await signAuthMessage(signer, { message: text, ...expected })
    expect(asked).toEqual([text])
    expect(signed.expiresAt).toBe(time / 1000 + 24 * 3600)
    const options = {
      message: text,
      address: account.address,
      signature: signed.signedMessage as `0x${string}`,
    }
    expect(await verifyAuthMessage(options)).toBe(true)
    expect(await verifyAuthMessage({ ...options, message: `${text} ` })).toBe(false)
    expect(await verifyAuthMessage({ ...options, address: other.address })).toBe(false)
    // the siwe package, which many services use, accepts the message too
    const theirs = new TheirSiweMessage(text)
    expect(
      (await theirs.verify({ signature: signed.signedMessage, time: new Date(time).toISOString() })).success,
    ).toBe(true)
  })
  test.each<[string, string]>([
    ['without a statement', createSiweMessage(fields)],
    ['with a scheme', createSiweMessage({ ...fields, scheme: 'https' })],
    [
      'with resources',
      createSiweMessage({ ...fields, resources: ['https://example.com/terms', 'ipfs://bafy/x'] }),
    ],
    ['with a request id', createSiweMessage({ ...fields, requestId: 'r-1' })],
    ['with not before', createSiweMessage({ ...fields, notBefore: new Date(time) })],
    [
      'written by the siwe package',
      new TheirSiweMessage({
        ...fields,
        statement: 'Hello.',
        issuedAt: '2026-11-20T11:59:00Z',
        expirationTime: '2026-11-21T11:59:00.000+02:00',
      }).prepareMessage(),
    ],
    [
      'with an explicit default port',
      text.replace('URI: https://api.example.com', 'URI: https://api.example.com:443'),
    ],
  ])('%s is signed', async (_, message) => {
    await expect(signAuthMessage(account, { message, ...expected })).resolves.toMatchObject({})
    const theirs = new ParsedMessage(message)
    const ours = parseSiweMessage(message)
    expect(ours).toMatchObject({
      domain: theirs.domain,
      address: theirs.address,
      uri: theirs.uri,
      chainId: theirs.chainId,
      nonce: theirs.nonce,
    })
    expect(ours.statement ?? undefined).toBe(theirs.statement ?? undefined)
    expect(ours.issuedAt).toBe(Date.parse(theirs.issuedAt))
  })
  test('for a site with a port is signed only if the expected site has that port', async () => {
    const message = createSiweMessage({ ...fields, domain: 'localhost:3000', uri: 'http://localhost:3000/' })
    await expect(
      signAuthMessage(account, { message, ...expected, domains: ['localhost:3000'] }),
    ).resolves.toBeDefined()
    await expect(signAuthMessage(account, { message, ...expected, domains: ['localhost'] })).rejects.toThrow(
      fails('AuthMessageMismatchError', 'message.domain'),
    )
  })
})

describe('a message or option is refused before the wallet prompts:', () => {
  const lines = text.split('\n')
  const without = (label: string) => lines.filter((line) => !line.startsWith(label)).join('\n')
  const swap = (from: string, to: string) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }
  test.each<[string, string, string, string]>([
    [
      'another address',
      createSiweMessage({ ...fields, address: other.address }),
      'AuthMessageMismatchError',
      'message.address',
    ],
    [
      'a lower-case address',
      swap(account.address, account.address.toLowerCase()),
      'InvalidAuthMessageError',
      'message.address',
    ],
    [
      'a broken checksum',
      swap(account.address, account.address.replace('c', 'C')),
      'InvalidAuthMessageError',
      'message.address',
    ],
    ['another chain', swap('Chain ID: 8453', 'Chain ID: 1'), 'AuthMessageMismatchError', 'message.chainId'],
    ['no chain', swap('Chain ID: 8453', 'Chain ID: '), 'InvalidAuthMessageError', 'message.chainId'],
    [
      'a chain in hex',
      swap('Chain ID: 8453', 'Chain ID: 0x2105'),
      'InvalidAuthMessageError',
      'message.chainId',
    ],
    [
      'a chain with a leading zero',
      swap('Chain ID: 8453', 'Chain ID: 08453'),
      'InvalidAuthMessageError',
      'message.chainId',
    ],
    [
      'another site',
      swap('api.example.com wants', 'evil.example wants'),
      'AuthMessageMismatchError',
      'message.domain',
    ],
    [
      'another site after a user name that looks like the expected site',
      swap('api.example.com wants', 'api.example.com@evil.example wants'),
      'InvalidAuthMessageError',
      'message.domain',
    ],
    [
      'a longer host that starts with the expected site',
      swap('api.example.com wants', 'api.example.com.evil.example wants'),
      'AuthMessageMismatchError',
      'message.domain',
    ],
    ['no site', swap('api.example.com wants', ' wants'), 'InvalidAuthMessageError', 'message.domain'],
    [
      'another uri',
      swap('URI: https://api.example.com', 'URI: https://evil.example'),
      'AuthMessageMismatchError',
      'message.uri',
    ],
    [
      'a URI on another host, with a user name that looks like the expected site',
      swap('URI: https://api.example.com', 'URI: https://api.example.com@evil.example'),
      'AuthMessageMismatchError',
      'message.uri',
    ],
    [
      'a URI on the expected site with a user name and a password',
      swap('URI: https://api.example.com', 'URI: https://me:pw@api.example.com'),
      'AuthMessageMismatchError',
      'message.uri',
    ],
    [
      'a javascript: URI',
      swap('URI: https://api.example.com/login', 'URI: javascript:alert(1)'),
      'AuthMessageMismatchError',
      'message.uri',
    ],
    [
      'text that is not a URI',
      swap('URI: https://api.example.com/login', 'URI: not a uri'),
      'InvalidAuthMessageError',
      'message.uri',
    ],
    ['version 2', swap('Version: 1', 'Version: 2'), 'InvalidAuthMessageError', 'message.version'],
    ['a nonce of 7 characters', swap('k5nD2aQ9x', 'k5nD2aQ'), 'InvalidAuthMessageError', 'message.nonce'],
    ['a nonce with a dash', swap('k5nD2aQ9x', 'k5nD-aQ9x'), 'InvalidAuthMessageError', 'message.nonce'],
    [
      'an issue date that is a word',
      swap('Issued At: 2026-11-20T11:59:59.000Z', 'Issued At: today'),
      'InvalidAuthMessageError',
      'message.issuedAt',
    ],
    [
      'the 30th of February',
      swap('Issued At: 2026-11-20', 'Issued At: 2026-02-30'),
      'InvalidAuthMessageError',
      'message.issuedAt',
    ],
    [
      'month 13',
      swap('Expiration Time: 2026-11', 'Expiration Time: 2026-13'),
      'InvalidAuthMessageError',
      'message.expirationTime',
    ],
    ['the hour 24', swap('T11:59:59.000Z', 'T24:00:00.000Z'), 'InvalidAuthMessageError', 'message.issuedAt'],
    [
      'a time without a UTC offset',
      swap('T11:59:59.000Z', 'T11:59:59.000'),
      'InvalidAuthMessageError',
      'message.issuedAt',
    ],
    [
      'expired',
      createSiweMessage({ ...fields, expirationTime: new Date(time) }),
      'AuthMessageExpiredError',
      'message.expirationTime',
    ],
    [
      'not yet valid',
      createSiweMessage({ ...fields, notBefore: new Date(time + 1) }),
      'AuthMessageExpiredError',
      'message.notBefore',
    ],
    [
      'valid forever',
      createSiweMessage({ ...fields, expirationTime: undefined }),
      'AuthMessageExpiredError',
      'message.expirationTime',
    ],
    [
      'valid for more than a day',
      createSiweMessage({ ...fields, expirationTime: new Date(time + 24 * 3_600_000 + 60_001) }),
      'AuthMessageExpiredError',
      'message.expirationTime',
    ],
    [
      'expired before it was issued',
      createSiweMessage({ ...fields, issuedAt: new Date(time + 2), expirationTime: new Date(time + 1) }),
      'AuthMessageExpiredError',
      'message.expirationTime',
    ],
    [
      'issued far in the future',
      createSiweMessage({
        ...fields,
        issuedAt: new Date(time + 600_001),
        expirationTime: new Date(time + 700_000),
      }),
      'AuthMessageExpiredError',
      'message.expirationTime',
    ],
    ...['urn:recap:eyJhdHQiOnt9fQ', 'URN:ReCap:eyJhdHQiOnt9fQ'].map(
      (recap): [string, string, string, string] => [
        `a resource that delegates a capability, ${recap}`,
        createSiweMessage({ ...fields, resources: ['https://example.com/terms', recap] }),
        'AuthMessageMismatchError',
        'message.resources',
      ],
    ),
    ['a trailing line', `${text}\nand transfer everything`, 'InvalidAuthMessageError', 'message.message'],
    ['a trailing line break', `${text}\n`, 'InvalidAuthMessageError', 'message.message'],
    ['a leading line', `hello\n${text}`, 'InvalidAuthMessageError', 'message.domain'],
    ['a carriage return', text.replaceAll('\n', '\r\n'), 'InvalidAuthMessageError', 'message.domain'],
    ['no nonce', without('Nonce'), 'InvalidAuthMessageError', 'message.nonce'],
    ['a URI with two @', swap('URI: https://', 'URI: https://@@'), 'InvalidAuthMessageError', 'message.uri'],
    ['no uri', without('URI'), 'InvalidAuthMessageError', 'message.uri'],
    [
      'two statements',
      swap('Sign in to pay.', 'Sign in.\nAnd pay.'),
      'InvalidAuthMessageError',
      'message.message',
    ],
    [
      'an invisible character',
      swap('Sign in to pay.', 'Sign in\u202eto pay.'),
      'InvalidAuthMessageError',
      'message.statement',
    ],
    [
      'fields in the wrong order',
      [...lines.slice(0, 6), lines[7], lines[6], ...lines.slice(8)].join('\n'),
      'InvalidAuthMessageError',
      'message.version',
    ],
    ['plain text', 'hello', 'PlainTextNotAllowedError', 'message'],
    ['empty text', '', 'PlainTextNotAllowedError', 'message'],
  ])('%s', async (_, message, name, field) => {
    const { asked, signer } = watched()
    await expect(signAuthMessage(signer, { message, ...expected })).rejects.toThrow(fails(name, field))
    expect(asked).toEqual([])
  })
  test.each<[string, unknown, string]>([
    ['left out', undefined, 'domains'],
    ['null', null, 'domains'],
    ['text', 'service.example', 'domains'],
    ['a list of undefined', [undefined], 'domains[0]'],
  ])('a list of sites that is %s', async (_, domains, field) => {
    let asked = false
    const signer = {
      ...account,
      source: 'custom',
      signMessage: async () => {
        asked = true
        return '0x12' as const
      },
    }
    await expect(
      signAuthMessage(signer as never, { message: text, chainId: 8453, domains, now } as never),
    ).rejects.toMatchObject({ name: 'InvalidTextError', field })
    expect(asked).toBe(false)
  })
  test.each([Number.NaN, '2026-11-20', undefined])('a clock that returns %s', async (says) => {
    const { asked, signer } = watched()
    const old = createSiweMessage({
      ...fields,
      issuedAt: new Date(0),
      expirationTime: new Date(86_400_000),
    })
    await expect(
      signAuthMessage(signer, { message: old, ...expected, now: (() => says) as never }),
    ).rejects.toThrow(fails('InvalidClockError', 'now'))
    expect(asked).toEqual([])
  })
  test('a message for an account other than the signer’s', async () => {
    await expect(signAuthMessage(other, { message: text, ...expected })).rejects.toThrow(
      fails('WrongSignerError', 'address'),
    )
  })
  test('a message at the exact time of its expiry, and later', async () => {
    const expiring = createSiweMessage({ ...fields, expirationTime: new Date(time + 1) })
    await expect(signAuthMessage(account, { message: expiring, ...expected })).resolves.toBeDefined()
    await expect(
      signAuthMessage(account, { message: expiring, ...expected, now: () => time + 1 }),
    ).rejects.toThrow(fails('AuthMessageExpiredError'))
    await expect(
      signAuthMessage(account, { message: expiring, ...expected, now: () => time + 2 }),
    ).rejects.toThrow(fails('AuthMessageExpiredError'))
  })
})

test('a wallet on another chain is not asked', async () => {
  const asked: string[] = []
  const provider = {
    request: async ({ method }: { method: string }) => {
      asked.push(method)
      return method === 'eth_chainId' ? '0x1' : [account.address]
    },
  }
  await expect(signAuthMessage(provider, { message: text, ...expected })).rejects.toThrow(
    fails('WrongNetworkError', 'chainId'),
  )
  expect(asked).not.toContain('personal_sign')
})

describe('plain text', () => {
  const plain = { ...expected, allowPlainText: true }
  test('is signed when it is allowed', async () => {
    const signed = await signAuthMessage(account, { message: 'Please sign: 42', ...plain })
    expect(signed).toEqual({ signedMessage: await account.signMessage({ message: 'Please sign: 42' }) })
  })
  test.each([
    [
      'for another site',
      text.replace('api.example.com wants', 'evil.example wants'),
      'AuthMessageMismatchError',
    ],
    ['broken', `${text}\n`, 'InvalidAuthMessageError'],
    ['after other text', `Hello!\n\n${text}`, 'InvalidAuthMessageError'],
    [
      'in upper case',
      text.replace('wants you to sign in with your', 'WANTS YOU TO SIGN IN WITH YOUR'),
      'InvalidAuthMessageError',
    ],
    ['with extra white space', text.replace('wants you to', 'wants  you\nto'), 'InvalidAuthMessageError'],
  ])('a sign-in text %s is never treated as plain text', async (_, message, name) => {
    await expect(signAuthMessage(account, { message, ...plain })).rejects.toThrow(fails(name))
  })
  test.each([' \n', 'Pay 1\u202e000', 'a\u0000b'])('%j is not readable text', async (message) => {
    await expect(signAuthMessage(account, { message, ...plain })).rejects.toThrow(
      fails('PlainTextNotAllowedError'),
    )
  })
  test.each(['true', 'false', 1, {}])('allowPlainText %s is not true', async (allowPlainText) => {
    await expect(
      signAuthMessage(account, { message: 'hello', ...expected, allowPlainText: allowPlainText as never }),
    ).rejects.toThrow(fails('InvalidOptionError', 'allowPlainText'))
  })
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a long text', 'a'.repeat(65_537)],
])('%s is not a sign-in text', (_, text) => {
  // callers without TypeScript can pass anything
  expect(() => parseSiweMessage(text as string)).toThrow(
    expect.objectContaining({ name: 'InvalidAuthMessageError', field: 'message.message' }),
  )
})

test('the siwe package accepts every message that redeemkit accepts', () => {
  const signs = fc.string({ maxLength: 3 })
  const broken = fc
    .tuple(fc.nat(text.length), fc.nat(4), signs)
    .map(([at, cut, inserted]) => text.slice(0, at) + inserted + text.slice(at + cut))
  const numRuns = inject('generatedInputs')
  let taken = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 6, arbitrary: broken }, { weight: 1, arbitrary: fc.string() }), (some) => {
      const error = caught(() => parseSiweMessage(some))
      if (error === undefined) {
        taken++
        expect(new ParsedMessage(some).address).toBe(account.address)
      } else expect(error).toBeInstanceOf(BaseError)
    }),
    { numRuns },
  )
  expect(taken).toBeGreaterThan(numRuns / 200)
})

describe('a message', () => {
  const issued = (date: string) =>
    text.replace(/Issued At: .*/, `Issued At: ${date}`).replace(/\nExpiration Time: .*/, '')
  test.each([
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2028-02-29T00:00:00.5Z', '2028-02-29T00:00:00.500Z'],
    ['2026-11-20t12:00:00z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00+23:59', '2026-11-19T12:01:00.000Z'],
    ['2026-11-20T12:00:00-00:30', '2026-11-20T12:30:00.000Z'],
  ])('may have the date %s', (date, time) => {
    expect(new Date(parseSiweMessage(issued(date)).issuedAt).toISOString()).toBe(time)
  })
  test.each([
    ...['2026-00-20', '2026-13-20', '2026-11-00', '2026-11-31', '2026-02-29'].map(
      (day) => `${day}T12:00:00Z`,
    ),
    ...['T24:00:00Z', 'T12:60:00Z', 'T12:00:60Z', 'T12:00:00+24:00', 'T12:00:00+01:60', 'T12:00:00'].map(
      (time) => `2026-11-20${time}`,
    ),
  ])('may not have the invalid date %s', (date) => {
    expect(() => parseSiweMessage(issued(date))).toThrow(fails('InvalidAuthMessageError', 'message.issuedAt'))
  })
  test('may have a request id', () => {
    const identified = (id: string) => `${text}\nRequest ID: ${id}`
    expect(parseSiweMessage(identified("a-1_%20:@!$&'()*+,;=~.")).requestId).toBe("a-1_%20:@!$&'()*+,;=~.")
    expect(parseSiweMessage(identified('')).requestId).toBe('')
    expect(parseSiweMessage(text)).not.toHaveProperty('requestId')
    for (const id of ['a b', 'a/b', '%2', 'ä'])
      expect(() => parseSiweMessage(identified(id))).toThrow(
        fails('InvalidAuthMessageError', 'message.requestId'),
      )
  })
  test.each<[string, string, string, string]>([
    ['a chain id with trailing text', 'Chain ID: 8453', 'Chain ID: 8453x', 'chainId'],
    ['a nonce with a space', 'Nonce: k5nD2aQ9x', 'Nonce: k5nD2 aQ9x', 'nonce'],
    ['a nonce with a letter outside of ASCII', 'Nonce: k5nD2aQ9x', 'Nonce: äk5nD2aQ9x', 'nonce'],
    ['a URI without a site', 'URI: https://api.example.com/login', 'URI: https://', 'uri'],
  ])('may not have %s', (_, line, other, field) => {
    expect(text).toContain(line)
    expect(() => parseSiweMessage(text.replace(line, other))).toThrow(
      fails('InvalidAuthMessageError', `message.${field}`),
    )
  })
  test('has at most 65,536 characters', () => {
    const resources = `\nResources:\n- https://a.example/`
    const long = (length: number) => `${text}${resources}`.padEnd(length, 'x')
    expect(parseSiweMessage(long(65_536)).resources).toHaveLength(1)
    expect(() => parseSiweMessage(long(65_537))).toThrow(fails('InvalidAuthMessageError', 'message.message'))
  })
})

describe('the site of a message:', () => {
  const check = (more: object, domains: readonly string[]) =>
    signAuthMessage(account, {
      message: createSiweMessage({ ...fields, ...more }),
      chainId: 8453,
      domains,
      now,
    })
  test.each<[string, string]>([
    ['https://api.example.com/login', 'api.example.com:443'],
    ['https://api.example.com:443/login', 'api.example.com:443'],
    ['http://api.example.com/login', 'api.example.com:80'],
    ['http://api.example.com:8080/login', 'api.example.com:8080'],
  ])('the URI %s is on the site %s', async (uri, domain) => {
    await expect(check({ uri, domain }, ['other.example', domain])).resolves.toMatchObject({
      signedMessage: expect.stringMatching(/^0x/),
    })
  })
  test.each<[string, string]>([
    ['https://api.example.com/login', 'api.example.com:80'],
    ['http://api.example.com/login', 'api.example.com:443'],
    ['https://api.example.com:8443/login', 'api.example.com:443'],
    ['https://:password@api.example.com/login', 'api.example.com'],
    ['https://user@api.example.com/login', 'api.example.com'],
  ])('the URI %s is not on the site %s', async (uri, domain) => {
    await expect(check({ uri, domain }, [domain])).rejects.toThrow(
      fails('AuthMessageMismatchError', 'message.uri'),
    )
  })
  test.each(['xhttps', 'httpsx', 'ftp'])('the scheme %s is refused', async (scheme) => {
    await expect(check({ scheme }, ['api.example.com'])).rejects.toThrow(
      fails('AuthMessageMismatchError', 'message.scheme'),
    )
  })
  test('a resource that contains "urn:recap:" but does not start with it is accepted', async () => {
    const resources = ['https://a.example/urn:recap:x']
    await expect(check({ resources }, ['api.example.com'])).resolves.toBeDefined()
  })
  test('the error names the expected sites', async () => {
    const said = (domains: readonly string[]) => check({}, domains).catch((error: Error) => error.message)
    expect(await said(['a.example', 'b.example'])).toContain('it should be "a.example or b.example"')
    expect(await said([])).toContain('it should be "none"')
  })
})

describe('the time of a message', () => {
  const said = (more: object) =>
    signAuthMessage(account, {
      message: createSiweMessage({ ...fields, ...more }),
      chainId: 8453,
      domains: ['api.example.com'],
      now,
    }).catch((error: { shortMessage: string }) => error.shortMessage)
  const tenMinutes = 600_000
  test('may be issued up to ten minutes ahead of this clock', async () => {
    const from = (issued: number) =>
      said({ issuedAt: new Date(issued), expirationTime: new Date(issued + 3_600_000) })
    expect(await from(time + tenMinutes)).toMatchObject({ signedMessage: expect.any(String) })
    expect(await from(time + tenMinutes + 1)).toBe(
      'The sign-in message was issued at 2026-11-20T12:10:00.001Z, but it is now 2026-11-20T12:00:00.000Z.',
    )
  })
  test('must end within a day', async () => {
    expect(await said({ expirationTime: undefined })).toBe(
      'The sign-in message was issued at 2026-11-20T11:59:59.000Z and is valid forever.',
    )
    expect(await said({ expirationTime: new Date(time + 2 * 86_400_000) })).toBe(
      'The sign-in message was issued at 2026-11-20T11:59:59.000Z and is valid until 2026-11-22T12:00:00.000Z.',
    )
  })
})

describe('evmAdapter', () => {
  test('signs and verifies a sign-in message', async () => {
    const adapter = evmAdapter({ signer: account, blockchain: 'base', environment: 'prod' })
    expect(adapter).toMatchObject({ family: 'evm', blockchain: 'base' })
    expect(await adapter.getAddress()).toBe(account.address)
    const signed = await adapter.signAuthMessage({ message: text }, { domains: ['api.example.com'], now })
    expect(await adapter.verifyAuthMessage({ message: text }, signed)).toBe(true)
    expect(await adapter.verifyAuthMessage({ message: hashMessage('x') }, signed)).toBe(false)
    await expect(
      adapter.signAuthMessage({ message: text }, { domains: ['evil.example'], now }),
    ).rejects.toThrow(fails('AuthMessageMismatchError', 'message.domain'))
  })
  test('does not ask the wallet if the secp256k1 code that verifies signatures cannot be loaded', async () => {
    const { asked, signer } = watched()
    const adapter = evmAdapter({ signer, blockchain: 'base', environment: 'prod' })
    const signIn = () => adapter.signAuthMessage({ message: text }, { domains: ['api.example.com'], now })
    missing.curve = true
    await expect(signIn()).rejects.toMatchObject({ name: 'ModuleLoadError' })
    expect(asked).toEqual([])
    missing.curve = false
    await signIn()
    expect(asked).toEqual([text])
  })

  test('refuses a chain id that does not belong to the blockchain', () => {
    expect(() => evmAdapter({ signer: account, blockchain: 'base', chainId: 137 })).toThrow(
      fails('UnknownNetworkError', 'chainId'),
    )
    expect(() =>
      evmAdapter({ signer: account, blockchain: 'base', environment: 'sandbox', chainId: 8453 }),
    ).toThrow(fails('UnknownNetworkError', 'chainId'))
    // callers without TypeScript can pass this
    expect(() => evmAdapter({ signer: account, blockchain: 'solana' as never, chainId: 8453 })).toThrow(
      fails('UnknownNetworkError'),
    )
    expect(() => evmAdapter({ signer: account, blockchain: 'base' } as never)).toThrow(
      fails('UnknownNetworkError', 'environment'),
    )
    expect(evmAdapter({ signer: account, blockchain: 'base', chainId: 31337 }).blockchain).toBe('base')
  })
  test.each([1337, 31318, 42429])(
    'refuses Tempo on chain %i, because Tempo signatures are known by chain id',
    (chainId) => {
      expect(() => evmAdapter({ signer: account, blockchain: 'tempo', chainId })).toThrow(
        fails('UnknownNetworkError', 'chainId'),
      )
      expect(evmAdapter({ signer: account, blockchain: 'tempo', chainId: 42431 }).blockchain).toBe('tempo')
    },
  )
  test.each([undefined, null, 'x', 5, []])('%j as options is refused', (options) => {
    expect(() => evmAdapter(options as never)).toThrow(fails('InvalidOptionError', 'options'))
  })
})
