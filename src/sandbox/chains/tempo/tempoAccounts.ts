import { p256 } from '@noble/curves/nist.js'
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  keccak256,
  numberToBytes,
  type PrivateKeyAccount,
  sha256,
  stringToBytes,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base64url } from '../../../redeemkit/tempo/signature/clientData.ts'
import { passkeySigner } from '../../../redeemkit/tempo/signer/passkeySigner.ts'
import { accessKeySigner, type TempoSigner } from '../../../redeemkit/tempo/signer/tempoSigner.ts'
import { webCryptoSigner } from '../../../redeemkit/tempo/signer/webCryptoSigner.ts'

/** Test accounts of a local Tempo chain, one for each kind of signature. Never send real money to them. */
export type TempoAccounts = {
  /** A plain secp256k1 key, with its private key. */
  key: TempoSigner & PrivateKeyAccount & { privateKey: Hex }
  /** A WebCrypto P-256 key, new at each start. */
  p256: TempoSigner
  /** A passkey of `shop.example`. */
  passkey: TempoSigner
  /** An access key that acts for the account of `key`. */
  accessKey: TempoSigner & { keyId: Address }
}

/** The accounts that Anvil funds, from the mnemonic "test … junk". Listed because deriving them would dominate the start time. */
const fundedKeys: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
]

export function fundedKey(addressIndex: number): Hex {
  const key = fundedKeys[addressIndex]
  if (key === undefined) throw new RangeError(`Anvil does not fund account ${addressIndex}.`)
  return key
}

export function fundedAccount(addressIndex: number): PrivateKeyAccount {
  return privateKeyToAccount(fundedKey(addressIndex))
}

export async function tempoAccounts(): Promise<TempoAccounts> {
  const privateKey = fundedKey(5)
  const key = { ...privateKeyToAccount(privateKey), privateKey }
  const p256 = await webCryptoSigner({ keyPair: await newKeyPair() })
  const access = await webCryptoSigner({ keyPair: await newKeyPair() })
  const passkey = passkeySigner(
    softwarePasskey({
      privateKey: keccak256(stringToHex('redeemkit sandbox tempo passkey')),
      rpId: 'shop.example',
      origin: 'https://shop.example',
    }),
  )
  return {
    key: key as TempoAccounts['key'], // a viem account satisfies the signer type
    p256,
    passkey,
    accessKey: Object.freeze({
      ...accessKeySigner({ account: key.address, key: access }),
      keyId: access.address,
    }),
  }
}

export declare namespace tempoAccounts {
  /** Errors thrown when signers are created and by each signature. */
  type ErrorType = webCryptoSigner.ErrorType | passkeySigner.ErrorType | accessKeySigner.ErrorType
}

function newKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
}

/**
 * Responds like an authenticator and a browser, without user interaction (WebAuthn L2, sections 6.1 and 5.8.1).
 *
 * @param options.privateKey 32 bytes; use a test key only
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
      // Authenticators return high and low s; `passkeySigner` must accept both.
      const signature = p256.sign(signed, hexToBytes(privateKey), {
        lowS: false,
        prehash: false,
        format: 'der',
      })
      return {
        authenticatorData: Uint8Array.from(authenticatorData),
        clientDataJSON: Uint8Array.from(clientDataJSON),
        signature: Uint8Array.from(signature),
      }
    },
  }
}

export declare namespace softwarePasskey {
  type Options = {
    privateKey: Hex
    rpId: string
    /** The requesting page's origin, e.g. `https://shop.example`. */
    origin: string
    /** Authenticator flags. Default 0x05: user present and verified. */
    flags?: number | undefined
  }
}
