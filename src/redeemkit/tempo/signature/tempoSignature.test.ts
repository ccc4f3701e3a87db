import fc from 'fast-check'
import { P256, WebAuthnP256 } from 'ox'
import { SignatureEnvelope } from 'ox/tempo'
import {
  type Address,
  concatHex,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  sha256,
  size,
  slice,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Account } from 'viem/tempo'
import { beforeAll, describe, expect, inject, test } from 'vitest'

import vectors from '../../../../test/vectors/tempo.json' with { type: 'json' }
import { flippedBits } from '../../core/flippedBits.fixture.ts'
import type { EvmClient } from '../../evm/client.ts'
import { passkeySigner } from '../signer/passkeySigner.ts'
import { accessKeySigner } from '../signer/tempoSigner.ts'
import { webCryptoSigner } from '../signer/webCryptoSigner.ts'
import { buildTempoTransaction } from '../transaction/buildTempoTransaction.ts'
import { serializeTempoTransaction } from '../transaction/serializeTempoTransaction.ts'
import { signTempoTransaction } from '../transaction/signTempoTransaction.ts'
import { checkTempoSignature, verifyTempoSignature } from './checkTempoSignature.ts'
import { classifyTempoSignature } from './classifyTempoSignature.ts'
import { getAccessKey } from './getAccessKey.ts'
import { keychainDigest, p256Order, parseTempoSignature, serializeTempoSignature } from './tempoSignature.ts'
import { askSignatureVerifier } from './tempoSignatures.ts'

const digest = keccak256('0x1234')
const secret = (last: string): Hex => `0x${'ab'.repeat(31)}${last}`
const page = { rpId: 'shop.example', origin: 'https://shop.example' }
const root = Account.fromSecp256k1(secret('01'))

/** viem's Tempo accounts, one for each kind of key. */
const theirs = {
  secp256k1: root,
  p256: Account.fromP256(secret('02')),
  webAuthn: Account.fromHeadlessWebAuthn(secret('03'), page),
}
const accessKeys = {
  secp256k1: Account.fromSecp256k1(secret('04'), { access: root }),
  p256: Account.fromP256(secret('05'), { access: root }),
  webAuthn: Account.fromHeadlessWebAuthn(secret('06'), { ...page, access: root }),
}
const kindNumber = { secp256k1: 0, p256: 1, webAuthn: 2 } as const

/** Creates a client for a fake chain whose account keychain stores the given access keys. */
function keychain(rows: Record<string, Partial<Row>>, of: Address = root.address): EvmClient {
  return {
    request: async ({ method, params }) => {
      const [call] = params as [{ to: Address; data: Hex }]
      expect(method).toBe('eth_call')
      expect(call.to).toBe('0xaAAAaaAA00000000000000000000000000000000')
      const { scoped = false } = rows[slice(call.data, 48, 68).toLowerCase()] ?? {}
      if (call.data.startsWith('0x0163e7ec')) {
        if (scoped === 'unknown') throw Object.assign(new Error('execution reverted'), { code: 3 })
        return concatHex([scoped, 64n, 0n].map((word) => numberToHex(BigInt(word), { size: 32 })))
      }
      expect(slice(call.data, 0, 4)).toBe('0xbc298553')
      const account = slice(call.data, 16, 36).toLowerCase()
      const keyId = slice(call.data, 48, 68)
      const row = rows[keyId.toLowerCase()]
      if (row === undefined || account !== of.toLowerCase()) return `0x${'00'.repeat(160)}`
      const { kind = 1, expiry = 2n ** 63n, limited = false, revoked = false } = row
      const text = [BigInt(kind), BigInt(keyId), expiry, BigInt(limited), BigInt(revoked)]
      return concatHex(text.map((word) => numberToHex(word, { size: 32 })))
    },
  }
}
type Row = {
  kind: number
  expiry: bigint
  limited: boolean
  revoked: boolean
  /** Whether the key is limited to certain calls (TIP-1011); `unknown` for a chain before hardfork T3. */
  scoped: boolean | 'unknown'
}
const now = () => 1_800_000_000_000

describe('checkTempoSignature with published signatures', () => {
  test.each(vectors.signatures)('accepts $name', async (vector) => {
    const signature = vector.signature as Hex
    const account = vector.account as Address
    const webAuthn =
      vector.rpId === undefined ? undefined : { rpId: vector.rpId, origins: [vector.webAuthnOrigin ?? ''] }
    const check = await checkTempoSignature({ account, digest: vector.digest as Hex, signature, webAuthn })
    expect(check).toMatchObject({ valid: true, kind: vector.kind, signer: account })
    expect(serializeTempoSignature(parseTempoSignature(signature))).toBe(signature)
    expect(classifyTempoSignature(signature).kind).toBe(vector.kind)
  })

  test.each(vectors.refused)('refuses $name', async (vector) => {
    const signature = vector.signature as Hex
    const account = vector.account as Address
    const check = await checkTempoSignature({ account, digest: vector.digest as Hex, signature })
    expect(check).toMatchObject({ valid: false, problem: vector.problem })
  })
})

