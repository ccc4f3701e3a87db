import type { Config } from '@wagmi/core'
import { checkRedeem } from '../../redeem/checkRedeem.ts'
import type { CheckedPurchase } from '../../redeem/readyRedeem.ts'
import { clientOf } from '../kit/clientOf.ts'
import { otherChainsOf } from '../kit/otherChainsOf.ts'
import { storageOf } from '../kit/storageOf.ts'
import { connectionOf } from './connectionOf.ts'
import type { RedeemParameters } from './redeemParameters.ts'
import { signerOf } from './signerOf.ts'

/**
 * Does everything of a `redeem` of the connected wallet that needs a network, before its button is pressed, as `checkRedeem` of
 * `redeemkit` does it: with the pins and storage of the kit, and the config's client of the chain. Reads the order on every pinned chain that the
 * config has. The wallet may stand on another chain
 * meanwhile. Finds the wallet behind the connector, too, so that the press waits for nothing.
 *
 * @param parameters.prepared of an earlier result, to save the question to the service
 * @returns plain data. `state: 'ready'` with what is signed and until when (unix seconds); `open` when an earlier press was signed, and
 * `redeemed` when it is paid
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; what `checkRedeem` throws
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { prepareRedeem, redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const purchase = (kit: Redeemkit) => ({
 *   kit,
 *   subtotal: { cents: 1000 },
 *   transactionData: { type: 'token' as const, destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const },
 * })
 * const onShow = (config: Config, kit: Redeemkit) => prepareRedeem(config, purchase(kit))
 * const onPress = (config: Config, kit: Redeemkit, ready: prepareRedeem.ReturnType) =>
 *   redeem(config, { ...purchase(kit), ready })
 * ```
 */
export async function prepareRedeem(
  config: Config,
  parameters: prepareRedeem.Parameters,
): Promise<CheckedPurchase> {
  const { kit, chainId: _, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  const [checked] = await Promise.all([
    checkRedeem(clientOf(kit, { wallet, chainId }), {
      ...options,
      wallet,
      chainId,
      pinned,
      publicClient: config.getClient({ chainId }),
      otherChains: otherChainsOf(config, kit, chainId),
      storage: storageOf(kit),
    }),
    signerOf({ connector, wallet, chainId }),
  ])
  return checked
}

export declare namespace prepareRedeem {
  type Parameters = RedeemParameters &
    Pick<checkRedeem.Options, 'prepared' | 'maxAgeSeconds' | 'signal' | 'timeoutMs'>
  type ReturnType = CheckedPurchase
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | signerOf.ErrorType | checkRedeem.ErrorType
}
