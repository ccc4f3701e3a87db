import { isEvmBlockchain } from '../core/blockchains.ts'
import type { KeptMessage } from './paymentsClient.ts'

/** A client and all clients that its `with` creates share one store. */
export type CredentialStore = {
  /** Every credential that one of these clients has used so far. */
  secrets: Set<string>
  /** By environment, base URL, chain and wallet. */
  signedMessages: Map<string, KeptMessage>
  last?: (KeptMessage & { site: string }) | undefined
  sessionKey?: { from: () => string | Promise<string>; key: Promise<string> } | undefined
}

export function keyOfMessage(
  site: string,
  { wallet, blockchain }: Pick<KeptMessage, 'wallet' | 'blockchain'>,
): string {
  return `${site} ${blockchain}:${isEvmBlockchain(blockchain) ? wallet.toLowerCase() : wallet}`
}