describe("access keys' signatures of the published credit permit", () => {
  const { account, digest, innerDigest, signatures } = vectors.keychain

  test('keychainDigest returns the published digest', () => {
    expect(keychainDigest({ digest: digest as Hex, account: account as Address })).toBe(innerDigest)
  })

  test.each(signatures)(
    'checkTempoSignature accepts the $kind signature',
    async ({ kind, keyId, signature }) => {
      const client = keychain(
        { [keyId.toLowerCase()]: { kind: kind === 'p256' ? 1 : 0 } },
        account as Address,
      )
      const options = {
        account: account as Address,
        digest: digest as Hex,
        signature: signature as Hex,
        client,
      }
      expect(await checkTempoSignature(options)).toMatchObject({ valid: true, signer: getAddress(keyId) })
      expect(classifyTempoSignature(options.signature)).toMatchObject({
        kind: 'keychain',
        account,
        inner: { kind },
      })
      expect(serializeTempoSignature(parseTempoSignature(options.signature))).toBe(signature)
    },
  )
})

describe('signatures by viem’s Tempo accounts', () => {
  test.each(Object.entries(theirs))(
    '%s: checkTempoSignature accepts the signatures without a client',
    async (kind, account) => {
      const signature = await account.sign({ hash: digest })
      expect(await checkTempoSignature({ account: account.address, digest, signature })).toEqual({
        valid: true,
        kind,
        signer: account.address,
      })
      expect(serializeTempoSignature(parseTempoSignature(signature))).toBe(signature)
      const other = keccak256('0x5678')
      expect(await verifyTempoSignature({ account: account.address, digest: other, signature })).toBe(false)
      expect(await checkTempoSignature({ account: address(9), digest, signature })).toMatchObject({
        problem: 'WRONG_ACCOUNT',
      })
    },
  )

  test.each(Object.entries(accessKeys))(
    '%s as an access key: checkTempoSignature accepts the signatures if the chain knows the key',
    async (kind, account) => {
      const signature = await account.sign({ hash: digest })
      const options = { account: root.address, digest, signature, now }
      const keyId = getAddress(account.accessKeyAddress)
      const number = kindNumber[kind as keyof typeof kindNumber]
      const check = (row: Partial<Row>) =>
        checkTempoSignature({
          ...options,
          client: keychain({ [keyId.toLowerCase()]: { kind: number, ...row } }),
        })
      expect(await check({})).toMatchObject({ valid: true, kind: 'keychain', signer: keyId })
      expect(await checkTempoSignature(options)).toMatchObject({ problem: 'ACCESS_KEY_UNCHECKED' })
      expect(await checkTempoSignature({ ...options, client: keychain({}) })).toMatchObject({
        problem: 'ACCESS_KEY_UNKNOWN',
      })
      expect(await check({ kind: (number + 1) % 3 })).toMatchObject({ problem: 'ACCESS_KEY_UNKNOWN' })
      expect(await check({ revoked: true })).toMatchObject({ problem: 'ACCESS_KEY_REVOKED' })
      expect(await check({ limited: true })).toMatchObject({ problem: 'ACCESS_KEY_LIMITED' })
      expect(await check({ scoped: true })).toMatchObject({ problem: 'ACCESS_KEY_LIMITED' })
      expect(await check({ scoped: 'unknown' })).toMatchObject({ valid: true })
      for (const [expiry, problem] of [
        [1_799_999_999n, 'ACCESS_KEY_EXPIRED'],
        [1_800_000_000n, 'ACCESS_KEY_EXPIRED'],
      ] as const)
        expect(await check({ expiry })).toMatchObject({ problem })
      expect(await check({ expiry: 1_800_000_001n })).toMatchObject({ valid: true })
      for (const row of [{ limited: true }, { scoped: true }]) {
        const client = keychain({ [keyId.toLowerCase()]: { kind: number, ...row } })
        expect(await verifyTempoSignature({ ...options, client })).toBe(false)
        expect(await verifyTempoSignature({ ...options, client, limitedAccessKeys: 'accept' })).toBe(true)
      }
    },
  )

  test("an access key's signature for another account is refused even without a client", async () => {
    const signature = await accessKeys.p256.sign({ hash: digest })
    const check = await checkTempoSignature({ account: theirs.p256.address, digest, signature })
    expect(check).toMatchObject({ valid: false, problem: 'WRONG_ACCOUNT' })
    // a signature that an access key made without the Keychain envelope is not valid for the account
    const bare = await accessKeys.p256.sign({ hash: digest, raw: true })
    expect(await verifyTempoSignature({ account: root.address, digest, signature: bare })).toBe(false)
  })

  test('are re-encoded so that ox parses them', async () => {
    for (const account of [...Object.values(theirs), ...Object.values(accessKeys)]) {
      const signature = await account.sign({ hash: digest })
      const ours = serializeTempoSignature(parseTempoSignature(signature))
      expect(SignatureEnvelope.serialize(SignatureEnvelope.deserialize(ours))).toBe(signature.toLowerCase())
    }
  })
})

