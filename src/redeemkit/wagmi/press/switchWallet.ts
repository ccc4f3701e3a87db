import { type Config, type Connector, switchChain } from '@wagmi/core'
import type { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import {
  askWallet,
  type Loose,
  notConnected,
  otherChain,
  type WalletNotConnectedError,
} from '../../evm/signer/askWallet.ts'
import { numberToHex } from '../../evm/viem.ts'
import { sleepFor } from '../../redeem/within.ts'

/**
 * Asks the wallet to switch, and reads back where it stands: some say that they have switched, and have not. A chain that the wallet does
 * not know is added, and a wallet that knows no such request is switched as its connector does it.
 *
 * wagmi's own `switchChain` waits for the event of the change, which such a wallet never sends.
 *
 * @throws WrongNetworkError when it stands elsewhere afterwards; WalletNotConnectedError; what `askWallet` throws, and wagmi's
 * `switchChain` where that is asked
 */
export async function switchWallet(
  config: Config,
  { connector, chainId }: { connector: Connector | undefined; chainId: number },
): Promise<void> {
  // While wagmi reconnects, its connector has a name and no functions yet.
  if (typeof connector?.getProvider !== 'function') throw notConnected('The wallet is still reconnecting.')
  const provider = Object(await connector.getProvider()) as Loose // of EIP-1193; looked at by askWallet
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
  // Some answer a moment before they stand there.
  for (let reads = 1; own !== chainId && reads < 10; reads++) {
    await sleepFor(100)
    own = await connector.getChainId()
  }
  if (own !== chainId)
    throw otherChain(`The wallet says that it has switched to chain ${chainId}, and is on chain ${own}.`, {
      field: 'chainId',
    })
  // Others switch, and send no event.
  connector.onChainChanged(numberToHex(chainId))
}

export declare namespace switchWallet {
  type ErrorType = askWallet.ErrorType | WalletNotConnectedError | WrongNetworkError
}

type Request = (call: unknown) => unknown

/** A chain (4902 of EIP-3326, which some phones wrap) or a request (4200 of EIP-1193, JSON-RPC's -32601) that the wallet does not know. */
function isUnknownTo(error: unknown): boolean {
  return [error, Object(Object(error).data).originalError].some((one) =>
    [4902, 4200, -32601].includes(Object(one).code),
  )
}
