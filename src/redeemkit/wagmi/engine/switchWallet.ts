import { type Config, type Connector, switchChain } from '@wagmi/core'
import { askWallet, type Loose, notConnected, otherChain } from '../../evm/signer/askWallet.ts'
import { numberToHex } from '../../evm/viem.ts'
import { sleepFor } from '../../redeem/within.ts'

/**
 * Asks the wallet to switch its chain, and verifies the switch, because some wallets report one that did not happen. An unknown chain is
 * added. Wallets without this request are switched by their connector.
 *
 * wagmi's own `switchChain` waits for an event that such wallets never send.
 *
 * @throws WrongNetworkError if the wallet is on another chain afterwards; WalletNotConnectedError; the errors of `askWallet` and wagmi's
 * `switchChain`
 */
export async function switchWallet(
  config: Config,
  { connector, chainId }: { connector: Connector | undefined; chainId: number },
): Promise<void> {
  // While wagmi reconnects, its connector has no functions yet.
  if (typeof connector?.getProvider !== 'function') throw notConnected('The wallet is still reconnecting.')
  const provider = Object(await connector.getProvider()) as Loose // EIP-1193; checked by askWallet
  let isForConnector = false
  const request = async (call: unknown) => {
    try {
      return await (provider.request as Request).call(provider, call)
    } catch (cause) {
      isForConnector = isUnknownTo(cause)
      throw cause
    }
  }
  const call = { method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] }
  try {
    await askWallet({ request }, 'request', call)
  } catch (error) {
    if (!isForConnector) throw error
    await switchChain(config, { connector, chainId })
  }
  let own = await connector.getChainId()
  // Some wallets report the switch a moment before they switch.
  for (let reads = 1; own !== chainId && reads < 10; reads++) {
    await sleepFor(100)
    own = await connector.getChainId()
  }
  if (own !== chainId)
    throw otherChain(`The wallet reported a switch to chain ${chainId}, but is on chain ${own}.`, {
      field: 'chainId',
    })
  // Some wallets switch without an event.
  connector.onChainChanged(numberToHex(chainId))
}

type Request = (call: unknown) => unknown

/** The wallet lacks the chain (4902 of EIP-3326, which some phones wrap) or the method (4200 of EIP-1193, JSON-RPC's -32601). */
function isUnknownTo(error: unknown): boolean {
  return [error, Object(Object(error).data).originalError].some((one) =>
    [4902, 4200, -32601].includes(Object(one).code),
  )
}
