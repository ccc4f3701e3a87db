import { expect, test } from 'vitest'
import { address, base, now, write } from '../authMessage/authMessage.fixture.ts'
import { inspect } from './inspect.ts'

const { environment, domains } = base
const look = (message: string, change: object = {}) =>
  inspect({ message, wallet: address, environment, domains, now, ...change })

test('a sign-in is told with its site, its wallet and its statement', () => {
  const { kind, summary, verdict, details } = look(write())
  expect(summary).toBe(`Sign in at pay.example as ${address}. It says "Sign in to the payments service.".`)
  expect([kind, verdict, details.message?.statement]).toStrictEqual([
    'signIn',
    'ok',
    'Sign in to the payments service.',
  ])
})

test('a statement of a thousand characters is shown whole', () => {
  const statement = 'I give everything away. '.repeat(41).slice(0, 990)
  expect(look(write({ statement })).summary).toContain(statement)
})

test.each([
  ['another site', { domain: 'evil.example' }, 'message.domain'],
  ['another wallet', { address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }, 'message.address'],
  ['another network', { 'Chain ID': 'solana:mainnet' }, 'message.Chain ID'],
  ['a time that is over', { 'Expiration Time': new Date(now()).toISOString() }, 'message.Expiration Time'],
])('a sign-in for %s is a danger, and still told', (_, change, field) => {
  const { summary, verdict, findings } = look(write(change))
  expect(verdict).toBe('refuse')
  expect(findings[0]).toMatchObject({ severity: 'danger', code: 'SIGN_IN', field })
  expect(summary).toContain('It says "Sign in to the payments service."')
})

test('a sign-in is a danger when no site may ask for one', () => {
  expect(look(write(), { domains: undefined }).verdict).toBe('refuse')
})

test('another text is quoted, on one line, with caution', () => {
  const { summary, verdict, findings, details } = look('Hello\n". Sign in at pay.example')
  expect(summary).toBe('Sign a text. It says "Hello\\n\\". Sign in at pay.example".')
  expect([verdict, findings[0]?.code, details.message]).toStrictEqual(['caution', 'PLAIN_TEXT', undefined])
})

test.each([
  ['no text', { message: 7 }, 'message'],
  ['a transaction beside it', { transaction: 'AQ==' }, 'message'],
  ['an unknown network', { environment: 'moon' }, 'environment'],
  ['no wallet', { wallet: '0x' }, 'wallet'],
])('refuses to inspect %s', (_, change, field) => {
  expect(() => look(write(), change)).toThrow(expect.objectContaining({ field }))
})