describe("signatures by redeemkit's signers, verified with ox", () => {
  const keyPairs = () =>
    crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])

  const judged = (address: Address, payload: Hex, signature: Hex) =>
    SignatureEnvelope.verify(SignatureEnvelope.deserialize(signature), { address, payload })

  test('webCryptoSigner: each of many signatures is valid, whether WebCrypto returns a high or a low s', async () => {
    const signer = await webCryptoSigner({ keyPair: await keyPairs() })
    for (let round = 0; round < 24; round++) {
      const hash = keccak256(numberToHex(round))
      const signature = await signer.sign({ hash })
      expect(judged(signer.address, hash, signature)).toBe(true)
      expect(await verifyTempoSignature({ account: signer.address, digest: hash, signature })).toBe(true)
    }
  })

  test.each(['P-384', 'P-521'])('webCryptoSigner refuses keys on curve %s', async (namedCurve) => {
    const other = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve }, false, ['sign', 'verify'])
    const { privateKey, publicKey } = await keyPairs()
    for (const keyPair of [
      other,
      { privateKey: other.privateKey, publicKey },
      { privateKey, publicKey: other.publicKey },
    ])
      await expect(webCryptoSigner({ keyPair })).rejects.toMatchObject({
        name: 'InvalidKeyPairError',
        field: 'keyPair',
      })
  })

  test('webCryptoSigner refuses keys of another algorithm, and missing keys', async () => {
    const ecdh = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
    const { publicKey } = await keyPairs()
    for (const keyPair of [ecdh, { publicKey }, { privateKey: {}, publicKey: {} }, {}])
      await expect(webCryptoSigner({ keyPair: keyPair as never })).rejects.toMatchObject({
        name: 'InvalidKeyPairError',
        field: 'keyPair',
      })
  })

  test('webCryptoSigner does not sign with keys that are not a pair, or a digest of the wrong length', async () => {
    const [one, two] = [await keyPairs(), await keyPairs()]
    const keyPair = { privateKey: one.privateKey, publicKey: two.publicKey }
    const signer = await webCryptoSigner({ keyPair })
    await expect(signer.sign({ hash: digest })).rejects.toMatchObject({ name: 'InvalidKeyPairError' })
    const mute = await webCryptoSigner({ keyPair: { privateKey: two.publicKey, publicKey: two.publicKey } })
    await expect(mute.sign({ hash: digest })).rejects.toMatchObject({ name: 'InvalidKeyPairError' })
    const good = await webCryptoSigner({ keyPair: one })
    for (const hash of [undefined, '0x12', 'zz', `${digest}00`])
      await expect(good.sign({ hash: hash as never })).rejects.toMatchObject({ name: 'InvalidHexError' })
  })

  test('passkeySigner: each of many signatures is valid', async () => {
    const signer = passkeySigner(authenticator({}))
    for (let round = 0; round < 24; round++) {
      const hash = keccak256(numberToHex(round))
      const signature = await signer.sign({ hash })
      expect(judged(signer.address, hash, signature)).toBe(true)
    }
  })

  test('accessKeySigner signs the keychain digest, which contains the account', async () => {
    const key = await webCryptoSigner({ keyPair: await keyPairs() })
    const signer = accessKeySigner({ account: root.address, key })
    const signature = await signer.sign({ hash: digest })
    expect(signer.address).toBe(root.address)
    const envelope = SignatureEnvelope.deserialize(signature)
    expect(envelope).toMatchObject({
      type: 'keychain',
      version: 'v2',
      userAddress: root.address.toLowerCase(),
    })
    if (envelope.type !== 'keychain') throw new Error('not a keychain envelope')
    const payload = keychainDigest({ digest, account: root.address })
    expect(SignatureEnvelope.verify(envelope.inner, { address: key.address, payload })).toBe(true)
    expect(SignatureEnvelope.verify(envelope.inner, { address: key.address, payload: digest })).toBe(false)
    const nested = accessKeySigner({ account: root.address, key: signer })
    await expect(nested.sign({ hash: digest })).rejects.toThrow('returned a Keychain signature')
  })

  test('passkeySigner throws if the user rejects, the request fails, or the assertion is invalid', async () => {
    const sign = (options: Parameters<typeof authenticator>[0]) =>
      passkeySigner(authenticator(options)).sign({ hash: digest })
    await expect(sign({ fails: 'NotAllowedError' })).rejects.toMatchObject({ name: 'UserRejectedError' })
    await expect(sign({ fails: 'SecurityError' })).rejects.toMatchObject({ name: 'WalletFailedError' })
    await expect(sign({ signsWith: secret('0a') })).rejects.toMatchObject({ name: 'WrongSignatureError' })
    await expect(sign({ origin: 'https://shop.example.evil.test' })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    await expect(sign({ signsDigest: keccak256('0x99') })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    await expect(sign({ der: '0x30040201010201' })).rejects.toMatchObject({ name: 'WrongSignatureError' })
    await expect(sign({ flags: 0x04 })).rejects.toThrow('flag UP')
    await expect(sign({ flags: 0x45 })).rejects.toThrow('flag AT')
  })
})

