'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type getBalances, getBalancesQueryOptions } from '../wagmi/actions/getBalances.ts'
import { reportMistake } from '../wagmi/reportMistake.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Reads the connected wallet's credits and USDC, in US cents. Refreshes after a redeem, and when the account or chain changes. Makes no
 * request without a wallet.
 *
 * @returns TanStack Query's result; `data` is `{ credits: { cents }, usdc: { cents } }`
 * @throws InvalidOptionError without a kit
 * @example
 * ```tsx
 * import { formatUsd } from 'redeemkit'
 * import { useBalances } from 'redeemkit/react'
 * export function Balance() {
 *   const { data } = useBalances()
 *   return <p>{data && formatUsd({ cents: data.credits.cents })}</p>
 * }
 * ```
 */
export function useBalances(parameters: useBalances.Parameters = {}): useBalances.ReturnType {
  const { config, kit } = useConnected(parameters)
  const result = useQuery(getBalancesQueryOptions(config, { ...parameters, kit }))
  reportMistake(result.error)
  return result
}

export declare namespace useBalances {
  type Parameters = HookParameters<getBalancesQueryOptions.Parameters>
  type ReturnType = UseQueryResult<getBalances.ReturnType, Error>
  type ErrorType = useRedeemkit.ErrorType
}
