import type { Config } from '@wagmi/core'
import { getBalances as getBalancesOf } from '../../api/endpoints/customer.ts'
import type { BalancesResponse } from '../../schema/purchase.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Reads what the connected wallet has: credits with the merchant, and USDC, on one chain.
 *
 * @param parameters.chainId default: the wallet's chain where it is pinned, else the first pinned
 * @returns US cents: `{ credits: { cents }, usdc: { cents } }`
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; the errors of `getBalances` of
 * `redeemkit`
 * @see PROTOCOL.md 2.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getBalances, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) => getBalances(config, { kit })
 * ```
 */
export async function getBalances(
  config: Config,
  parameters: getBalances.Parameters,
): Promise<BalancesResponse> {
  const { kit, signal } = parameters
  const { wallet, chainId, pinned } = connectionOf(config, parameters)
  return getBalancesOf(clientOf(kit, { wallet, chainId }), { creditSeed: pinned.creditSeed, signal })
}

export declare namespace getBalances {
  type Parameters = {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = BalancesResponse
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | getBalancesOf.ErrorType
}