describe('missing or malformed input is refused:', () => {
  const asserted = (change: object) => {
    const good = authenticator({})
    const getAssertion: NonNullable<typeof good.getAssertion> = async (request) => {
      const assertion = await authenticator({}).getAssertion?.(request)
      // polyfills and callers without TypeScript can return these
      return { ...assertion, ...change } as never
    }
    return passkeySigner({ ...good, getAssertion }).sign({ hash: digest })
  }

  test.each<[string, object]>([
    ['a credential id that is not base64url', { credentialId: '***' }],
    ['no credential id', { credentialId: undefined }],
    ['a credential id that is a number', { credentialId: 5 }],
    ['no public key', { publicKey: undefined }],
    ['half a public key', { publicKey: { x: digest } }],
    ['an invalid rpId', { rpId: '' }],
    ['an rpId that is a number', { rpId: 5 }],
  ])('a passkey with %s', (_, change) => {
    expect(() => passkeySigner({ ...authenticator({}), ...change } as never)).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^Invalid\w+Error$/), fix: expect.any(String) }),
    )
  })

  test.each<[string, object]>([
    ['no signature', { signature: undefined }],
    ['a signature as text', { signature: 'x' }],
    ['no authenticator data', { authenticatorData: undefined }],
    ['no client data', { clientDataJSON: undefined }],
    ['client data that is not UTF-8', { clientDataJSON: Uint8Array.from([0xff]) }],
  ])('an assertion with %s', async (_, change) => {
    await expect(asserted(change)).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test.each([undefined, null, {}, 5])('%j as the assertion', async (assertion) => {
    const signer = passkeySigner({ ...authenticator({}), getAssertion: async () => assertion as never })
    await expect(signer.sign({ hash: digest })).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test.each([undefined, null, {}, [], 'x', 5])('%j instead of options', async (nothing) => {
    const none = nothing as never
    const typed = { name: expect.stringMatching(/^Invalid\w+Error$/) }
    for (const call of [
      () => keychainDigest(none),
      () => serializeTempoSignature(none),
      () => parseTempoSignature(none),
      () => accessKeySigner(none),
      () => passkeySigner(none),
    ])
      expect(call).toThrow(expect.objectContaining(typed))
    for (const answer of [
      webCryptoSigner(none),
      checkTempoSignature(none),
      verifyTempoSignature(none),
      askSignatureVerifier(keychain({}), none),
      getAccessKey(keychain({}), none),
    ])
      await expect(answer).rejects.toMatchObject(typed)
  })

  test.each<[string, object]>([
    ['no r', { type: 'secp256k1', s: digest, v: 27 }],
    ['a short s', { type: 'secp256k1', r: digest, s: '0x12', v: 27 }],
    ['a v that is a string', { type: 'secp256k1', r: digest, s: digest, v: '27' }],
    ['an unknown type', { type: 'ed25519', r: digest, s: digest }],
    [
      'a prehash that is a string',
      { type: 'p256', r: digest, s: digest, x: digest, y: digest, prehash: 'false' },
    ],
    [
      'no client data',
      { type: 'webAuthn', r: digest, s: digest, x: digest, y: digest, authenticatorData: '0x' },
    ],
    ['no inner signature', { type: 'keychain', version: 2, account: root.address }],
    ['a short account', { type: 'keychain', version: 2, account: '0x12', inner: {} }],
  ])('serializeTempoSignature of fields with %s', (_, parts) => {
    expect(() => serializeTempoSignature(parts as never)).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^Invalid\w+Error$/), fix: expect.any(String) }),
    )
  })

  test('checkTempoSignature with a digest or an account of the wrong length', () => {
    for (const [options, field] of [
      [{ digest: '0x12', account: root.address }, 'digest'],
      [{ digest, account: '0x1234' }, 'account'],
    ] as const)
      expect(() => keychainDigest(options)).toThrow(expect.objectContaining({ field }))
  })
})

