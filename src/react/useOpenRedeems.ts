'use client'
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import type { getOpenRedeems } from '../wagmi/actions/getOpenRedeems.ts'
import type { redeem } from '../wagmi/actions/redeem.ts'
import { getOpenRedeemsQueryOptions } from '../wagmi/query/getOpenRedeemsQueryOptions.ts'
import { redeemMutationOptions } from '../wagmi/query/redeemMutationOptions.ts'
import type { HookParameters } from './hookParameters.ts'
import { useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * The purchases of the connected wallet that a reload, a closed page or a lost answer has left open, and `resume` to go on with one.
 *
 * Each has `options`, which are the parameters of `useRedeem`, too: a button that is given them goes on with that purchase, and
 * shows how it stands.
 *
 * @returns TanStack Query's result, `data` with `open` and `unreadable`, and `resume`, a mutation
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
  return { ...list, resume: useMutation(redeemMutationOptions(config, { kit })) }
}

export declare namespace useOpenRedeems {
  type Parameters = HookParameters<getOpenRedeemsQueryOptions.Parameters>
  type ReturnType = UseQueryResult<getOpenRedeems.ReturnType, Error> & {
    resume: UseMutationResult<redeem.ReturnType, Error, redeemMutationOptions.Variables>
  }
  type ErrorType = useRedeemkit.ErrorType
}
