import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, concatBytes, type Hex, hexToBytes, numberToBytes, sha256, stringToBytes } from 'viem'
import { base64url } from '../../../redeemkit/tempo/signature/clientData.ts'
import type { passkeySigner } from '../../../redeemkit/tempo/signer/passkeySigner.ts'

/**
 * A passkey in software: answers as an authenticator and a browser would, without asking anybody. For tests and demos.
 *
 * @param options.privateKey 32 bytes; a test key, never one that guards anything
 * @returns what `passkeySigner` takes
 * @see WebAuthn L2, sections 6.1 and 5.8.1
 */
export function softwarePasskey(
  options: softwarePasskey.Options,
): Required<Pick<passkeySigner.Options, 'credentialId' | 'publicKey' | 'rpId' | 'getAssertion'>> {
  const { flags = 0x05, origin, privateKey, rpId } = options
  const point = bytesToHex(p256.getPublicKey(hexToBytes(privateKey), false))
  return {
    credentialId: base64url(sha256(point)),
    publicKey: { x: `0x${point.slice(4, 68)}`, y: `0x${point.slice(68)}` },
    rpId,
    getAssertion: async ({ challenge }) => {
      const clientDataJSON = stringToBytes(
        `{"type":"webauthn.get","challenge":"${base64url(bytesToHex(challenge))}","origin":${JSON.stringify(origin)},"crossOrigin":false}`,
      )
      const authenticatorData = concatBytes([
        sha256(stringToBytes(rpId), 'bytes'),
        numberToBytes(flags, { size: 1 }),
        new Uint8Array(4),
      ])
      const signed = sha256(concatBytes([authenticatorData, sha256(clientDataJSON, 'bytes')]), 'bytes')
      // authenticators give s in either half; `passkeySigner` has to cope
      const signature = p256.sign(signed, hexToBytes(privateKey), { lowS: false, prehash: false })
      return {
        authenticatorData: Uint8Array.from(authenticatorData),
        clientDataJSON: Uint8Array.from(clientDataJSON),
        signature: Uint8Array.from(hexToBytes(`0x${signature.toDERHex()}`)),
      }
    },
  }
}

export declare namespace softwarePasskey {
  type Options = {
    privateKey: Hex
    rpId: string
    /** The page that asks, e.g. `https://shop.example`. */
    origin: string
    /** Authenticator flags. Default 0x05: present and verified. */
    flags?: number | undefined
  }
}
