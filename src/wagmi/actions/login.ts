import type { Config } from '@wagmi/core'
import { login as loginOf } from '../../auth/login.ts'
import { evmAdapter } from '../../evm/evmAdapter.ts'
import { networkOf } from '../../evm/networks.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { connectionOf } from './connectionOf.ts'
import { keepSession, type Session } from './getSession.ts'
import { signerOf } from './signerOf.ts'

/**
 * Proves to the service that the person holds the connected wallet, as `login` of `redeemkit` does. The kit keeps the credential as long as
 * the page lives, and every later call for this wallet carries it. A redeem needs no sign-in.
 *
 * @returns for whom and until when (unix seconds); the credential itself stays in the kit
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; what `login` throws
 * @see PROTOCOL.md 8.1
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { login, type Redeemkit } from 'redeemkit/wagmi'
 * const enter = (config: Config, kit: Redeemkit) => login(config, { kit })
 * ```
 */
export async function login(config: Config, parameters: login.Parameters): Promise<Session> {
  const { kit, chainId: _, ...options } = parameters
  const { wallet, connector, chainId } = connectionOf(config, parameters)
  const client = clientOf(kit, { wallet, chainId })
  const { blockchain } = networkOf({ chainId })
  const signer = await signerOf({ connector, wallet, chainId })
  const adapter = evmAdapter({ signer, blockchain, chainId, client: config.getClient({ chainId }) })
  const { expiresAt } = await loginOf(client, { ...options, adapter })
  return keepSession(kit, { wallet, chainId, expiresAt })
}

export declare namespace login {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain where it is pinned, else the first pinned. */
    chainId?: number | undefined
  } & Omit<loginOf.Options, 'adapter'>
  type ReturnType = Session
  type ErrorType =
    | connectionOf.ErrorType
    | clientOf.ErrorType
    | signerOf.ErrorType
    | evmAdapter.ErrorType
    | loginOf.ErrorType
}
