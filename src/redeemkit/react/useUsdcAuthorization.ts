'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import {
  type signUsdcAuthorization,
  signUsdcAuthorizationMutationOptions,
} from '../wagmi/actions/signUsdcAuthorization.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is partly paid in USDC. Spread the result into the
 * checkout's body; it includes the order key and the salt of its nonce. The kit must pin the chain's `settlementContract`.
 *
 * @returns TanStack Query's mutation, and `userMessage`, a message for the customer about `error`
 * @throws InvalidOptionError without a kit
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
    /** Message for the customer about `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
