import { bytesToHex, hexToBytes, numberToHex, slice } from 'viem'
import { p256Address, p256Order } from '../envelope/p256Address.ts'
import { serializeTempoSignature } from '../envelope/serializeTempoSignature.ts'
import { type TempoSigner, tempoSigner } from './tempoSigner.ts'

/**
 * A P-256 key of the platform's WebCrypto as a Tempo signer; the private key may be one that cannot be exported.
 *
 * WebCrypto hashes what it signs, so the envelope says `prehash`, and gives `s` in either half, so the upper one is
 * turned into the lower, the only one that Tempo takes.
 *
 * @param options.keyPair made by `crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, …, ['sign', 'verify'])`
 * @see Tempo Transactions, "P256"
 * @example
 * ```ts
 * import { webCryptoSigner } from 'redeemkit/evm'
 *
 * const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
 * const signer = await webCryptoSigner({ keyPair })
 * signer.address
 * ```
 */
export async function webCryptoSigner(options: webCryptoSigner.Options): Promise<TempoSigner> {
  const { privateKey, publicKey } = options.keyPair
  const point = bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  const key = { x: slice(point, 1, 33), y: slice(point, 33, 65) }
  return tempoSigner(p256Address(key), async (hash) => {
    const message = Uint8Array.from(hexToBytes(hash))
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, message)
    const signature = bytesToHex(new Uint8Array(raw))
    const s = BigInt(slice(signature, 32, 64))
    return serializeTempoSignature({
      type: 'p256',
      r: slice(signature, 0, 32),
      s: numberToHex(s > p256Order / 2n ? p256Order - s : s, { size: 32 }),
      ...key,
      prehash: true,
    })
  })
}

export declare namespace webCryptoSigner {
  type Options = { keyPair: { privateKey: CryptoKey; publicKey: CryptoKey } }
}
