import type { Connector } from '@wagmi/core'
import type { Address } from 'viem'
import { notConnected, type WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import type { EvmSigner } from '../../evm/signer/evmSigner.ts'

/** What was resolved last, by connector. A press takes it without waiting. */
const resolved = new WeakMap<Connector, { wallet: Address; chainId: number; signer: EvmSigner }>()

/**
 * The wallet behind a connector, as a signer. Asks no person, and is done before the press: an extension may need a moment to be found, and
 * a session of WalletConnect to be opened.
 *
 * @throws {@link WalletNotConnectedError} for a connector that is still reconnecting, or has no provider
 */
export async function signerOf({ connector, wallet, chainId }: signerOf.Options): Promise<EvmSigner> {
  // While wagmi reconnects, its connector has a name and no functions yet.
  if (typeof connector.getProvider !== 'function') throw notConnected('The wallet is still reconnecting.')
  // Some connectors make a client of their own for one chain.
  const own = await connector.getClient?.({ chainId })
  // Asked for a chain, wagmi's walletConnect makes the person switch to it: that is for a press.
  const signer = own ?? providerOf(await connector.getProvider(), wallet)
  resolved.set(connector, { wallet, chainId, signer })
  return signer
}

export declare namespace signerOf {
  type Options = { connector: Connector; wallet: Address; chainId: number }
  type ErrorType = WalletNotConnectedError
}

/** The same without waiting: what `signerOf` found last, when it is of this account and chain. */
export function resolvedSigner({ connector, wallet, chainId }: signerOf.Options): EvmSigner | undefined {
  const found = resolved.get(connector)
  return found?.wallet === wallet && found.chainId === chainId ? found.signer : undefined
}

function providerOf(provider: unknown, address: Address): EvmSigner {
  const { request } = Object(provider) as { request?: unknown } // looked at next
  if (typeof request !== 'function') throw notConnected('The wallet shows no EIP-1193 provider.')
  // A connector shows the account that is in use first, which need not be the provider's first.
  return { request: (call: never) => Promise.resolve(request.call(provider, call)), address }
}
