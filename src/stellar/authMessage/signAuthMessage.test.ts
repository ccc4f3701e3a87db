import {
  Account,
  Asset,
  type FeeBumpTransaction,
  Keypair,
  Memo,
  Operation,
  StrKey,
  Transaction,
  TransactionBuilder,
  WebAuth,
  type xdr,
} from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { networkOf, signAuthMessage, stellarAdapter, verifyAuthMessage } from '../index.ts'
import { checkChallenge } from './checkChallenge.ts'
import { messageDigest } from './messageDigest.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'

const now = () => Date.parse('2026-11-20T18:00:00Z')
const wallet = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1))
const other = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2))
const server = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 3))
const environment = 'sandbox'
const domains = ['shop.example']
const network = networkOf(environment)

function text(changes: Record<string, string> = {}) {
  const fields = {
    domain: 'shop.example',
    address: wallet.publicKey(),
    statement: 'Sign in to the shop.\n\n',
    uri: 'https://shop.example/login',
    version: '1',
    network: 'testnet',
    nonce: '0123456789abcdef',
    issued: '2026-11-20T17:59:00.000Z',
    expires: '2026-11-21T17:59:00.000Z',
    end: '',
    ...changes,
  }
  return `${fields.domain} wants you to sign in with your Stellar account:\n${fields.address}\n\n${fields.statement}URI: ${fields.uri}\nVersion: ${fields.version}\nNetwork: ${fields.network}\nNonce: ${fields.nonce}\nIssued At: ${fields.issued}\nExpiration Time: ${fields.expires}${fields.end}`
}
/** A wallet that must not be asked. */
const forbidden = {
  getAddress: async () => ({ address: wallet.publicKey() }),
  signMessage: async () => {
    throw new Error('the wallet was asked')
  },
  signTransaction: async () => {
    throw new Error('the wallet was asked')
  },
}
const base = { environment, domains, now } as const

describe('SEP-53', () => {
  // Origin: SEP-53 "Sign and Verify Messages", version 1.0.0, section "Test cases", 1 and 2.
  const seed = 'SAKICEVQLYWGSOJS4WW7HZJWAHZVEEBS527LHK5V4MLJALYKICQCJXMW'
  const address = 'GBXFXNDLV4LSWA4VB7YIL5GBD7BVNR22SGBTDKMO2SBZZHDXSKZYCP7L'
  test.each([
    [
      'Hello, World!',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA==',
    ],
    [
      'こんにちは、世界！',
      'CDU265Xs8y3OWbB/56H9jPgUss5G9A0qFuTqH2zs2YDgTm+++dIfmAEceFqB7bhfN3am59lCtDXrCtwH2k1GBA==',
    ],
  ])('published vector %s', async (message, signature) => {
    const key = Keypair.fromSecret(seed)
    const signed = await signAuthMessage(key, { ...base, message, allowPlainText: true })
    expect(signed).toEqual({ signedMessage: signature })
    expect(verifyAuthMessage({ environment, address, message, signedMessage: signature })).toBe(true)
    expect(
      verifyAuthMessage({ environment, address, message: `${message} `, signedMessage: signature }),
    ).toBe(false)
    expect(
      verifyAuthMessage({ environment, address: wallet.publicKey(), message, signedMessage: signature }),
    ).toBe(false)
  })
})

