import type { Config } from '@wagmi/core'
import { redeem as redeemOf } from '../../redeem/redeem.ts'
import type { RedeemOptions, RedeemResult } from '../../redeem/redeemOptions.ts'
import { clientOf } from '../kit/clientOf.ts'
import { otherChainsOf } from '../kit/otherChainsOf.ts'
import { storageOf } from '../kit/storageOf.ts'
import { connectionOf } from './connectionOf.ts'
import type { RedeemParameters } from './redeemParameters.ts'
import { resolvedSigner, signerOf } from './signerOf.ts'

/**
 * Redeems with the connected wallet, as `redeem` of `redeemkit` does: with the pins and storage of the kit, and the config's client of
 * the chain, which tells smart accounts apart and follows the transaction. One order is paid once; what an earlier call left open
 * goes on. The order is read on every pinned chain that the config has, before the wallet is asked.
 *
 * With `ready` of `prepareRedeem` the wallet is asked at once, and no network before it. Switch the wallet to the chain before:
 * `switchChain` of `@wagmi/core`.
 *
 * @returns the hash, the nonce, and what moved; amounts in raw units (1 USDC is `1_000_000n`)
 * @throws WalletNotConnectedError; WrongSignerError; PinsRequiredError for a chain that the kit does not pin; what `redeem` throws. `isOpenRedeemError`
 * tells when it may still execute: then call it again
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const pay = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   redeem(config, {
 *     kit,
 *     purchaseId,
 *     subtotal: { cents: 1000 },
 *     usdcAmount: { cents: 400 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * ```
 */
export async function redeem(config: Config, parameters: redeem.Parameters): Promise<RedeemResult> {
  const { kit, chainId: _, signer, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  const own = { connector, wallet, chainId }
  return redeemOf(clientOf(kit, { wallet, chainId }), {
    ...options,
    // Not waited for where it is known: a mobile wallet opens directly after a press only.
    signer: signer ?? resolvedSigner(own) ?? (await signerOf(own)),
    wallet,
    chainId,
    pinned,
    publicClient: config.getClient({ chainId }),
    otherChains: otherChainsOf(config, kit, chainId),
    storage: storageOf(kit),
  })
}

export declare namespace redeem {
  type Parameters = RedeemParameters &
    Pick<
      RedeemOptions,
      'ready' | 'onStep' | 'signal' | 'usdcVersion' | 'confirmations' | 'timeoutMs' | 'pollingIntervalMs'
    > & {
      /** Default: the connected wallet. */
      signer?: RedeemOptions['signer'] | undefined
      /** Whose purchase it is: refuses another account than this one. Default: that of the connected wallet. */
      wallet?: string | undefined
    }
  type ReturnType = RedeemResult
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | signerOf.ErrorType | redeemOf.ErrorType
}
