import type { Config } from '@wagmi/core'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { withEvents } from '../../redeem/redeemStep.ts'
import { loadEngine, loadedEngine } from '../engine/loadEngine.ts'
import type { redeem as redeemNow } from '../engine/redeem.ts'
import { asConnected, type Redeemkit } from '../kit.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'

/**
 * Redeems with the connected wallet: `redeem` of `redeemkit` with the kit's pins and storage and the config's clients. An order is
 * paid once; an open redeem is resumed. Before the wallet opens, the order is read on every pinned chain of the config.
 *
 * With `ready` from `prepareRedeem`, the wallet opens without a network request. Before the call, switch the wallet to the chain
 * (`switchChain` of `@wagmi/core`).
 *
 * @returns hash, nonce and outcome; amounts in raw units (1 USDC is `1_000_000n`)
 * @throws WalletNotConnectedError; WrongSignerError; PinsRequiredError for a chain that the kit does not pin; the errors of `redeem`. If
 * `isOpenRedeemError` returns true for an error, the redeem may still execute: call it again
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
  const meant = asConnected(config, parameters)
  const engine = loadedEngine() ?? (await withEvents(parameters.kit, 'starting', loadEngine))
  return engine.redeem(config, meant)
}

export declare namespace redeem {
  type Parameters = redeemNow.Parameters
  type ReturnType = RedeemResult
  type ErrorType = redeemNow.ErrorType | loadEngine.ErrorType
}

/**
 * Returns TanStack Query mutation options that redeem. Refreshes balances, open purchases and checks afterwards.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { redeemMutationOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const pay = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   new MutationObserver(new QueryClient(), redeemMutationOptions(config, { kit })).mutate({
 *     purchaseId,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * ```
 */
export function redeemMutationOptions(
  config: Config,
  { kit, mutation }: redeemMutationOptions.Parameters,
): redeemMutationOptions.ReturnType {
  return {
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'redeem', { kit: kit.key }],
    mutationFn: (variables) => redeem(config, { kit, ...variables }),
    // Refreshes in the background.
    onSuccess: (data, variables, onMutated, context) => {
      // The check was for this order; the next purchase is another order.
      void context.client.resetQueries({ queryKey: ['redeemkit', 'prepareRedeem'] })
      return mutation?.onSuccess?.(data, variables, onMutated, context)
    },
    onSettled: (data, error, variables, onMutated, context) => {
      for (const what of ['balances', 'openRedeems', 'prepareRedeem'])
        void context.client.invalidateQueries({ queryKey: ['redeemkit', what] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace redeemMutationOptions {
  type Variables = Omit<redeem.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<redeem.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<redeem.ReturnType, Variables>
}