describe('checkTempoSignature of a passkey’s assertion', () => {
  const assertion = (
    options: Partial<{ rpId: string; origin: string; flag: number; clientData: string }>,
  ) => {
    const { rpId = page.rpId, origin = page.origin, flag = 5, clientData } = options
    const metadata = WebAuthnP256.getSignPayload({ challenge: digest, rpId, origin, flag }).metadata
    const clientDataJSON = clientData ?? metadata.clientDataJSON
    const authenticatorData = metadata.authenticatorData
    const payload = concatHex([authenticatorData, sha256(stringToHex(clientDataJSON))])
    const privateKey = secret('03')
    const publicKey = P256.getPublicKey({ privateKey })
    const signature = P256.sign({ payload, privateKey, hash: true })
    return SignatureEnvelope.serialize({
      type: 'webAuthn',
      metadata: { authenticatorData, clientDataJSON },
      publicKey,
      signature,
    })
  }
  const account = theirs.webAuthn.address
  const problemOf = async (
    signature: Hex,
    webAuthn?: Parameters<typeof checkTempoSignature>[0]['webAuthn'],
  ) => {
    const check = await checkTempoSignature({ account, digest, signature, webAuthn })
    return check.valid ? 'none' : check.problem
  }

  test('compares relying party and origin with the expectation', async () => {
    const signature = assertion({})
    const origins = [page.origin]
    expect(await problemOf(signature, { rpId: page.rpId, origins })).toBe('none')
    expect(await problemOf(signature, { rpId: page.rpId })).toBe('none')
    expect(await problemOf(signature, { origins })).toBe('none')
    expect(await problemOf(signature, { rpId: 'other.example' })).toBe('WRONG_RP_ID')
    expect(await problemOf(signature, { rpId: 'other.example', origins })).toBe('WRONG_RP_ID')
    expect(await problemOf(signature, { origins: ['https://other.example'] })).toBe('WRONG_ORIGIN')
    expect(await problemOf(signature, { origins: [] })).toBe('WRONG_ORIGIN')
  })

  test.each<[unknown, string]>([
    [{ origins: page.origin }, 'webAuthn.origins'],
    [{ origins: null }, 'webAuthn.origins'],
    [{ origins: [page.origin, null] }, 'webAuthn.origins'],
    [{ rpId: '' }, 'webAuthn.rpId'],
    [{ rpId: null }, 'webAuthn.rpId'],
    [{ rpId: [page.rpId] }, 'webAuthn.rpId'],
    [{ userVerification: 'REQUIRED' }, 'webAuthn.userVerification'],
    [{ userVerification: true }, 'webAuthn.userVerification'],
    [{ userVerification: null }, 'webAuthn.userVerification'],
    [{ origin: page.origin }, 'webAuthn.origin'],
    [{ rpID: page.rpId }, 'webAuthn.rpID'],
    [null, 'webAuthn'],
    [page.rpId, 'webAuthn'],
    [[], 'webAuthn'],
  ])('throws for the invalid expectation %j, in place of a weaker check', async (webAuthn, field) => {
    const asked: Hex[] = []
    const sign = async ({ hash }: { hash: Hex }) => {
      asked.push(hash)
      return root.sign({ hash })
    }
    const { address } = root
    const calls = [{ to: address, data: '0x' }] as const
    const serialized = serializeTempoTransaction(
      buildTempoTransaction({ chainId: 42431, calls, gas: 1n, maxFeePerGas: 1n, nonce: 0n }),
    )
    const expected = { chainId: 42431, account: address, calls, webAuthn: webAuthn as never }
    for (const answer of [
      problemOf(assertion({}), webAuthn as never),
      checkTempoSignature({ account: address, digest, signature: '0x', webAuthn: webAuthn as never }),
      signTempoTransaction({ sign }, { serialized, expected }),
    ])
      await expect(answer).rejects.toMatchObject({
        name: expect.stringMatching(/^(?:InvalidOption|UnknownField|InvalidRecord)Error$/),
        field,
      })
    expect(asked).toEqual([])
  })

  test.each([
    [{ origin: 'https://pay.shop.example' }, 'none'],
    [{ origin: 'https://a.b.pay.shop.example' }, 'none'],
    [{ origin: 'https://shop.example:8443' }, 'none'],
    [{ rpId: 'localhost', origin: 'http://localhost:3000' }, 'none'],
    [{ rpId: 'localhost', origin: 'http://app.localhost:3000' }, 'none'],
    [{ origin: 'http://shop.example' }, 'WRONG_ORIGIN'],
    [{ origin: 'https://shop.example/' }, 'WRONG_ORIGIN'],
    [{ origin: 'https://shop.example.evil.test' }, 'WRONG_RP_ID'],
    [{ origin: 'https://evilshop.example' }, 'WRONG_RP_ID'],
    [{ origin: 'https://example' }, 'WRONG_RP_ID'],
    [{ rpId: 'example', origin: 'https://shop.example' }, 'WRONG_RP_ID'],
    [{ origin: 'android:apk-key-hash:abc' }, 'WRONG_ORIGIN'],
    [{ origin: 'null' }, 'WRONG_ORIGIN'],
    [{ origin: '' }, 'WRONG_ORIGIN'],
  ] as const)(
    'without an expectation, requires a relying party id and an origin that match: %o: %s',
    async (options, problem) => {
      expect(await problemOf(assertion(options))).toBe(problem)
    },
  )

  test('accepts the origin of a mobile app if the expectation has it', async () => {
    const origin = 'android:apk-key-hash:abc'
    expect(await problemOf(assertion({ origin }), { rpId: page.rpId, origins: [origin] })).toBe('none')
  })

  test('refuses attested credential data and extensions', async () => {
    for (const flag of [0x45, 0x85]) expect(await problemOf(assertion({ flag }))).toBe('MALFORMED_SIGNATURE')
  })

  const challenge = WebAuthnP256.getClientDataJSON({ challenge: digest, origin: page.origin }).match(
    /"challenge":"([^"]+)"/,
  )?.[1]
  const wrong = keccak256('0x77')
  test.each([
    [`{"type":"webauthn.create","challenge":"${challenge}","origin":"${page.origin}"}`, 'WRONG_CEREMONY'],
    [`{"type":"webauthn.get","challenge":"${wrong}","origin":"${page.origin}"}`, 'WRONG_CHALLENGE'],
    [`{"type":"webauthn.get","challenge":"${challenge}=","origin":"${page.origin}"}`, 'WRONG_CHALLENGE'],
    [`{"type":"webauthn.get","challenge":"${challenge}"}`, 'WRONG_ORIGIN'],
    [
      `{"type":"webauthn.get","challenge":"x","inner":{"challenge":"${challenge}"},"origin":"${page.origin}"}`,
      'WRONG_CHALLENGE',
    ],
    [
      `{"type":"webauthn.get","challenge":"x","challenge":"${challenge}","origin":"${page.origin}"}`,
      'MALFORMED_SIGNATURE',
    ],
    [
      `{"type":"webauthn.get","challenge":"${challenge}","origin":"https://evil.test","origin":"${page.origin}"}`,
      'MALFORMED_SIGNATURE',
    ],
    [
      `{"type":"webauthn.get","\\u0063hallenge":"${challenge}","origin":"${page.origin}"}`,
      'MALFORMED_SIGNATURE',
    ],
    [
      `{"\\u0074ype":"webauthn.get","challenge":"${challenge}","origin":"${page.origin}"}`,
      'MALFORMED_SIGNATURE',
    ],
    [
      `{"type":"webauthn\\u002eget","challenge":"${challenge}","origin":"${page.origin}"}`,
      'MALFORMED_SIGNATURE',
    ],
    [`["webauthn.get","${challenge}","${page.origin}"]`, 'MALFORMED_SIGNATURE'],
    [`{"type":"webauthn.get","challenge":"${challenge}","origin":["${page.origin}"]}`, 'MALFORMED_SIGNATURE'],
    [
      ` {"challenge":"${challenge}", "origin":"${page.origin}","type":"webauthn.get","more":[{"type":1}]}\n`,
      'none',
    ],
  ])('client data %s: %s', async (clientData, problem) => {
    expect(await problemOf(assertion({ clientData }))).toBe(problem)
  })
})

