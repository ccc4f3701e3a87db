'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type getPlans, getPlansQueryOptions } from '../wagmi/actions/subscription.ts'
import { reportMistake } from '../wagmi/reportMistake.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Lists the plans that the merchant offers to the connected wallet. Makes no request without a wallet. The kit needs a `sessionKey`.
 *
 * @returns TanStack Query's result; `data` is the list, amounts in whole cents of the named currency
 * @throws InvalidOptionError without a kit
 * @example
 * ```tsx
 * import { usePlans } from 'redeemkit/react'
 * export function Plans() {
 *   const { data = [] } = usePlans()
 *   return <ul>{data.map((plan) => <li key={plan.id}>{plan.name}</li>)}</ul>
 * }
 * ```
 */
export function usePlans(parameters: usePlans.Parameters = {}): usePlans.ReturnType {
  const { config, kit } = useConnected(parameters)
  const result = useQuery(getPlansQueryOptions(config, { ...parameters, kit }))
  reportMistake(result.error)
  return result
}

export declare namespace usePlans {
  type Parameters = HookParameters<getPlansQueryOptions.Parameters>
  type ReturnType = UseQueryResult<getPlans.ReturnType, Error>
  type ErrorType = useRedeemkit.ErrorType
}
