'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import type { signUsdcAuthorization } from '../wagmi/actions/signUsdcAuthorization.ts'
import { messageOf } from '../wagmi/kit/messageOf.ts'
import { signUsdcAuthorizationMutationOptions } from '../wagmi/query/signUsdcAuthorizationMutationOptions.ts'
import type { HookParameters } from './hookParameters.ts'
import { useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is paid partly in USDC: V1 for a key-held account, V2 for a smart
 * one. What it gives is spread into the checkout's body. The kit has to pin the `settlementContract` of the chain.
 *
 * @returns TanStack Query's mutation, and `userMessage`, what a person is told of `error`
 * @throws InvalidOptionError where there is no kit
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```tsx
 * import { useUsdcAuthorization } from 'redeemkit/react'
 * export function PayInUsdc() {
 *   const { mutate, isPending } = useUsdcAuthorization()
 *   return (
 *     <button type="button" disabled={isPending} onClick={() => mutate({ amount: { cents: 400 } })}>
 *       Pay 4 USD of it in USDC
 *     </button>
 *   )
 * }
 * ```
 */
export function useUsdcAuthorization(
  parameters: useUsdcAuthorization.Parameters = {},
): useUsdcAuthorization.ReturnType {
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  const result = useMutation(signUsdcAuthorizationMutationOptions(config, { ...parameters, kit }))
  return { ...result, userMessage: messageOf(kit, result.error) }
}

export declare namespace useUsdcAuthorization {
  type Parameters = HookParameters<signUsdcAuthorizationMutationOptions.Parameters>
  type ReturnType = UseMutationResult<
    signUsdcAuthorization.ReturnType,
    Error,
    signUsdcAuthorizationMutationOptions.Variables
  > & {
    /** What a person is told of `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