describe('one changed byte', () => {
  let good: Record<string, { signature: Hex; account: Address; client?: EvmClient }>
  beforeAll(async () => {
    const client = keychain(
      Object.fromEntries(
        Object.entries(accessKeys).map(([kind, key]) => [
          key.accessKeyAddress.toLowerCase(),
          { kind: kindNumber[kind as keyof typeof kindNumber] },
        ]),
      ),
    )
    good = {}
    for (const [kind, account] of Object.entries(theirs))
      good[kind] = { signature: await account.sign({ hash: digest }), account: account.address }
    for (const [kind, account] of Object.entries(accessKeys))
      good[`keychain ${kind}`] = {
        signature: await account.sign({ hash: digest }),
        account: root.address,
        client,
      }
  })

  test.each(['secp256k1', 'p256', 'webAuthn', 'keychain secp256k1', 'keychain p256', 'keychain webAuthn'])(
    'anywhere in a %s signature makes it invalid',
    async (name) => {
      const row = good[name]
      if (row === undefined) throw new Error('no such row')
      expect(await verifyTempoSignature({ ...row, digest })).toBe(true)
      for (let index = 0; index < size(row.signature); index++)
        for (const change of flippedBits(index)) {
          const signature = changed(row.signature, index, change)
          expect([index, change, await verifyTempoSignature({ ...row, digest, signature })]).toEqual([
            index,
            change,
            false,
          ])
        }
      for (const signature of [
        slice(row.signature, 0, size(row.signature) - 1),
        slice(row.signature, 1),
        concatHex([row.signature, '0x00']),
        concatHex([row.signature, `0x${'77'.repeat(32)}`]),
        concatHex(['0x01', row.signature]),
        '0x' as const,
      ])
        expect(await verifyTempoSignature({ ...row, digest, signature })).toBe(false)
    },
  )
})

