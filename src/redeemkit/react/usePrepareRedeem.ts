'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type prepareRedeem, prepareRedeemQueryOptions } from '../wagmi/actions/prepareRedeem.ts'
import { reportMistake } from '../wagmi/reportMistake.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Keeps a redeem checked while the page is visible, so that a click opens the wallet immediately. `useRedeem` includes this; use it for
 * your own button.
 *
 * @returns TanStack Query's result; `data.state` is `ready` with `prepared`, `open`, or `redeemed`
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 7.5
 * @example
 * ```tsx
 * import { describeSigning } from 'redeemkit'
 * import { usePrepareRedeem } from 'redeemkit/react'
 * export function Price() {
 *   const { data } = usePrepareRedeem({
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 *   return <p>{data?.state === 'ready' && describeSigning(data.prepared).text}</p>
 * }
 * ```
 */
export function usePrepareRedeem(parameters: usePrepareRedeem.Parameters): usePrepareRedeem.ReturnType {
  const { config: given, ...options } = parameters
  const { config, kit } = useConnected(parameters)
  const result = useQuery(prepareRedeemQueryOptions(config, { ...options, kit }))
  reportMistake(result.error)
  return result
}

export declare namespace usePrepareRedeem {
  type Parameters = HookParameters<prepareRedeemQueryOptions.Parameters>
  type ReturnType = UseQueryResult<prepareRedeem.ReturnType, Error>
  type ErrorType = useRedeemkit.ErrorType
}
