import type { Config } from '@wagmi/core'
import { getPlans as getPlansOf, purchaseSubscription } from '../../api/endpoints/subscription.ts'
import { isServiceError, type ServiceError } from '../../api/errors.ts'
import { networkOf } from '../../evm/networks.ts'
import { asConnected, type CallParameters, type Redeemkit } from '../kit.ts'
import {
  type MutationOf,
  type MutationOptionsOf,
  mutationDefaults,
  type QueryOf,
  type QueryOptionsOf,
  retry,
} from '../queryOptions.ts'
import { customerClientOf } from '../readKit.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Lists the plans that the merchant offers to the connected wallet.
 *
 * @param parameters.kit needs a `sessionKey`
 * @returns amounts in whole cents of the named currency; `active` says whether a plan can be bought
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; InvalidOptionError without a session
 * key; the errors of `getPlans` of `redeemkit`
 * @see PROTOCOL.md 2.8
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getPlans, type Redeemkit } from 'redeemkit/wagmi'
 * const offered = async (config: Config, kit: Redeemkit) =>
 *   (await getPlans(config, { kit })).filter(({ active }) => active)
 * ```
 */
export async function getPlans(
  config: Config,
  parameters: getPlans.Parameters,
): Promise<getPlansOf.ReturnType> {
  const { kit, signal } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  return getPlansOf(customerClientOf(kit), { wallet, blockchain, signal })
}

export declare namespace getPlans {
  type Parameters = CallParameters
  type ReturnType = getPlansOf.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | getPlansOf.ErrorType
}

/**
 * Returns TanStack Query options that list the merchant's plans. Disabled without a wallet.
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getPlansQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getPlansQueryOptions(config, { kit }))
 * ```
 */
export function getPlansQueryOptions(
  config: Config,
  parameters: getPlansQueryOptions.Parameters,
): getPlansQueryOptions.ReturnType {
  const { kit, query } = parameters
  const { wallet, chainId } = asConnected(config, parameters)
  return {
    retry,
    ...query,
    queryKey: getPlansQueryKey({ kit: kit.key, wallet, chainId }),
    enabled: wallet !== undefined && (query?.enabled ?? true),
    queryFn: ({ signal }) => getPlans(config, { kit, chainId, signal }),
  }
}

export declare namespace getPlansQueryOptions {
  type Parameters = Omit<getPlans.Parameters, 'signal'> & QueryOf<getPlans.ReturnType, PlansKey>
  type ReturnType = QueryOptionsOf<getPlans.ReturnType, PlansKey>
}

type PlansKey = ReturnType<typeof getPlansQueryKey>

/** Returns the query key of the plans for one wallet on one chain. */
export function getPlansQueryKey(parameters: { kit: string; wallet: string | undefined; chainId: number }) {
  return ['redeemkit', 'plans', parameters] as const
}

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
