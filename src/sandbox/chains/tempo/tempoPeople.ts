import { type Address, bytesToHex, type Hex, keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { accessKeySigner } from '../../../tempo/signer/accessKeySigner.ts'
import { passkeySigner } from '../../../tempo/signer/passkeySigner.ts'
import type { TempoSigner } from '../../../tempo/signer/tempoSigner.ts'
import { webCryptoSigner } from '../../../tempo/signer/webCryptoSigner.ts'
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

/** The mnemonic whose first ten accounts Anvil funds. */
const mnemonic = 'test test test test test test test test test test test junk'

/** Key of an account of Anvil's mnemonic, by its place; each holds pathUSD and AlphaUSD on a local Tempo chain. */
export function fundedKey(addressIndex: number): Hex {
  const { privateKey } = mnemonicToAccount(mnemonic, { addressIndex }).getHdKey()
  if (privateKey === null) throw new TypeError('A mnemonic always gives a private key.')
  return bytesToHex(privateKey)
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
