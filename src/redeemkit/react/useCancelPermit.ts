'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import { type cancelPermit, cancelPermitMutationOptions } from '../wagmi/actions/cancelPermit.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Cancels a signed permit that may be submitted. Opens two prompts; the second is a transaction that the wallet pays in the chain's native
 * coin. The redeem or the cancellation takes effect, depending on which is mined first.
 *
 * @returns TanStack Query's mutation, and `userMessage`, a message for the customer about `error`. Rejecting the prompt does not
 * stop the payment, which may still go through
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 3.5
 * @example
 * ```tsx
 * import { useCancelPermit, useOpenRedeems } from 'redeemkit/react'
 * export function Cancel() {
 *   const { data } = useOpenRedeems()
 *   const { mutate, isPending } = useCancelPermit()
 *   return data?.open.map(({ open }) => open && (
 *     <button type="button" key={open.nonce} disabled={isPending} onClick={() => mutate(open)}>
 *       Cancel
 *     </button>
 *   ))
 * }
 * ```
 */
export function useCancelPermit(parameters: useCancelPermit.Parameters = {}): useCancelPermit.ReturnType {
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  const result = useMutation(cancelPermitMutationOptions(config, { ...parameters, kit }))
  return { ...result, userMessage: messageOf(kit, result.error, { about: 'other' }) }
}

export declare namespace useCancelPermit {
  type Parameters = HookParameters<cancelPermitMutationOptions.Parameters>
  type ReturnType = UseMutationResult<
    cancelPermit.ReturnType,
    Error,
    cancelPermitMutationOptions.Variables
  > & {
    /** Message for the customer about `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
