import { isEvmBlockchain } from '../core/blockchains.ts'
import type { KeptMessage } from './paymentsClient.ts'

/** What a client, and every client made of it by `with`, holds of credentials. */
export type CredentialStore = {
  /** Every credential that was ever held. */
  secrets: Set<string>
  /** By environment and base address, chain and wallet. */
  signedMessages: Map<string, KeptMessage>
  last?: (KeptMessage & { site: string }) | undefined
  sessionKey?: { from: () => string | Promise<string>; key: Promise<string> } | undefined
}

/** The key of a signed message: a credential is for one site, chain and wallet. */
export function keyOfMessage(
  site: string,
  { wallet, blockchain }: Pick<KeptMessage, 'wallet' | 'blockchain'>,
): string {
  return `${site} ${blockchain}:${isEvmBlockchain(blockchain) ? wallet.toLowerCase() : wallet}`
}
