import type { Config } from '@wagmi/core'
import { purchaseSubscription } from '../../api/endpoints/browser/purchaseSubscription.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Buys a plan for the connected wallet, with a card on file. Sent once, whatever is answered (PROTOCOL.md 7.3).
 *
 * @param parameters.token of the card on file, never a card's number
 * @param parameters.authentication3DS `{ transactionId }` of a challenge that is completed
 * @returns ids of the subscription and of its first payment
 * @throws WalletNotConnectedError; PinsRequiredError; a ServiceError with `challenge` where the bank asks for one (3DS): show it, then
 * call again; PaymentOutcomeUnknownError where nobody knows whether it was paid; the errors of `purchaseSubscription` of `redeemkit`
 * @see PROTOCOL.md 2.8
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, subscribe } from 'redeemkit/wagmi'
 * const monthly = (config: Config, kit: Redeemkit, cardToken: string) =>
 *   subscribe(config, { kit, planCode: 'monthly', token: cardToken })
 * ```
 */
export async function subscribe(
  config: Config,
  parameters: subscribe.Parameters,
): Promise<purchaseSubscription.ReturnType> {
  const { kit, chainId: _, signal, ...body } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  return purchaseSubscription(customerClientOf(kit), body, { wallet, blockchain, signal })
}

export declare namespace subscribe {
  type Parameters = purchaseSubscription.Body & {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = purchaseSubscription.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | purchaseSubscription.ErrorType
}

/**
 * What TanStack Query takes to buy a plan. Afterwards balances are read again: a plan may come with credits.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, subscribeMutationOptions } from 'redeemkit/wagmi'
 * const buy = (config: Config, kit: Redeemkit, cardToken: string) =>
 *   new MutationObserver(new QueryClient(), subscribeMutationOptions(config, { kit })).mutate({
 *     planCode: 'monthly',
 *     token: cardToken,
 *   })
 * ```
 */
export function subscribeMutationOptions(
  config: Config,
  { kit, mutation }: subscribeMutationOptions.Parameters,
): subscribeMutationOptions.ReturnType {
  return {
    // A payment by card is sent once (PROTOCOL.md 7.3).
    retry: false,
    // Whether there is a network the call finds out: a click must not run later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'subscribe', { kit: kit.key }],
    mutationFn: (variables) => subscribe(config, { ...variables, kit }),
    onSettled: (data, error, variables, onMutated, context) => {
      // Nobody waits for what is read again.
      void context.client.invalidateQueries({ queryKey: ['redeemkit', 'balances'] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace subscribeMutationOptions {
  type Variables = Omit<subscribe.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<subscribe.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<subscribe.ReturnType, Variables>
}
