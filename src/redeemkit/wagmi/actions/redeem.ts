import type { Config } from '@wagmi/core'
import type { RedeemRequest } from '../../evm/creditPermit/redeemIntent.ts'
import { redeem as redeemOf } from '../../redeem/redeem.ts'
import type { RedeemOptions, RedeemResult } from '../../redeem/redeemOptions.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from '../queryOptions.ts'
import { clientOf, otherChainsOf, storageOf } from '../readKit.ts'
import { connectionOf, knownSigner, signerOf } from './connectionOf.ts'

/** What is paid for. */
export type PurchaseParameters = RedeemRequest & {
  /**
   * The merchant's order id: 1 to 256 visible characters. One id stands for one price and one cart, and is paid once. Draw ids at
   * random: an id that can be guessed can be recognized on chain.
   */
  purchaseId?: RedeemOptions['purchaseId']
  /** Data for the merchant's webhooks: any plain object. */
  webhookInfo?: RedeemOptions['webhookInfo']
  /** Default: the wallet's chain where it is pinned, else the first pinned. */
  chainId?: number | undefined
}

/** What is paid for, and by which kit. */
export type RedeemParameters = PurchaseParameters & { kit: Redeemkit }

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
    // Not waited for where it is known: a mobile wallet opens directly after a click only.
    signer: signer ?? knownSigner(own) ?? (await signerOf(own)),
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

/**
 * What TanStack Query takes to redeem. Afterwards balances and open purchases are read again, and what was checked for this purchase is
 * checked anew.
 *
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
    // It goes on by itself where that is safe (PROTOCOL.md 7.5), and a person is never asked twice by a timer.
    retry: false,
    // Whether there is a network decides redeem: a click must not run later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'redeem', { kit: kit.key }],
    mutationFn: (variables) => redeem(config, { kit, ...variables }),
    // Nobody waits for what is read again.
    onSuccess: (data, variables, onMutated, context) => {
      // What was checked was for this order: the next one is another order.
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
