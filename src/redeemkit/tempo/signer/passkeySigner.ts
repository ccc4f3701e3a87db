import type { Hex } from 'viem'
import { utf8Text } from '../../core/attempt.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import { UserRejectedError, WalletFailedError, WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { checkHex, checkRecord, checkText, InvalidTextError } from '../../evm/values.ts'
import { bytesToHex, hexToBytes, numberToHex } from '../../evm/viem.ts'
import { checkTempoSignature, loadP256 } from '../signature/checkTempoSignature.ts'
import { fromBase64url } from '../signature/clientData.ts'
import { p256Address, p256Order, serializeTempoSignature } from '../signature/tempoSignature.ts'
import { checkWebAuthnExpectation, type WebAuthnExpectation } from '../signature/webAuthnExpectation.ts'
import { type TempoSigner, tempoSigner } from './tempoSigner.ts'

/** The three parts of a WebAuthn assertion that a signature needs, as bytes. */
export type PasskeyAssertion = {
  authenticatorData: ArrayBuffer | ArrayBufferView
  clientDataJSON: ArrayBuffer | ArrayBufferView
  /** The ECDSA signature in ASN.1 DER, as authenticators encode it. */
  signature: ArrayBuffer | ArrayBufferView
}

/**
 * Creates a Tempo signer from a passkey, without a wallet library. The digest is the challenge, and the assertion becomes a WebAuthn
 * signature. The signer verifies each signature before it returns it, and throws if another passkey signed.
 *
 * @param options.credentialId the credential's id in base64url: `PublicKeyCredential.id`
 * @param options.publicKey the credential's P-256 public key, from its registration
 * @param options.rpId the relying party id. Default: the page's own domain
 * @param options.getAssertion gets an assertion. Default: `navigator.credentials.get`
 * @throws {@link UserRejectedError} if the user rejects or the request times out; {@link WalletFailedError} if the browser cannot make the
 * request; {@link WrongSignatureError}; ModuleLoadError before the request if the code that verifies the signature cannot be loaded; for
 * invalid options InvalidHexError, {@link InvalidTextError}, InvalidRecordError, InvalidOptionError
 * @see WebAuthn L2, section 6.3.3; Tempo Transactions, "WebAuthn"
 * @example
 * ```ts
 * import { passkeySigner } from 'redeemkit/tempo'
 *
 * const signer = passkeySigner({
 *   credentialId: 'AQIDBA',
 *   publicKey: {
 *     x: '0x60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
 *     y: '0x7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
 *   },
 *   rpId: 'shop.example',
 * })
 * signer.address // give it to `signCreditPermit`
 * ```
 */
export function passkeySigner(options: passkeySigner.Options): TempoSigner {
  checkOptions(options, {
    credentialId: 'any',
    publicKey: 'any',
    rpId: 'any',
    userVerification: 'any',
    crossOrigin: 'any',
    topOrigins: 'any',
    getAssertion: 'function?',
  })
  const { crossOrigin, rpId, topOrigins, userVerification } = options
  const webAuthn = checkWebAuthnExpectation({ rpId, userVerification, crossOrigin, topOrigins }, 'options')
  const publicKey = checkRecord(options.publicKey, 'publicKey')
  const x = checkHex(publicKey.x, 'publicKey.x', { bytes: 32 })
  const y = checkHex(publicKey.y, 'publicKey.y', { bytes: 32 })
  const credentialId = readCredentialId(options.credentialId)
  const getAssertion = options.getAssertion ?? askBrowser
  const address = p256Address({ x, y })
  // now, because some browsers open the passkey window only directly after a click; `sign` reports a failure
  loadP256().catch(() => undefined)

  const sign = async (digest: Hex) => {
    await loadP256()
    const challenge = hexToBytes(digest)
    let assertion: PasskeyAssertion
    try {
      assertion = await getAssertion({ challenge, credentialId, rpId, userVerification })
    } catch (cause) {
      throw refusal(cause)
    }
    const signature = serializeTempoSignature({
      type: 'webAuthn',
      ...readDer(bytes(assertion, 'signature')),
      x,
      y,
      authenticatorData: bytesToHex(bytes(assertion, 'authenticatorData')),
      clientDataJSON: readUtf8(bytes(assertion, 'clientDataJSON')),
    })
    const check = await checkTempoSignature({ account: address, digest, signature, webAuthn })
    if (check.valid) return signature
    throw new WrongSignatureError(`The passkey's assertion is invalid: ${check.message}`, {
      field: 'credentialId',
      fix: 'Use the passkey with the given public key, on the domain where it was created.',
    })
  }
  return tempoSigner(address, sign, webAuthn)
}

