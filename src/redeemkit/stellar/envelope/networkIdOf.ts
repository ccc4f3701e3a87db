import { hash } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding.ts'
import type { StellarNetwork } from '../networks.ts'

/** The network's id, which stands in what an authorization's signature signs: the hash of its passphrase. */
export function networkIdOf({ networkPassphrase }: StellarNetwork): Buffer {
  return hash(asBuffer(new TextEncoder().encode(networkPassphrase)))
}
