import { xdr } from '@stellar/stellar-sdk'
import { addressCredentialsOf } from './addressCredentialsOf.ts'

/** The signature in a whole authorization entry, which some wallets return in the place of the signature; undefined for another text. */
export function findEntrySignature(text: string): Uint8Array | undefined {
  try {
    const entry = xdr.SorobanAuthorizationEntry.fromXDR(text, 'base64')
    const [signature] = addressCredentialsOf(entry)?.holder.signature().vec() ?? []
    return signature?.map()?.[1]?.val().bytes()
  } catch {
    return undefined
  }
}
