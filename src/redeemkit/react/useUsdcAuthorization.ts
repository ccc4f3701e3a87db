'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import {
  type signUsdcAuthorization,
  signUsdcAuthorizationMutationOptions,
} from '../wagmi/actions/signUsdcAuthorization.ts'
import { messageOf } from '../wagmi/readKit.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is paid partly in USDC: V1 for a key-held account, V2 for a smart
 * one. Its result is spread into the checkout's body, with the order key and the salt that its nonce is made of. The kit has to pin the
 * `settlementContract` of the chain.
 *
 * @returns TanStack Query's mutation, and `userMessage`, what a person is told of `error`
 * @throws InvalidOptionError where there is no kit
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```tsx
 * import { useUsdcAuthorization } from 'redeemkit/react'
 * const payment = { subtotal: { cents: 1000 }, settlementType: 'Credits' } as const
 * export function PayInUsdc({ purchaseId }: { purchaseId: string }) {
 *   const { mutate, isPending } = useUsdcAuthorization()
 *   const pay = () => mutate({ amount: { cents: 400 }, payment, purchaseId })
 *   return (
 *     <button type="button" disabled={isPending} onClick={pay}>
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
