'use client'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import {
  type getOpenRedeems,
  getOpenRedeemsQueryOptions,
  type resumeRedeem,
  resumeRedeemMutationOptions,
} from '../wagmi/actions/openRedeems.ts'
import { errorText } from '../wagmi/errorText.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

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
