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
import { passkeySigner } from '../signer/passkeySigner.ts'
import { checkTempoSignature } from './checkTempoSignature.ts'
import { classifyTempoSignature } from './classifyTempoSignature.ts'
import { base64url } from './clientData.ts'
import { p256Address, serializeTempoSignature } from './tempoSignature.ts'
import { tempoSignatures } from './tempoSignatures.ts'
import type { WebAuthnExpectation } from './webAuthnExpectation.ts'

const privateKey = hexToBytes(`0x${'07'.repeat(32)}`)
const point = bytesToHex(p256.getPublicKey(privateKey, false))
const publicKey: { x: Hex; y: Hex } = { x: `0x${point.slice(4, 68)}`, y: `0x${point.slice(68)}` }
const account = p256Address(publicKey)
const digest = keccak256('0x1234')
const shop = 'https://shop.example'
const news = 'https://news.example'

/** Creates an assertion as a browser and an authenticator would, with some client data or flags changed. */
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
/** Safari does not report the embedding page (MasterKale/SimpleWebAuthn #759, May 2026). */
const unnamed = { words: { crossOrigin: true } }

describe('a passkey signature from a cross-origin frame', () => {
  test.each<[string, object, WebAuthnExpectation | undefined, string]>([
    ['is refused', framed, undefined, 'CROSS_ORIGIN'],
    [
      'is refused, even with the expected origin',
      framed,
      { rpId: 'shop.example', origins: [shop] },
      'CROSS_ORIGIN',
    ],
    ['is refused if the browser does not report the embedding page', unnamed, undefined, 'CROSS_ORIGIN'],
    ['is accepted with crossOrigin: accept', framed, { crossOrigin: 'accept' }, 'none'],
    ['is accepted if topOrigins lists the embedding page', framed, { topOrigins: [news] }, 'none'],
    [
      'is refused if topOrigins does not list the embedding page',
      framed,
      { topOrigins: [shop] },
      'CROSS_ORIGIN',
    ],
    [
      'is refused if topOrigins does not list the embedding page, even with crossOrigin: accept',
      framed,
      { crossOrigin: 'accept', topOrigins: [shop] },
      'CROSS_ORIGIN',
    ],
    [
      'is refused with crossOrigin: refuse, even if topOrigins lists the embedding page',
      framed,
      { crossOrigin: 'refuse', topOrigins: [news] },
      'CROSS_ORIGIN',
    ],
    [
      'is refused with topOrigins if the browser does not report the embedding page',
      unnamed,
      { topOrigins: [news] },
      'CROSS_ORIGIN',
    ],
    [
      'is accepted with topOrigins and crossOrigin: accept if the browser does not report the embedding page',
      unnamed,
      { crossOrigin: 'accept', topOrigins: [news] },
      'none',
    ],
    [
      'is refused if its client data has a topOrigin without crossOrigin: true',
      { words: { topOrigin: news } },
      { crossOrigin: 'accept' },
      'CROSS_ORIGIN',
    ],
    [
      'is refused if topOrigin is not a string',
      { words: { crossOrigin: true, topOrigin: 5 } },
      { crossOrigin: 'accept' },
      'MALFORMED_SIGNATURE',
    ],
  ])('%s', async (_, change, webAuthn, problem) => {
    expect(await problemOf(change, webAuthn)).toBe(problem)
  })

  test('has crossOrigin and topOrigin in the result of classifyTempoSignature', () => {
    expect(classifyTempoSignature(envelope(framed))).toMatchObject({ crossOrigin: true, topOrigin: news })
  })

  test('is refused before the chain is asked, because the chain does not check frames', async () => {
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

  test('is refused by passkeySigner, unless the options allow the frame', async () => {
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

describe('the flags of a passkey signature:', () => {
  test.each<[string, number, WebAuthnExpectation | undefined, string]>([
    ['user present and verified', 0x05, undefined, 'none'],
    ['user present only', 0x01, undefined, 'none'],
    [
      'user present only, although userVerification is required',
      0x01,
      { userVerification: 'required' },
      'USER_NOT_VERIFIED',
    ],
    ['user verified, as userVerification requires', 0x05, { userVerification: 'required' }, 'none'],
    ['user verified, but not present', 0x04, undefined, 'USER_NOT_PRESENT'],
    ['user neither present nor verified', 0x00, undefined, 'USER_NOT_PRESENT'],
    ['eligible for backup', 0x0d, undefined, 'none'],
    ['backed up', 0x1d, undefined, 'none'],
    ['backed up, but not eligible for backup', 0x15, undefined, 'WRONG_BACKUP_FLAGS'],
  ])('%s', async (_, flags, webAuthn, problem) => {
    expect(await problemOf({ flags }, webAuthn)).toBe(problem)
  })

  test('classifyTempoSignature returns backupEligible and backedUp', () => {
    expect(classifyTempoSignature(envelope({ flags: 0x0d }))).toMatchObject({
      backupEligible: true,
      backedUp: false,
    })
  })

  test('passkeySigner with userVerification: required refuses an assertion without verification', async () => {
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