describe('parseTempoSignature accepts only one encoding of a signature:', () => {
  test('a high s of either curve, and other recovery or prehash bytes, are refused', async () => {
    const plain = await theirs.secp256k1.sign({ hash: digest })
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const flipped = plain.endsWith('1b') ? '1c' : '1b'
    const high = numberToHex(n - BigInt(slice(plain, 32, 64)), { size: 32 })
    expect(() => parseTempoSignature(concatHex([slice(plain, 0, 32), high, `0x${flipped}`]))).toThrow(
      'high s',
    )
    for (const v of ['00', '01', '1a', '1d', '25'])
      expect(() => parseTempoSignature(`${plain.slice(0, -2)}${v}` as Hex)).toThrow('Recovery byte')
    const p256 = await theirs.p256.sign({ hash: digest })
    const highP256 = numberToHex(p256Order - BigInt(slice(p256, 33, 65)), { size: 32 })
    expect(() => parseTempoSignature(concatHex([slice(p256, 0, 33), highP256, slice(p256, 65)]))).toThrow(
      'high s',
    )
    expect(() => parseTempoSignature(concatHex([slice(p256, 0, 129), '0x02']))).toThrow('Prehash byte')
  })

  test.each([
    ['empty', '0x'],
    ['V1', '0x03'],
    ['V1', `0x03${'11'.repeat(85)}`],
    ['multisig', `0x05${'11'.repeat(85)}`],
    ['not a Tempo signature', `0x06${'11'.repeat(85)}`],
    ['ends before', `0x04${'11'.repeat(20)}`],
    ['single key', `0x04${'11'.repeat(20)}04${'22'.repeat(20)}${'11'.repeat(65)}`],
    ['single key', `0x04${'11'.repeat(20)}03${'22'.repeat(20)}${'11'.repeat(65)}`],
    ['130 bytes', `0x01${'11'.repeat(128)}`],
    ['198 to 2049', `0x02${'11'.repeat(128)}`],
    ['198 to 2049', `0x02${'11'.repeat(2049)}`],
    ['UTF-8', `0x02${'00'.repeat(37)}${'ff'.repeat(40)}${'11'.repeat(128)}`],
    ['not hex', '0x1'],
    ['not hex', 'nonsense'],
  ])('the error says "%s"', (reason, signature) => {
    expect(() => parseTempoSignature(signature as Hex)).toThrow(reason)
    expect(classifyTempoSignature(signature as Hex)).toMatchObject({ kind: 'unknown' })
  })

  test('the error never contains the signature', async () => {
    const signature = await theirs.p256.sign({ hash: digest })
    try {
      parseTempoSignature(concatHex([slice(signature, 0, 129), '0x02']))
      expect.unreachable()
    } catch (error) {
      expect(String(error)).not.toContain(signature.slice(10, 40))
      expect(error).toMatchObject({ name: 'InvalidSignatureError', field: 'signature' })
    }
  })

  test('random bytes are refused with InvalidSignatureError, or encode back to the same bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 320 }),
      fc
        .tuple(
          fc.constantFrom(0, 1, 2, 3, 4, 5),
          fc.constantFrom(65, 64, 86, 130, 151, 198, 240),
          fc.infiniteStream(fc.nat(255)),
        )
        .map(([type, length, stream]) => Uint8Array.from([type, ...[...stream.take(length - 1)]])),
      fc
        .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom(27, 28))
        .map(([rs, v]) => Uint8Array.from([0, ...rs.slice(1, 32), 0, ...rs.slice(33), v])),
    )
    let taken = 0
    fc.assert(
      fc.property(bytes, (value) => {
        const signature: Hex = `0x${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
        let parsed: ReturnType<typeof parseTempoSignature>
        try {
          parsed = parseTempoSignature(signature)
        } catch (error) {
          expect(error).toMatchObject({ name: 'InvalidSignatureError' })
          return
        }
        taken += 1
        expect(serializeTempoSignature(parsed)).toBe(signature)
      }),
      { numRuns: inject('generatedInputs') },
    )
    expect(taken).toBeGreaterThan(inject('generatedInputs') / 20)
  })

  test('parsing an encoded signature returns the same signature', () => {
    const scalar = fc.bigInt(1n, p256Order / 2n).map((n) => numberToHex(n, { size: 32 }))
    const word = fc.bigInt(0n, 2n ** 256n - 1n).map((n) => numberToHex(n, { size: 32 }))
    fc.assert(
      fc.property(scalar, scalar, word, word, fc.boolean(), (r, s, x, y, prehash) => {
        const p256 = { type: 'p256', r, s, x, y, prehash } as const
        expect(parseTempoSignature(serializeTempoSignature(p256))).toEqual(p256)
        const inner = {
          type: 'secp256k1',
          r: numberToHex(1n, { size: 32 }),
          s: numberToHex(2n, { size: 32 }),
          v: 27,
        } as const
        const outer = { type: 'keychain', version: 2, account: root.address, inner } as const
        expect(parseTempoSignature(serializeTempoSignature(outer))).toEqual(outer)
      }),
      { numRuns: 300 },
    )
  })
})

test('accessKeySigner.signTypedData signs the digest that viem computes', async () => {
  const account = privateKeyToAccount(secret('01'))
  const typedData = {
    domain: { name: 'Credits', version: '1', chainId: 42431, verifyingContract: address(7) },
    types: { Mail: [{ name: 'text', type: 'string' }] },
    primaryType: 'Mail',
    message: { text: 'hello' },
  } as const
  const key = { sign: account.sign }
  const signer = accessKeySigner({ account: root.address, key })
  const { hashTypedData } = await import('viem')
  expect(await signer.signTypedData(typedData)).toBe(await signer.sign({ hash: hashTypedData(typedData) }))
})

function address(last: number): Address {
  return `0x${'00'.repeat(19)}${last.toString(16).padStart(2, '0')}`
}

function changed(signature: Hex, index: number, change: number): Hex {
  const byte = Number.parseInt(signature.slice(2 + 2 * index, 4 + 2 * index), 16)
  const other = (byte ^ change).toString(16).padStart(2, '0')
  return `${signature.slice(0, 2 + 2 * index)}${other}${signature.slice(4 + 2 * index)}` as Hex
}

/** Simulates a browser and an authenticator, with configurable faults. */
function authenticator(options: {
  fails?: string
  signsWith?: Hex
  signsDigest?: Hex
  origin?: string
  flags?: number
  der?: Hex
}): passkeySigner.Options {
  const privateKey = secret('08')
  const { x, y } = P256.getPublicKey({ privateKey })
  return {
    credentialId: 'AQIDBA',
    publicKey: { x: numberToHex(x, { size: 32 }), y: numberToHex(y, { size: 32 }) },
    rpId: page.rpId,
    getAssertion: async ({ challenge }) => {
      if (options.fails !== undefined) throw Object.assign(new Error('no'), { name: options.fails })
      const { metadata, payload } = WebAuthnP256.getSignPayload({
        challenge:
          options.signsDigest ?? concatHex([...challenge].map((byte) => numberToHex(byte, { size: 1 }))),
        rpId: page.rpId,
        origin: options.origin ?? page.origin,
        flag: options.flags ?? 5,
      })
      const signed = P256.sign({ payload, privateKey: options.signsWith ?? privateKey, hash: true })
      // like real authenticators, the simulated one returns a high s for half of the signatures
      const s = signed.r % 2n === 0n ? signed.s : p256Order - signed.s
      const integer = (n: bigint) => {
        const hex = n.toString(16)
        const even = hex.length % 2 === 0 ? hex : `0${hex}`
        const signedHex = Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even
        return `02${(signedHex.length / 2).toString(16).padStart(2, '0')}${signedHex}`
      }
      const body = `${integer(signed.r)}${integer(s)}`
      const der = options.der ?? (`0x30${(body.length / 2).toString(16)}${body}` as Hex)
      const bytes = (hex: Hex) =>
        Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      return {
        authenticatorData: bytes(metadata.authenticatorData),
        clientDataJSON: new TextEncoder().encode(metadata.clientDataJSON),
        signature: bytes(der),
      }
    },
  }
}
