'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import { shortAddress } from '../core/shortAddress.ts'
import { getAccountNameQueryOptions } from '../wagmi/actions/getAccountName.ts'
import { type getBalances, getBalancesQueryOptions } from '../wagmi/actions/getBalances.ts'
import { reportMistake } from '../wagmi/reportMistake.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Returns the display name of an account: its ENS name, or its shortened address. `text` is set from the first render, even if the look-up
 * fails; it is empty without an account.
 *
 * @returns TanStack Query's result, with `text`; `data` is `{ address, name, text }`
 * @example
 * ```tsx
 * import { useAccountName } from 'redeemkit/react'
 * export const Account = () => <p>{useAccountName().text}</p>
 * ```
 */
export function useAccountName(parameters: useAccountName.Parameters = {}) {
  const config = useConfig(parameters)
  const { address: connected } = useConnection({ config })
  const { address = connected } = parameters
  const result = useQuery(getAccountNameQueryOptions(config, { ...parameters, address }))
  return { ...result, text: result.data?.text ?? (address === undefined ? '' : shortAddress(address)) }
}

export declare namespace useAccountName {
  type Parameters = Omit<HookParameters<getAccountNameQueryOptions.Parameters>, 'kit'>
}

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
