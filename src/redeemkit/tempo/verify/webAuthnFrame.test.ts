import { p256 } from '@noble/curves/nist.js'
import {
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  sha256,
  stringToBytes,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { EvmClient } from '../../evm/client.ts'
import { base64url } from '../signature/clientData.ts'
import { classifyTempoSignature, serializeTempoSignature } from '../signature/serializeTempoSignature.ts'
import { p256Address } from '../signature/tempoSignature.ts'
import { passkeySigner } from '../signer/passkeySigner.ts'
import { checkTempoSignature } from './checkTempoSignature.ts'
import { tempoSignatures } from './tempoSignatures.ts'
import type { WebAuthnExpectation } from './webAuthnExpectation.ts'

const privateKey = hexToBytes(`0x${'07'.repeat(32)}`)
const point = bytesToHex(p256.getPublicKey(privateKey, false))
const publicKey: { x: Hex; y: Hex } = { x: `0x${point.slice(4, 68)}`, y: `0x${point.slice(68)}` }
const account = p256Address(publicKey)
const digest = keccak256('0x1234')
const shop = 'https://shop.example'
const news = 'https://news.example'

/** An assertion of an authenticator and a browser, with some values or flags changed. */
function assertion(
  change: { flags?: number; words?: Record<string, unknown> } = {},
  challenge: Hex = digest,
) {
  const words = {
    type: 'webauthn.get',
    challenge: base64url(challenge),
    origin: shop,
    crossOrigin: false,
    ...change.words,
  }
  const clientDataJSON = JSON.stringify(words)
  const authenticatorData = concatBytes([
    sha256(stringToBytes('shop.example'), 'bytes'),
    Uint8Array.of(change.flags ?? 0x05),
    new Uint8Array(4),
  ])
  const signed = sha256(
    concatBytes([authenticatorData, sha256(stringToBytes(clientDataJSON), 'bytes')]),
    'bytes',
  )
  return {
    authenticatorData,
    clientDataJSON,
    signature: p256.Signature.fromBytes(p256.sign(signed, privateKey, { lowS: true, prehash: false })),
  }
}

function envelope(change: Parameters<typeof assertion>[0] = {}): Hex {
  const { authenticatorData, clientDataJSON, signature } = assertion(change)
  return serializeTempoSignature({
    type: 'webAuthn',
    r: numberToHex(signature.r, { size: 32 }),
    s: numberToHex(signature.s, { size: 32 }),
    ...publicKey,
    authenticatorData: bytesToHex(authenticatorData),
    clientDataJSON,
  })
}

async function problemOf(change: Parameters<typeof assertion>[0], webAuthn?: WebAuthnExpectation) {
  const check = await checkTempoSignature({ account, digest, signature: envelope(change), webAuthn })
  return check.valid ? 'none' : check.problem
}

const framed = { words: { crossOrigin: true, topOrigin: news } }
/** Safari tells no page around (MasterKale/SimpleWebAuthn #759, May 2026). */
const unnamed = { words: { crossOrigin: true } }

describe('a passkey used in a frame of another origin', () => {
  test.each<[string, object, WebAuthnExpectation | undefined, string]>([
    ['is refused', framed, undefined, 'CROSS_ORIGIN'],
    [
      'is refused, even with the expected origin',
      framed,
      { rpId: 'shop.example', origins: [shop] },
      'CROSS_ORIGIN',
    ],
    ['is refused if the browser does not name the embedding page', unnamed, undefined, 'CROSS_ORIGIN'],
    ['is accepted if frames are accepted', framed, { crossOrigin: 'accept' }, 'none'],
    ['is accepted on a listed page', framed, { topOrigins: [news] }, 'none'],
    ['is refused on an unlisted page', framed, { topOrigins: [shop] }, 'CROSS_ORIGIN'],
    [
      'is refused on an unlisted page, even if frames are accepted',
      framed,
      { crossOrigin: 'accept', topOrigins: [shop] },
      'CROSS_ORIGIN',
    ],
    [
      'is refused on a listed page if frames are refused',
      framed,
      { crossOrigin: 'refuse', topOrigins: [news] },
      'CROSS_ORIGIN',
    ],
    ['is refused on an unnamed page if pages are listed', unnamed, { topOrigins: [news] }, 'CROSS_ORIGIN'],
    [
      'is accepted on an unnamed page if frames are accepted and pages are listed',
      unnamed,
      { crossOrigin: 'accept', topOrigins: [news] },
      'none',
    ],
    [
      'is not hidden by crossOrigin false beside a topOrigin',
      { words: { topOrigin: news } },
      { crossOrigin: 'accept' },
      'CROSS_ORIGIN',
    ],
    [
      'with a topOrigin that is not a string',
      { words: { crossOrigin: true, topOrigin: 5 } },
      { crossOrigin: 'accept' },
      'MALFORMED_SIGNATURE',
    ],
  ])('%s', async (_, change, webAuthn, problem) => {
    expect(await problemOf(change, webAuthn)).toBe(problem)
  })

  test('is seen in its class', () => {
    expect(classifyTempoSignature(envelope(framed))).toMatchObject({ crossOrigin: true, topOrigin: news })
  })

  test('is refused before the chain is asked, which does not check it', async () => {
    const asked: string[] = []
    const yes: EvmClient = {
      request: async ({ method }) => {
        asked.push(method)
        return numberToHex(1, { size: 32 })
      },
    }
    const question = { account, digest, signature: envelope(framed) }
    const of = async (webAuthn?: WebAuthnExpectation) =>
      (await tempoSignatures({ webAuthn }).verifyOnChain(yes, question)).valid
    expect(await of()).toBe(false)
    expect(asked).toEqual([])
    expect(await of({ topOrigins: [news] })).toBe(true)
    expect(asked).toEqual(['eth_call'])
  })

  test('makes a signer only if the option is set', async () => {
    const signerOf = (options: Partial<passkeySigner.Options>) =>
      passkeySigner({
        credentialId: 'AQ',
        publicKey,
        getAssertion: async ({ challenge }) => {
          const { authenticatorData, clientDataJSON, signature } = assertion(framed, bytesToHex(challenge))
          return {
            authenticatorData: Uint8Array.from(authenticatorData),
            clientDataJSON: stringToBytes(clientDataJSON) as Uint8Array<ArrayBuffer>,
            signature: Uint8Array.from(signature.toBytes('der')),
          }
        },
        ...options,
      })
    await expect(signerOf({}).sign({ hash: digest })).rejects.toMatchObject({ name: 'WrongSignatureError' })
    const signer = signerOf({ topOrigins: [news] })
    const signature = await signer.sign({ hash: digest })
    expect(await signer.signatures.verify({ account, digest, signature })).toBe(true)
  })
})

describe('flags', () => {
  test.each<[string, number, WebAuthnExpectation | undefined, string]>([
    ['present and verified', 0x05, undefined, 'none'],
    ['present only', 0x01, undefined, 'none'],
    [
      'present only, where verification is required',
      0x01,
      { userVerification: 'required' },
      'USER_NOT_VERIFIED',
    ],
    ['verified, where verification is required', 0x05, { userVerification: 'required' }, 'none'],
    ['verified, but not present', 0x04, undefined, 'USER_NOT_PRESENT'],
    ['neither', 0x00, undefined, 'USER_NOT_PRESENT'],
    ['eligible for backup', 0x0d, undefined, 'none'],
    ['backed up', 0x1d, undefined, 'none'],
    ['backed up, but not eligible for backup', 0x15, undefined, 'WRONG_BACKUP_FLAGS'],
  ])('%s', async (_, flags, webAuthn, problem) => {
    expect(await problemOf({ flags }, webAuthn)).toBe(problem)
  })

  test('are seen in the class', () => {
    expect(classifyTempoSignature(envelope({ flags: 0x0d }))).toMatchObject({
      backupEligible: true,
      backedUp: false,
    })
  })

  test('a signer requires user verification', async () => {
    const asked: unknown[] = []
    const signer = passkeySigner({
      credentialId: 'AQ',
      publicKey,
      userVerification: 'required',
      getAssertion: async ({ challenge, userVerification }) => {
        asked.push(userVerification)
        const { authenticatorData, clientDataJSON, signature } = assertion(
          { flags: 0x01 },
          bytesToHex(challenge),
        )
        return {
          authenticatorData: Uint8Array.from(authenticatorData),
          clientDataJSON: stringToBytes(clientDataJSON) as Uint8Array<ArrayBuffer>,
          signature: Uint8Array.from(signature.toBytes('der')),
        }
      },
    })
    await expect(signer.sign({ hash: digest })).rejects.toThrow('did not verify the user')
    expect(asked).toEqual(['required'])
  })
})
