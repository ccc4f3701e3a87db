'use client'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import { type cancelPermit, cancelPermitMutationOptions } from '../wagmi/actions/cancelPermit.ts'
import {
  type getOpenRedeems,
  getOpenRedeemsQueryOptions,
  type resumeRedeem,
  resumeRedeemMutationOptions,
} from '../wagmi/actions/openRedeems.ts'
import { errorText } from '../wagmi/errorText.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useConnected, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Lists the connected wallet's purchases that a reload, a closed page or a lost response left open.
 *
 * To resume a purchase with a button, pass its `options` to `useRedeem`.
 *
 * @returns TanStack Query's result, `data` with `open` and `unreadable`; `resume`, a mutation that switches the chain if the wallet has to
 * sign again; and `userMessage`, a message for the customer about the error of `resume` or of the list
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 7.5
 * @example
 * ```tsx
 * import { useOpenRedeems } from 'redeemkit/react'
 * export function Open() {
 *   const { data, resume } = useOpenRedeems()
 *   return data?.open.map(({ options, since }) => (
 *     <button type="button" key={since} disabled={resume.isPending} onClick={() => resume.mutate(options)}>
 *       Resume your purchase
 *     </button>
 *   ))
 * }
 * ```
 */
export function useOpenRedeems(parameters: useOpenRedeems.Parameters = {}): useOpenRedeems.ReturnType {
  const { config, kit } = useConnected(parameters)
  const list = useQuery(getOpenRedeemsQueryOptions(config, { ...parameters, kit }))
  const resume = useMutation(resumeRedeemMutationOptions(config, { kit }))
  const userMessage =
    resume.error === null ? errorText(kit, list.error, { about: 'other' }) : errorText(kit, resume.error)
  return { ...list, resume, userMessage }
}

export declare namespace useOpenRedeems {
  type Parameters = HookParameters<getOpenRedeemsQueryOptions.Parameters>
  type ReturnType = UseQueryResult<getOpenRedeems.ReturnType, Error> & {
    resume: UseMutationResult<resumeRedeem.ReturnType, Error, resumeRedeemMutationOptions.Variables>
    /** Message for the customer about the error of `resume` or of the list. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}

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