export declare namespace passkeySigner {
  type Options = {
    credentialId: string
    publicKey: { x: Hex; y: Hex }
    rpId?: string | undefined
    /** With `required`, the browser asks the authenticator to verify the user, and the signer refuses an assertion without verification. */
    userVerification?: WebAuthnExpectation['userVerification']
    /** Whether to accept assertions from a page in a cross-origin frame. Default `refuse`. */
    crossOrigin?: WebAuthnExpectation['crossOrigin']
    topOrigins?: WebAuthnExpectation['topOrigins']
    getAssertion?:
      | ((request: {
          challenge: Uint8Array
          credentialId: Uint8Array
          rpId: string | undefined
          userVerification?: WebAuthnExpectation['userVerification']
        }) => Promise<PasskeyAssertion>)
      | undefined
  }
  type ErrorType =
    | UserRejectedError
    | WalletFailedError
    | WrongSignatureError
    | checkTempoSignature.ErrorType
    | serializeTempoSignature.ErrorType
}

async function askBrowser(
  request: Parameters<NonNullable<passkeySigner.Options['getAssertion']>>[0],
): Promise<PasskeyAssertion> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: Uint8Array.from(request.challenge),
      allowCredentials: [{ id: Uint8Array.from(request.credentialId), type: 'public-key' }],
      userVerification: request.userVerification ?? 'preferred',
      ...(request.rpId === undefined ? {} : { rpId: request.rpId }),
    },
  })
  // a request with `publicKey` returns an assertion or null
  const response = (credential as PublicKeyCredential | null)?.response as
    | AuthenticatorAssertionResponse
    | undefined
  if (response === undefined) throw new DOMException('No passkey was offered.', 'NotAllowedError')
  return response
}

/** Converts an error of `navigator.credentials.get` (WebAuthn L2, section 5.1.4) to a redeemkit error. */
function refusal(cause: unknown): UserRejectedError | WalletFailedError {
  const name = cause instanceof Error ? cause.name : ''
  return name === 'NotAllowedError' || name === 'AbortError'
    ? new UserRejectedError('The user rejected the passkey request, or it timed out.', {
        fix: 'Retry only after another click.',
        source: 'WebAuthn L2, section 5.1.4',
        cause,
      })
    : new WalletFailedError('The passkey request failed.', {
        field: 'rpId',
        fix: 'Check that the page uses HTTPS, and that rpId is its domain or a parent domain.',
        source: 'WebAuthn L2, section 5.1.4',
        cause,
      })
}

function readCredentialId(text: unknown): Uint8Array {
  try {
    return hexToBytes(fromBase64url(checkText(text, 'credentialId')))
  } catch (cause) {
    throw new InvalidTextError('The credential id is not base64url.', {
      field: 'credentialId',
      fix: 'Pass PublicKeyCredential.id unchanged.',
      source: 'WebAuthn L2, section 5.1',
      cause,
    })
  }
}

/** Throws if a part is missing, as with some polyfills. */
function bytes(assertion: PasskeyAssertion | undefined, part: keyof PasskeyAssertion): Uint8Array {
  const source = assertion?.[part]
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  throw wrongAnswer(part, `without the bytes of ${part}`)
}

function readUtf8(source: Uint8Array): string {
  const text = utf8Text(source)
  if (text === undefined) throw wrongAnswer('clientDataJSON', 'with client data that is not UTF-8')
  return text
}

/** Reads r and s from an ECDSA signature in DER (SEC 1, C.8). Replaces a high `s` with the equivalent low `s`. */
function readDer(der: Uint8Array): { r: Hex; s: Hex } {
  const [r, end] = readInteger(der, 2)
  const [s, last] = readInteger(der, end)
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || last !== der.length) throw notDer()
  return {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s > p256Order / 2n ? p256Order - s : s, { size: 32 }),
  }
}

function readInteger(der: Uint8Array, offset: number): [value: bigint, end: number] {
  const start = offset + 2
  const end = start + (der[offset + 1] ?? 0)
  const value = der.subarray(start, end)
  if (der[offset] !== 0x02 || value.length === 0 || value.length > 33 || end > der.length) throw notDer()
  const number = BigInt(bytesToHex(value))
  if (number === 0n || number >= p256Order) throw notDer()
  return [number, end]
}

function notDer(): WrongSignatureError {
  return wrongAnswer('signature', 'with a signature that is not ECDSA in DER')
}

function wrongAnswer(field: keyof PasskeyAssertion, what: string): WrongSignatureError {
  return new WrongSignatureError(`The passkey returned an assertion ${what}.`, {
    field,
    fix: 'Use an ES256 passkey and an unmodified browser assertion.',
    source: 'WebAuthn L2, section 6.5.5',
  })
}
