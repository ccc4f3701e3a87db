import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { networkOf, signAuthMessage } from '../index.ts'
import {
  Asset,
  Memo,
  Operation,
  SorobanDataBuilder,
  StrKey,
  Transaction,
  TransactionBuilder,
} from '../sdk.ts'
import {
  base,
  challenge,
  domains,
  forbidden,
  network,
  now,
  other,
  server,
  text,
  wallet,
} from './authMessage.fixture.ts'
import { checkChallenge } from './checkChallenge.ts'

describe('the challenge transaction', () => {
  const { signMessage: _signMessage, ...noText } = forbidden
  // Origin: SEP-10, version 2.1.1, section "Challenge", the example response.
  const published =
    'AAAAAgAAAADIiRu2BrqqeOcP28PWCkD4D5Rjjsqh71HwvqFX+F4VXAAAAGQAAAAAAAAAAAAAAAEAAAAAXzrUcQAAAABfOtf1AAAAAAAAAAEAAAABAAAAAEEB8rhqNa70RYjaNnF1ARE2CbL50iR9HPXST/fImJN1AAAACgAAADB0aGlzaXNhdGVzdC5zYW5kYm94LmFuY2hvci5hbmNob3Jkb21haW4uY29tIGF1dGgAAAABAAAAQGdGOFlIQm1zaGpEWEY0L0VJUFZucGVlRkxVTDY2V0tKMVBPYXZuUVVBNjBoL09XaC91M2Vvdk54WFJtSTAvQ2UAAAAAAAAAAfheFVwAAABAheKE1HjGnUCNwPbX8mz7CqotShKbA+xM2Hbjl6X0TBpEprVOUVjA6lqMJ1j62vrxn1mF3eJzsLa9s9hRofG3Ag=='
  const publishedFor = {
    address: StrKey.encodeEd25519PublicKey(
      Buffer.from('4101f2b86a35aef44588da36717501113609b2f9d2247d1cf5d24ff7c8989375', 'hex'),
    ),
    domains: ['thisisatest.sandbox.anchor.anchordomain.com'],
    network,
    now: () => 0x5f3ad471 * 1000,
  }
  test('that SEP-10 publishes passes at its time, for its wallet and on its network', () => {
    expect(checkChallenge(published, publishedFor).sequence).toBe('0')
  })
  test('that SEP-10 publishes is not signed for the public network, although SEP-10 names that network', () => {
    expect(() => checkChallenge(published, { ...publishedFor, network: networkOf('prod') })).toThrow(
      /signatures/,
    )
  })
  test.each<[string, string, string]>([
    ['longer than a day', challenge(undefined, { max: now() / 1000 + 86_461 }), 'transaction.timeBounds'],
    ['without a start', challenge(undefined, { min: 0 }), 'transaction.timeBounds'],
    [
      'a domain whose letters have an eighth bit',
      challenge(({ auth, domain }) => {
        const operation = Operation.manageData(auth)
        const name = Buffer.from(auth.name)
        name[0] = (name[0] ?? 0) | 0x80
        operation.body().manageDataOp().dataName(name)
        return [operation, Operation.manageData(domain)]
      }),
      'transaction.operations[0].name',
    ],
    [
      'a byte order mark before the domain',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData({ ...domain, value: '\ufeffshop.example' }),
      ]),
      'transaction.operations[1].value',
    ],
    [
      'an extra payment',
      challenge(({ auth }) => [
        Operation.manageData(auth),
        Operation.payment({
          destination: server.publicKey(),
          asset: Asset.native(),
          amount: '1',
          source: wallet.publicKey(),
        }),
      ]),
      'transaction.operations[1]',
    ],
    [
      'a payment instead',
      challenge(() => [
        Operation.payment({
          destination: server.publicKey(),
          asset: Asset.native(),
          amount: '1',
          source: wallet.publicKey(),
        }),
      ]),
      'transaction.operations[0]',
    ],
    [
      'a third operation',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData(domain),
        Operation.manageData(domain),
      ]),
      'transaction.operations',
    ],
    [
      'extra data written by the wallet',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData({ ...domain, source: wallet.publicKey() }),
      ]),
      'transaction.operations[1].source',
    ],
    [
      'another domain',
      challenge(({ auth, domain }) => [
        Operation.manageData({ ...auth, name: 'evil.example auth' }),
        Operation.manageData(domain),
      ]),
      'transaction.operations[0].name',
    ],
    [
      'another web_auth_domain',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData({ ...domain, value: 'evil.example' }),
      ]),
      'transaction.operations[1].value',
    ],
    [
      'unknown data',
      challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData({ ...domain, name: 'client_domain' }),
      ]),
      'transaction.operations[1].name',
    ],
    [
      'another wallet',
      challenge(({ auth, domain }) => [
        Operation.manageData({ ...auth, source: other.publicKey() }),
        Operation.manageData(domain),
      ]),
      'transaction.operations[0].source',
    ],
    [
      'no wallet',
      challenge(({ auth: { source: _, ...auth } }) => [Operation.manageData(auth)]),
      'transaction.operations[0].source',
    ],
    [
      'a short nonce',
      challenge(({ auth }) => [Operation.manageData({ ...auth, value: 'short' })]),
      'transaction.operations[0].value',
    ],
    [
      'a deletion',
      challenge(({ auth }) => [Operation.manageData({ ...auth, value: null })]),
      'transaction.operations[0].value',
    ],
    ['a valid sequence', challenge(undefined, { sequence: '41' }), 'transaction.sequence'],
    ['a negative sequence', challenge(undefined, { sequence: '-3' }), 'transaction.sequence'],
    [
      'a memo',
      challenge(({ builder }) => {
        builder.addMemo(Memo.id('1'))
        return undefined
      }),
      'transaction.memo',
    ],
    [
      'a further condition',
      challenge(({ builder }) => {
        builder.setMinAccountSequenceLedgerGap(1)
        return undefined
      }),
      'transaction.preconditions',
    ],
    [
      'resources',
      challenge(({ builder }) => {
        builder.setSorobanData(new SorobanDataBuilder().build())
        return undefined
      }),
      'transaction.preconditions',
    ],
    ['expired', challenge(undefined, { max: now() / 1000 - 1 }), 'transaction.timeBounds'],
    ['no expiry', challenge(undefined, { max: 0 }), 'transaction.timeBounds'],
    [
      'a start far ahead',
      challenge(undefined, { min: now() / 1000 + 601, max: now() / 1000 + 900 }),
      'transaction.timeBounds',
    ],
    [
      'the wallet as source',
      challenge(undefined, { source: wallet.publicKey(), signers: [wallet] }),
      'transaction.source',
    ],
    [
      'another server',
      challenge(undefined, { source: other.publicKey(), signers: [other] }),
      'transaction.source',
    ],
    [
      'another network',
      challenge(undefined, { passphrase: networkOf('prod').networkPassphrase }),
      'transaction.signatures',
    ],
    ['another signer', challenge(undefined, { signers: [other] }), 'transaction.signatures'],
    ['no signature', challenge(undefined, { signers: [] }), 'transaction.signatures'],
    ['an extra signature', challenge(undefined, { signers: [server, other] }), 'transaction.signatures'],
  ])('is refused before any prompt: %s', async (_, transaction, field) => {
    const isTime = field === 'transaction.timeBounds'
    await expect(
      signAuthMessage(noText, { ...base, message: text(), transaction, serverKey: server.publicKey() }),
    ).rejects.toMatchObject({ name: isTime ? 'AuthMessageExpiredError' : 'InvalidAuthMessageError', field })
  })
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    server,
    '200',
    new Transaction(challenge(), network.networkPassphrase),
    network.networkPassphrase,
  )
  bump.sign(server)
  test.each<[string, string | undefined, string]>([
    ['a fee bump around the challenge', bump.toXDR(), 'InvalidAuthMessageError'],
    ['truncated base64', challenge().slice(0, -5), 'InvalidBase64Error'],
    ['truncated XDR', challenge().slice(0, -4), 'InvalidTransactionError'],
    ['other XDR', 'AAAA', 'InvalidTransactionError'],
    ['empty text', '', 'InvalidBase64Error'],
    ['no transaction', undefined, 'InvalidAuthMessageError'],
  ])('%s instead of a challenge throws a typed error', async (_, transaction, name) => {
    await expect(signAuthMessage(noText, { ...base, message: text(), transaction })).rejects.toMatchObject({
      name,
    })
  })
  test('with any byte changed is rejected', () => {
    const bytes = Buffer.from(challenge(), 'base64')
    const expected = { address: wallet.publicKey(), network, domains, now, serverKey: server.publicKey() }
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => checkChallenge(changed.toString('base64'), expected), `byte ${at}`).toThrow(BaseError)
    }
  })
})
