import type { Config } from '@wagmi/core'
import { purchaseSubscription } from '../../api/endpoints/subscription.ts'
import { isServiceError, type ServiceError } from '../../api/serviceError.ts'
import { networkOf } from '../../evm/networks.ts'
import type { CallParameters, Redeemkit } from '../kit.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Buys a plan for the connected wallet with a saved card. The payment is sent exactly once (PROTOCOL.md 7.3).
 *
 * @param parameters.token token of the saved card, never a card number
 * @param parameters.authentication3DS `{ transactionId }` of a completed challenge
 * @returns ids of the subscription and of its first payment
 * @throws WalletNotConnectedError; PinsRequiredError; a ServiceError with `challenge` if the bank requires one (3DS): show it, then
 * call again; PaymentOutcomeUnknownError if the outcome is unknown; the errors of `purchaseSubscription` of `redeemkit`
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
  type Parameters = purchaseSubscription.Body & CallParameters
  type ReturnType = purchaseSubscription.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | purchaseSubscription.ErrorType
}

/**
 * Returns TanStack Query mutation options that buy a plan. Refreshes balances afterwards, because a plan may include credits.
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
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'subscribe', { kit: kit.key }],
    mutationFn: (variables) => subscribe(config, { ...variables, kit }),
    onSettled: (data, error, variables, onMutated, context) => {
      // Refreshes in the background.
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

/** Returns the bank's challenge (3DS) from an error; `undefined` for an error without one. */
export function challengeOf(error: unknown): ServiceError['challenge'] {
  return isServiceError(error) ? error.challenge : undefined
}
