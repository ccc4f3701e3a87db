'use client'
import { useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import { shortAddress } from '../core/shortAddress.ts'
import { getAccountNameQueryOptions } from '../wagmi/actions/getAccountName.ts'
import type { HookParameters } from './RedeemkitProvider.tsx'

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
