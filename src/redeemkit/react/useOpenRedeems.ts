'use client'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import { type getOpenRedeems, getOpenRedeemsQueryOptions } from '../wagmi/actions/getOpenRedeems.ts'
import { type resumeRedeem, resumeRedeemMutationOptions } from '../wagmi/actions/resumeRedeem.ts'
import { messageOf } from '../wagmi/readKit.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * The purchases of the connected wallet that a reload, a closed page or a lost answer has left open, and `resume` to go on with one.
 *
 * Each has `options`, which are the parameters of `useRedeem`, too: a button that is given them goes on with that purchase, and
 * shows how it stands.
 *
 * @returns TanStack Query's result, `data` with `open` and `unreadable`; `resume`, a mutation that switches the wallet where it has to
 * sign on another chain; and `userMessage`, what a person is told of its error, else of `error`
 * @throws InvalidOptionError where there is no kit
 * @see PROTOCOL.md 7.5
 * @example
 * ```tsx
 * import { useOpenRedeems } from 'redeemkit/react'
 * export function Open() {
 *   const { data, resume } = useOpenRedeems()
 *   return data?.open.map(({ options, since }) => (
 *     <button type="button" key={since} disabled={resume.isPending} onClick={() => resume.mutate(options)}>
 *       Go on with your purchase
 *     </button>
 *   ))
 * }
 * ```
 */
export function useOpenRedeems(parameters: useOpenRedeems.Parameters = {}): useOpenRedeems.ReturnType {
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  // Renders again when the account or its chain changes; the options read them from the config.
  useConnection({ config })
  const list = useQuery(getOpenRedeemsQueryOptions(config, { ...parameters, kit }))
  const resume = useMutation(resumeRedeemMutationOptions(config, { kit }))
  const userMessage =
    resume.error === null ? messageOf(kit, list.error, 'other') : messageOf(kit, resume.error)
  return { ...list, resume, userMessage }
}

export declare namespace useOpenRedeems {
  type Parameters = HookParameters<getOpenRedeemsQueryOptions.Parameters>
  type ReturnType = UseQueryResult<getOpenRedeems.ReturnType, Error> & {
    resume: UseMutationResult<resumeRedeem.ReturnType, Error, resumeRedeemMutationOptions.Variables>
    /** What a person is told of the error of `resume`, else of `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
