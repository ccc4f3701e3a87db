import { expect, test } from 'vitest'
import { checkOptions } from './checkOptions.ts'

type Options = {
  publicClient?: object | undefined
  subtotal: unknown
  wallet: string
  domains?: readonly string[] | undefined
  now?: (() => number) | undefined
}
const check = (options: unknown) =>
  // what callers without TypeScript can pass
  checkOptions(options as Options, {
    publicClient: 'object?',
    subtotal: 'any',
    wallet: 'string',
    domains: 'list?',
    now: 'function?',
  })

test('valid options pass unchanged', () => {
  const options = {
    wallet: 'w',
    subtotal: 1n,
    now: Date.now,
    domains: [],
    publicClient: undefined,
    other: undefined,
  }
  expect(check(options)).toBe(options)
  // an object may be a function, because some providers are callable
  expect(check({ wallet: 'w', publicClient: () => 1 })).toMatchObject({ wallet: 'w' })
})

test.each<[string, string | undefined]>([
  ['publicclient', 'publicClient'],
  ['PublicClient', 'publicClient'],
  ['publicCleint', 'publicClient'],
  ['client', 'publicClient'],
  ['walet', 'wallet'],
  ['domain', 'domains'],
  ['nwo', undefined],
  ['__proto__x', undefined],
  ['toString', undefined],
  ['w'.repeat(10_000), undefined],
])('reports the unknown option %s, with the hint %s', (name, meant) => {
  const call = () => check({ wallet: 'w', [name]: 1 })
  expect(call).toThrow(expect.objectContaining({ name: 'InvalidOptionError', field: name.slice(0, 48) }))
  if (meant === undefined) expect(call).not.toThrow('Did you mean')
  else expect(call).toThrow(`Did you mean ${meant}?`)
})

test.each<[string, unknown, string]>([
  ['wallet', undefined, 'wallet is undefined.'],
  ['wallet', 7, 'wallet is a number.'],
  ['publicClient', 'https://node.example', 'publicClient is text of 20 characters.'],
  ['publicClient', null, 'publicClient is null.'],
  ['publicClient', [1, 2], 'publicClient is a list of length 2.'],
  ['domains', 'service.example', 'domains is text of 15 characters.'],
  ['now', 1n, 'now is a bigint.'],
])('reports %s as %o without its value', (name, value, shortMessage) => {
  expect(() => check({ wallet: 'w', [name]: value })).toThrow(
    expect.objectContaining({ name: 'InvalidOptionError', field: name, shortMessage }),
  )
})

test.each([undefined, null, 'options', 7, []])('rejects %j as options', (options) => {
  expect(() => check(options)).toThrow(
    expect.objectContaining({ name: 'InvalidOptionError', field: 'options' }),
  )
})

test('the error does not show a secret key that was passed as the name of an option', () => {
  // SEP-5's first test vector
  const seed = 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'
  const call = () => check({ wallet: 'w', [seed]: 1 })
  expect(call).toThrow(expect.objectContaining({ field: 'text of 56 characters' }))
  expect(call).not.toThrow(seed.slice(0, 8))
})

test('options that were not awaited are reported as a promise', () => {
  expect(() => check(Promise.resolve({}))).toThrow('use await')
})
