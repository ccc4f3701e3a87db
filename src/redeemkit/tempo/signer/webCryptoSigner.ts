import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkRecord } from '../../evm/values.ts'
import { bytesToHex, hexToBytes, numberToHex, size, slice } from '../../evm/viem.ts'
import { checkTempoSignature, loadP256 } from '../signature/checkTempoSignature.ts'
import { p256Address, p256Order, serializeTempoSignature } from '../signature/tempoSignature.ts'
import { type TempoSigner, tempoSigner } from './tempoSigner.ts'

/**
 * Creates a Tempo signer from a WebCrypto P-256 key pair. The private key need not be extractable.
 *
 * WebCrypto hashes the digest with SHA-256, so the signature has `prehash` set. The signer replaces a high `s` with the equivalent low `s`,
 * as Tempo requires, and verifies each signature before it returns it.
 *
 * @param options.keyPair a key pair from `crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, …, ['sign', 'verify'])`
 * @throws {@link InvalidKeyPairError} if the keys are not ECDSA keys on P-256. `sign` also throws it if the keys do not belong together
 * or the private key may not sign; and ModuleLoadError, before it signs, if the code that verifies the signature cannot be loaded
 * @see Tempo Transactions, "P256"
 * @example
 * ```ts
 * import { webCryptoSigner } from 'redeemkit/tempo'
 *
 * const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
 * const signer = await webCryptoSigner({ keyPair })
 * signer.address
 * ```
 */
export async function webCryptoSigner(options: webCryptoSigner.Options): Promise<TempoSigner> {
  checkOptions(options, { keyPair: 'any' })
  checkRecord(options.keyPair, 'keyPair')
  // WebCrypto refuses objects that only have the same fields
  const { privateKey, publicKey } = options.keyPair as CryptoKeyPair
  for (const key of [privateKey, publicKey]) {
    const { name, namedCurve } = (key?.algorithm ?? {}) as Partial<EcKeyAlgorithm> // keys of other algorithms have no curve
    if (name !== 'ECDSA' || namedCurve !== 'P-256')
      throw invalid(
        `A key with the algorithm ${showValue(name)} and the curve ${showValue(namedCurve)} is not an ECDSA key on P-256.`,
      )
  }
  let point: Hex
  try {
    point = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  } catch (cause) {
    throw invalid('The public key cannot be read.', cause)
  }
  if (size(point) !== 65) throw invalid(`The public key has ${size(point)} bytes, not 65.`)
  const key = { x: slice(point, 1, 33), y: slice(point, 33, 65) }
  const account = p256Address(key)
  return tempoSigner(account, async (digest) => {
    await loadP256()
    let raw: Hex
    try {
      const message = Uint8Array.from(hexToBytes(digest))
      raw = bytesToHex(
        new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, message)),
      )
    } catch (cause) {
      throw invalid('The private key cannot sign.', cause)
    }
    const s = BigInt(slice(raw, 32, 64))
    const signature = serializeTempoSignature({
      type: 'p256',
      r: slice(raw, 0, 32),
      s: numberToHex(s > p256Order / 2n ? p256Order - s : s, { size: 32 }),
      ...key,
      prehash: true,
    })
    const check = await checkTempoSignature({ account, digest, signature })
    if (!check.valid) throw invalid(`The two keys are not a pair: ${check.message}`)
    return signature
  })
}

/** The interface of WebCrypto's `CryptoKey`, declared here because the package does not use the DOM types. */
export type WebCryptoKey = {
  readonly type: string
  readonly algorithm: { readonly name: string }
  readonly extractable: boolean
  readonly usages: readonly string[]
}

export declare namespace webCryptoSigner {
  type Options = { keyPair: { privateKey: WebCryptoKey; publicKey: WebCryptoKey } }
  type ErrorType = InvalidKeyPairError | checkTempoSignature.ErrorType | serializeTempoSignature.ErrorType
}

function invalid(message: string, cause?: unknown): InvalidKeyPairError {
  return new InvalidKeyPairError(message, {
    field: 'keyPair',
    fix: "Pass a key pair from generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, …, ['sign', 'verify']).",
    source: 'Web Cryptography API, "ECDSA"',
    cause,
  })
}

/** The WebCrypto keys are not P-256 keys for ECDSA, cannot sign, or are not a pair. */
export class InvalidKeyPairError extends BaseError {
  override readonly name = 'InvalidKeyPairError'
}
