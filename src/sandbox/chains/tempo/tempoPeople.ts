import { type Address, type Hex, keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { accessKeySigner } from '../../../redeemkit/tempo/signer/accessKeySigner.ts'
import { passkeySigner } from '../../../redeemkit/tempo/signer/passkeySigner.ts'
import type { TempoSigner } from '../../../redeemkit/tempo/signer/tempoSigner.ts'
import { webCryptoSigner } from '../../../redeemkit/tempo/signer/webCryptoSigner.ts'
import { softwarePasskey } from './softwarePasskey.ts'

/** Customers of a local Tempo chain, one for each kind of signature. Test keys: never send anything to them. */
export type TempoPeople = {
  /** A plain key, for programs that want the key itself. */
  key: TempoSigner & PrivateKeyAccount & { privateKey: Hex }
  /** A P-256 key of WebCrypto, made anew at each start. */
  p256: TempoSigner
  /** A passkey of `shop.example`. */
  passkey: TempoSigner
  /** An access key that acts for the account of `key`. */
  accessKey: TempoSigner & { keyId: Address }
}

/** The accounts that Anvil funds: of the mnemonic "test … junk", whose derivation takes longer than anything else at a start. */
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

/** Key of an account of Anvil's mnemonic, by its place; each holds pathUSD and AlphaUSD on a local Tempo chain. */
export function fundedKey(addressIndex: number): Hex {
  const key = fundedKeys[addressIndex]
  if (key === undefined) throw new RangeError(`Anvil funds no account ${addressIndex}.`)
  return key
}

/** The account of {@link fundedKey}. */
export function fundedAccount(addressIndex: number): PrivateKeyAccount {
  return privateKeyToAccount(fundedKey(addressIndex))
}

/** Makes the people. Nothing on the chain knows them yet. */
export async function tempoPeople(): Promise<TempoPeople> {
  const privateKey = fundedKey(5)
  const key = { ...privateKeyToAccount(privateKey), privateKey }
  const p256 = await webCryptoSigner({ keyPair: await newKeyPair() })
  const access = await webCryptoSigner({ keyPair: await newKeyPair() })
  const passkey = passkeySigner(
    softwarePasskey({
      privateKey: testKey('passkey'),
      rpId: 'shop.example',
      origin: 'https://shop.example',
    }),
  )
  return {
    key: key as TempoPeople['key'], // a viem account is all that a Tempo signer is, and more
    p256,
    passkey,
    accessKey: Object.freeze({
      ...accessKeySigner({ account: key.address, key: access }),
      keyId: access.address,
    }),
  }
}

export declare namespace tempoPeople {
  /** Of the signers that the people have: at their making and at each signature. */
  type ErrorType = webCryptoSigner.ErrorType | passkeySigner.ErrorType | accessKeySigner.ErrorType
}

function newKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
}

/** A key that anybody can make again: for tests only. */
function testKey(name: string): Hex {
  return keccak256(stringToHex(`redeemkit sandbox tempo ${name}`))
}
