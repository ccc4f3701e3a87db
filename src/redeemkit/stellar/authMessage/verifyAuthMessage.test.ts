import type { Keypair } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { networkOf, verifyAuthMessage } from '../index.ts'
import { Asset, Memo, Operation, Transaction } from '../sdk.ts'
import {
  challenge,
  domains,
  environment,
  network,
  now,
  other,
  server,
  text,
  wallet,
} from './authMessage.fixture.ts'
import { messageDigest } from './parseAuthMessage.ts'

describe('a signature', () => {
  const options = { environment, address: wallet.publicKey(), message: text() } as const
  test.each([
    ['empty text', '', 'InvalidBase64Error'],
    ['other text', 'not base64', 'InvalidBase64Error'],
    [
      'truncated base64',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA=',
      'InvalidBase64Error',
    ],
    [
      'too short',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6',
      'InvalidSignatureError',
    ],
    ['65 bytes', Buffer.alloc(65).toString('base64'), 'InvalidSignatureError'],
  ])('that is invalid (%s) throws a typed error', (_, signedMessage, name) => {
    expect(() => verifyAuthMessage({ ...options, signedMessage })).toThrow(expect.objectContaining({ name }))
  })
  test('of 64 zero bytes does not verify', () => {
    expect(verifyAuthMessage({ ...options, signedMessage: Buffer.alloc(64).toString('base64') })).toBe(false)
  })
  test.each([undefined, null, 5])('for a message of %s throws a typed error', (message) => {
    const signature = wallet.sign(Buffer.from(messageDigest(String(message))))
    expect(() =>
      verifyAuthMessage({
        ...options,
        message: message as never,
        signedMessage: signature.toString('base64'),
      }),
    ).toThrow(expect.objectContaining({ name: 'InvalidAuthMessageError', field: 'message' }))
  })
  test('for an invalid address throws a typed error', () => {
    expect(() => verifyAuthMessage({ ...options, address: 'G', signedMessage: 'AAAA' })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError' }),
    )
  })
})

describe('a signed transaction that is sent with a fresh message', () => {
  const serverKey = server.publicKey()
  const asked = {
    environment,
    domains,
    serverKey,
    now,
    address: wallet.publicKey(),
    message: text(),
  } as const
  const signedBy = (transactionXdr: string, ...keys: Keypair[]) => {
    const transaction = new Transaction(transactionXdr, network.networkPassphrase)
    transaction.sign(...keys)
    return transaction.toXDR()
  }
  const verify = (transaction: string, more: object = {}) =>
    verifyAuthMessage({ ...asked, transaction, signedMessage: signedBy(transaction, wallet), ...more })
  const payment = Operation.payment({
    destination: server.publicKey(),
    asset: Asset.native(),
    amount: '1',
    source: wallet.publicKey(),
  })
  const seconds = now() / 1000

  test('verifies if it is the issued challenge', () => {
    expect(verify(challenge())).toBe(true)
    expect(verify(challenge(), { message: undefined })).toBe(true)
  })
  test.each<[string, string]>([
    [
      'a payment of the wallet',
      challenge(() => [payment], { source: wallet.publicKey(), sequence: '41', signers: [wallet] }),
    ],
    ['a payment with the sequence of a challenge', challenge(() => [payment])],
    ['a payment after a challenge operation', challenge(({ auth }) => [Operation.manageData(auth), payment])],
    ['a challenge with a valid sequence', challenge(undefined, { sequence: '41' })],
    [
      'the challenge of another server',
      challenge(undefined, { source: other.publicKey(), signers: [other] }),
    ],
    ['a challenge that the server has not signed', challenge(undefined, { signers: [other] })],
    [
      'the challenge of another home domain',
      challenge(({ auth, domain }) => [
        Operation.manageData({ ...auth, name: 'other.example auth' }),
        Operation.manageData(domain),
      ]),
    ],
    [
      'the challenge of another web_auth_domain',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData({ ...domain, value: 'other.example' }),
      ]),
    ],
    [
      'the challenge of another account',
      challenge(({ auth, domain }) => [
        Operation.manageData({ ...auth, source: other.publicKey() }),
        Operation.manageData(domain),
      ]),
    ],
    [
      'another client’s challenge for the same account',
      challenge(({ builder }) => {
        builder.addMemo(Memo.id('7'))
        return undefined
      }),
    ],
    ['an older challenge', challenge(undefined, { min: seconds - 7200, max: seconds - 6300 })],
    [
      'an older challenge that has not expired',
      challenge(undefined, { min: seconds - 200, max: seconds + 400 }),
    ],
    [
      'a challenge of another network',
      challenge(undefined, { passphrase: networkOf('prod').networkPassphrase }),
    ],
  ])('does not verify when it is %s', (_, transaction) => {
    expect(verify(transaction)).toBe(false)
  })
  test('does not verify if the server issued a different challenge', () => {
    const issued = challenge(({ auth, domain }) => [
      Operation.manageData({ ...auth, value: Buffer.alloc(48, 8).toString('base64') }),
      Operation.manageData(domain),
    ])
    expect(verify(issued, { signedMessage: signedBy(challenge(), wallet) })).toBe(false)
  })
  test('does not verify without the wallet’s own signature', () => {
    expect(verify(challenge(), { signedMessage: signedBy(challenge(), other) })).toBe(false)
  })
  test.each<[string, Record<string, string>]>([
    ['another wallet', { address: other.publicKey() }],
    ['another site', { domain: 'other.example' }],
    ['another network', { network: 'pubnet' }],
    ['an expired one', { issued: '2026-11-19T17:59:00.000Z', expires: '2026-11-20T17:59:00.000Z' }],
  ])('does not verify when the message is for %s', (_, changes) => {
    expect(verify(challenge(), { message: text(changes) })).toBe(false)
  })
  test.each([
    ['serverKey', { serverKey: undefined }, 'InvalidAddressError'],
    ['serverKey', { serverKey: 'GABC' }, 'InvalidAddressError'],
    ['domains', { domains: undefined }, 'InvalidOptionError'],
  ])('requires %s (%#)', (field, more, name) => {
    expect(() => verify(challenge(), more)).toThrow(expect.objectContaining({ name, field }))
  })
  test.each([
    ['a minute before it', -60, true],
    ['more than a minute before it', -61, false],
    ['a minute after it', 60, true],
    ['more than a minute after it', 61, false],
  ])('verifies only with a text issued within a minute: %s', (_, apart, verifies) => {
    const issued = new Date(now() + (apart - 10) * 1000).toISOString()
    expect(verify(challenge(), { message: text({ issued }) })).toBe(verifies)
  })
  test('verifies at the time that the caller passes', () => {
    expect(verify(challenge(), { now: () => now() + 601_000 })).toBe(false)
    expect(verify(challenge(), { now: () => now() + 600_000 })).toBe(true)
  })
})