describe('the sign-in text', () => {
  test('is signed and verified, and says when it ends', async () => {
    const adapter = stellarAdapter({ signer: wallet, environment })
    const challenge = { message: text() }
    const signed = await adapter.signAuthMessage(challenge, { domains, now })
    expect(signed.expiresAt).toBe(Date.parse('2026-11-21T17:59:00Z') / 1000)
    expect(await adapter.verifyAuthMessage(challenge, signed)).toBe(true)
    expect(await adapter.verifyAuthMessage({ message: text({ nonce: 'another1' }) }, signed)).toBe(false)
    expect(await adapter.getAddress()).toBe(wallet.publicKey())
    await expect(Reflect.apply(Reflect.get(adapter, 'signCreditPermit'), adapter, [])).rejects.toMatchObject({
      name: 'UnsupportedBlockchainError',
    })
  })
  test.each<[string, Record<string, string>, string, string]>([
    ['another domain', { domain: 'evil.example' }, 'domain', 'AuthMessageMismatchError'],
    ['a longer domain', { domain: 'shop.example.evil.example' }, 'domain', 'AuthMessageMismatchError'],
    ['another wallet', { address: other.publicKey() }, 'address', 'AuthMessageMismatchError'],
    ['another network', { network: 'pubnet' }, 'network', 'AuthMessageMismatchError'],
    ['another site', { uri: 'https://evil.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another port', { uri: 'https://shop.example:8443' }, 'uri', 'AuthMessageMismatchError'],
    [
      'a site with user info',
      { uri: 'https://shop.example@evil.example' },
      'uri',
      'AuthMessageMismatchError',
    ],
    ['user info at the site', { uri: 'https://me@shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another scheme', { uri: 'javascript:alert(1)' }, 'uri', 'AuthMessageMismatchError'],
    ['no URI', { uri: 'shop.example' }, 'uri', 'AuthMessageMismatchError'],
    [
      'a URI that readers split differently',
      { uri: 'https://shop.example\\@evil.example' },
      'uri',
      'AuthMessageMismatchError',
    ],
    ['backslashes before the host', { uri: 'https:\\\\shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['a host in wide letters', { uri: 'https://\uff53hop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['empty user info', { uri: 'https://@shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another version', { version: '2' }, 'message', 'InvalidAuthMessageError'],
    ['a short nonce', { nonce: '1234567' }, 'message', 'InvalidAuthMessageError'],
    ['a nonce with signs', { nonce: '12345678-9' }, 'message', 'InvalidAuthMessageError'],
    ['a line at the end', { end: '\n' }, 'message', 'InvalidAuthMessageError'],
    ['more at the end', { end: '\nResources:\n- x' }, 'message', 'InvalidAuthMessageError'],
    ['a statement of two lines', { statement: 'One\nTwo\n\n' }, 'message', 'InvalidAuthMessageError'],
    [
      'a statement with hidden signs',
      { statement: 'One\u202etwo\n\n' },
      'message',
      'InvalidAuthMessageError',
    ],
    ['carriage returns', { statement: 'One\r\n\r\n' }, 'message', 'InvalidAuthMessageError'],
    ['issued later', { issued: '2026-11-20T18:10:00.001Z' }, 'issuedAt', 'AuthMessageExpiredError'],
    ['a day that is none', { issued: '2026-02-30T18:06:00Z' }, 'issuedAt', 'InvalidAuthMessageError'],
    ['a date without zone', { issued: '2026-11-20T17:59:00' }, 'issuedAt', 'InvalidAuthMessageError'],
    ['expired', { expires: '2026-11-20T18:00:00.000Z' }, 'expirationTime', 'AuthMessageExpiredError'],
    [
      'for longer than a day',
      { expires: '2026-11-21T18:00:00.001Z' },
      'expirationTime',
      'AuthMessageExpiredError',
    ],
    ['never expiring', { expires: '9999-12-31T23:59:59Z' }, 'expirationTime', 'AuthMessageExpiredError'],
    [
      'before its issue',
      { issued: '2026-11-20T18:04:00Z', expires: '2026-11-20T18:03:00Z' },
      'expirationTime',
      'AuthMessageExpiredError',
    ],
  ])('%s is refused before the wallet is asked', async (_, changes, field, name) => {
    for (const allowPlainText of [false, true])
      await expect(
        signAuthMessage(forbidden, { ...base, message: text(changes), allowPlainText }),
      ).rejects.toMatchObject({ name, field })
  })
  test('a millisecond before its end it is still good; without a statement too', async () => {
    for (const changes of [
      { expires: '2026-11-20T18:00:00.001Z' },
      { statement: '' },
      { uri: 'http://shop.example' },
    ])
      await signAuthMessage(wallet, { ...base, message: text(changes) })
  })
  test('free text needs leave', async () => {
    const message = 'Please sign in: 123'
    await expect(signAuthMessage(forbidden, { ...base, message })).rejects.toMatchObject({ field: 'message' })
    expect(await signAuthMessage(wallet, { ...base, message, allowPlainText: true })).not.toHaveProperty(
      'expiresAt',
    )
    for (const bad of [
      '',
      ' ',
      'x.example wants you to sign in with your Ethereum account:',
      'x.example wants  you to\nsign in with your Stellar account:',
    ])
      await expect(
        signAuthMessage(forbidden, { ...base, message: bad, allowPlainText: true }),
      ).rejects.toMatchObject({ name: 'InvalidAuthMessageError' })
  })
  test('hosts have to be a list of texts', async () => {
    for (const bad of [undefined, null, 'shop.example', [5]])
      for (const allowPlainText of [false, true])
        await expect(
          signAuthMessage(forbidden, { ...base, message: text(), domains: bad as never, allowPlainText }),
        ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'domains' })
  })
  test('the address asked for is the wallet’s', async () => {
    await expect(
      signAuthMessage(wallet, { ...base, message: text(), address: other.publicKey() }),
    ).rejects.toMatchObject({ name: 'WrongSignerError', field: 'address' })
  })
  test('10,000 texts: parsed or the one error, and never something else', () => {
    const line = fc.oneof(
      fc.constantFrom('URI: https://a.b', 'Version: 1', 'Network: testnet', 'Nonce: 12345678', '', 'x'),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(line).map((lines) => lines.join('\n')),
        ),
        (input) => {
          try {
            parseAuthMessage(input)
          } catch (error) {
            expect(error).toBeInstanceOf(BaseError)
          }
        },
      ),
      { numRuns: 10_000 },
    )
    fc.assert(
      fc.property(fc.nat(text().length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
        const changed = text().slice(0, at) + char + text().slice(at + 1)
        try {
          // Whatever one changed character leaves readable reads as something else.
          if (changed !== text()) expect(parseAuthMessage(changed)).not.toEqual(parseAuthMessage(text()))
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('the challenge transaction', () => {
  const textless = {
    getAddress: forbidden.getAddress,
    signTransaction: async (transaction: string) => {
      const parsed = new Transaction(transaction, network.networkPassphrase)
      parsed.sign(wallet)
      return { signedTxXdr: parsed.toXDR(), signerAddress: wallet.publicKey() }
    },
  }
  type Change = (parts: {
    builder: TransactionBuilder
    auth: Parameters<typeof Operation.manageData>[0]
    domain: Parameters<typeof Operation.manageData>[0]
  }) => xdr.Operation[] | undefined
  function challenge(
    change: Change = () => undefined,
    options: {
      sequence?: string
      signers?: Keypair[]
      passphrase?: string
      min?: number
      max?: number
      source?: string
    } = {},
  ) {
    const seconds = now() / 1000
    const builder = new TransactionBuilder(
      new Account(options.source ?? server.publicKey(), options.sequence ?? '-1'),
      {
        fee: '100',
        networkPassphrase: options.passphrase ?? network.networkPassphrase,
        timebounds: { minTime: options.min ?? seconds - 10, maxTime: options.max ?? seconds + 600 },
      },
    )
    const auth = {
      name: 'shop.example auth',
      value: Buffer.alloc(48, 7).toString('base64'),
      source: wallet.publicKey(),
    }
    const domain = { name: 'web_auth_domain', value: 'shop.example', source: server.publicKey() }
    const operations = change({ builder, auth, domain }) ?? [
      Operation.manageData(auth),
      Operation.manageData(domain),
    ]
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.build()
    transaction.sign(...(options.signers ?? [server]))
    return transaction.toXDR()
  }

  test('of a server of plain SEP-10 comes without a text of ours', async () => {
    const transaction = challenge()
    const { signedMessage } = await signAuthMessage(textless, { ...base, transaction })
    const options = { environment, transaction, signedMessage } as const
    expect(verifyAuthMessage({ ...options, address: wallet.publicKey() })).toBe(true)
    expect(verifyAuthMessage({ ...options, address: other.publicKey() })).toBe(false)
    expect(await signAuthMessage(wallet, { ...base, transaction })).toEqual({ signedMessage })
    for (const [change, field] of [
      [{ via: 'message' }, 'message'],
      [{ via: 'Transaction' }, 'via'],
      [{ transaction: undefined }, 'message'],
      [{ transaction: challenge(undefined, { signers: [other] }) }, 'transaction.signatures'],
      [{ domains: ['other.example'] }, 'transaction.operations[0].name'],
    ] as const)
      await expect(
        signAuthMessage(forbidden, { ...base, transaction, ...change } as never),
      ).rejects.toMatchObject({ field })
  })
  test('is signed when the wallet says that it signs no text, and only then', async () => {
    const failing = (error: unknown) => ({
      ...textless,
      signMessage: async () => {
        throw error
      },
    })
    const transaction = challenge()
    const asked = { ...base, message: text(), transaction }
    const unsupported = failing({ code: -3, message: 'does not support the "signMessage" function' })
    const byChallenge = await signAuthMessage(textless, asked)
    expect(await signAuthMessage(unsupported, asked)).toEqual(byChallenge)
    await expect(signAuthMessage(unsupported, { ...asked, via: 'message' })).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
    for (const [error, name] of [
      [{ code: -4, message: 'no' }, 'UserRejectedError'],
      [{ code: -1, message: 'failed' }, 'WalletFailedError'],
      [new Error('locked'), 'WalletFailedError'],
    ] as const)
      await expect(signAuthMessage(failing(error), asked)).rejects.toMatchObject({ name })
  })
  test('is signed by a wallet that signs no text; the SDK’s WebAuth takes the answer', async () => {
    for (const serverKey of [undefined, server.publicKey()]) {
      const transaction = challenge()
      const signed = await signAuthMessage(textless, { ...base, message: text(), transaction, serverKey })
      const options = {
        environment,
        message: text(),
        transaction,
        signedMessage: signed.signedMessage,
      } as const
      expect(verifyAuthMessage({ ...options, address: wallet.publicKey() })).toBe(true)
      expect(verifyAuthMessage({ ...options, address: other.publicKey() })).toBe(false)
      expect(
        verifyAuthMessage({
          ...options,
          address: wallet.publicKey(),
          transaction: challenge(undefined, { min: 1 }),
        }),
      ).toBe(false)
      expect(new Transaction(signed.signedMessage, network.networkPassphrase).signatures).toHaveLength(2)
    }
  })
  test('the SDK’s own challenge is accepted, and the SDK verifies what we signed', async () => {
    const transaction = WebAuth.buildChallengeTx(
      server,
      wallet.publicKey(),
      'shop.example',
      600,
      network.networkPassphrase,
      'shop.example',
    )
    const current = {
      ...base,
      now: Date.now,
      message: text({
        issued: new Date().toISOString(),
        expires: new Date(Date.now() + 1000_000).toISOString(),
      }),
    }
    const { signedMessage } = await signAuthMessage(wallet, { ...current, transaction, via: 'transaction' })
    expect(
      WebAuth.verifyChallengeTxSigners(
        signedMessage,
        server.publicKey(),
        network.networkPassphrase,
        [wallet.publicKey()],
        'shop.example',
        'shop.example',
      ),
    ).toEqual([wallet.publicKey()])
  })
  test('the published challenge of SEP-10 passes at its time, for its wallet, on its network', () => {
    // Origin: SEP-10, version 2.1.1, section "Challenge", the example response.
    const published =
      'AAAAAgAAAADIiRu2BrqqeOcP28PWCkD4D5Rjjsqh71HwvqFX+F4VXAAAAGQAAAAAAAAAAAAAAAEAAAAAXzrUcQAAAABfOtf1AAAAAAAAAAEAAAABAAAAAEEB8rhqNa70RYjaNnF1ARE2CbL50iR9HPXST/fImJN1AAAACgAAADB0aGlzaXNhdGVzdC5zYW5kYm94LmFuY2hvci5hbmNob3Jkb21haW4uY29tIGF1dGgAAAABAAAAQGdGOFlIQm1zaGpEWEY0L0VJUFZucGVlRkxVTDY2V0tKMVBPYXZuUVVBNjBoL09XaC91M2Vvdk54WFJtSTAvQ2UAAAAAAAAAAfheFVwAAABAheKE1HjGnUCNwPbX8mz7CqotShKbA+xM2Hbjl6X0TBpEprVOUVjA6lqMJ1j62vrxn1mF3eJzsLa9s9hRofG3Ag=='
    const expected = {
      address: StrKey.encodeEd25519PublicKey(
        Buffer.from('4101f2b86a35aef44588da36717501113609b2f9d2247d1cf5d24ff7c8989375', 'hex'),
      ),
      domains: ['thisisatest.sandbox.anchor.anchordomain.com'],
      network,
      now: () => 0x5f3ad471 * 1000,
    }
    expect(checkChallenge(published, expected).sequence).toBe('0')
    // The answer there names the public network, but the transaction was signed for the test network.
    expect(() => checkChallenge(published, { ...expected, network: networkOf('prod') })).toThrow(/signatures/)
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
      'a payment beside',
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
      'data of the wallet beside',
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
    ['a sequence that lands', challenge(undefined, { sequence: '41' }), 'transaction.sequence'],
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
        builder.setMinAccountSequenceAge(1)
        return undefined
      }),
      'transaction.preconditions',
    ],
    ['expired', challenge(undefined, { max: now() / 1000 - 1 }), 'transaction.timeBounds'],
    ['no end', challenge(undefined, { max: 0 }), 'transaction.timeBounds'],
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
    ['one signature more', challenge(undefined, { signers: [server, other] }), 'transaction.signatures'],
  ])('%s is refused before the wallet is asked', async (_, transaction, field) => {
    const { signMessage: _signMessage, ...noText } = forbidden
    const isTime = field === 'transaction.timeBounds'
    await expect(
      signAuthMessage(noText, { ...base, message: text(), transaction, serverKey: server.publicKey() }),
    ).rejects.toMatchObject({ name: isTime ? 'AuthMessageExpiredError' : 'InvalidAuthMessageError', field })
  })
  test('a fee bump around it, truncated or other text, and none at all', async () => {
    const { signMessage: _signMessage, ...noText } = forbidden
    const inner = new Transaction(challenge(), network.networkPassphrase)
    const bump: FeeBumpTransaction = TransactionBuilder.buildFeeBumpTransaction(
      server,
      '200',
      inner,
      network.networkPassphrase,
    )
    bump.sign(server)
    for (const [transaction, name] of [
      [bump.toXDR(), 'InvalidAuthMessageError'],
      [challenge().slice(0, -5), 'InvalidBase64Error'],
      [challenge().slice(0, -4), 'InvalidTransactionError'],
      ['AAAA', 'InvalidTransactionError'],
      ['', 'InvalidBase64Error'],
      [undefined, 'InvalidAuthMessageError'],
    ] as const)
      await expect(signAuthMessage(noText, { ...base, message: text(), transaction })).rejects.toMatchObject({
        name,
      })
  })
  test('any one byte changed is refused', async () => {
    const bytes = Buffer.from(challenge(), 'base64')
    const expected = { address: wallet.publicKey(), network, domains, now, serverKey: server.publicKey() }
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => checkChallenge(changed.toString('base64'), expected), `byte ${at}`).toThrow(BaseError)
    }
  })
})

describe('verify', () => {
  test('what is no signature at all is a typed error', () => {
    const options = { environment, address: wallet.publicKey(), message: text() } as const
    for (const [signedMessage, name] of [
      ['', 'InvalidBase64Error'],
      ['not base64', 'InvalidBase64Error'],
      [
        'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA=',
        'InvalidBase64Error',
      ],
      [
        'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6',
        'InvalidSignatureError',
      ],
      [Buffer.alloc(65).toString('base64'), 'InvalidSignatureError'],
    ] as const)
      expect(() => verifyAuthMessage({ ...options, signedMessage })).toThrow(
        expect.objectContaining({ name }),
      )
    for (const message of [undefined, null, 5])
      expect(() =>
        verifyAuthMessage({
          ...options,
          message: message as never,
          signedMessage: Buffer.from(wallet.sign(Buffer.from(messageDigest(String(message))))).toString(
            'base64',
          ),
        }),
      ).toThrow(expect.objectContaining({ name: 'InvalidAuthMessageError', field: 'message' }))
    expect(() => verifyAuthMessage({ ...options, address: 'G', signedMessage: 'AAAA' })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError' }),
    )
    expect(verifyAuthMessage({ ...options, signedMessage: Buffer.alloc(64).toString('base64') })).toBe(false)
  })
})
