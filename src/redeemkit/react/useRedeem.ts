'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getConnection } from '@wagmi/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { prepareRedeemQueryOptions } from '../wagmi/actions/prepareRedeem.ts'
import { redeemMutationOptions } from '../wagmi/actions/redeem.ts'
import { clickRedeemButton } from '../wagmi/clickRedeemButton.ts'
import { createRedeemButton } from '../wagmi/createRedeemButton.ts'
import { describeRedeemButton, purchaseOf, type RedeemButtonView } from '../wagmi/describeRedeemButton.ts'
import { loadEngine } from '../wagmi/engine/loadEngine.ts'
import type { RedeemParameters } from '../wagmi/engine/redeem.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Returns everything that a redeem button needs: its step, what the customer is about to sign with the fee, and the error message. While
 * the tab is visible and online, the redeem is prepared in the background, so a click opens the wallet without a network round trip.
 *
 * Pass `onClick` to the button. What a click does depends on `step`; while something is running, a click does nothing. With a `purchaseId`,
 * an order is paid once. A change of account or purchase resets the button. On unmount, an unsigned redeem is aborted; a signed one
 * continues, and `useOpenRedeems` lists it after a reload.
 *
 * @param parameters the purchase, as for `redeem`; `secondClick` says whether the second prompt waits for another click
 * @returns also `cancel`, for a wallet that does not respond, and `reset`, which allows the same purchase again
 * @throws InvalidOptionError without a kit; UnknownNetworkError for an unknown `chainId`
 * @see PROTOCOL.md 7.5, 7.7
 * @example
 * ```tsx
 * import { useRedeem } from 'redeemkit/react'
 * export function Pay({ orderId }: { orderId: string }) {
 *   const { step, canClick, onClick, signing, userMessage, explorerUrl } = useRedeem({
 *     purchaseId: orderId,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 *   return (
 *     <>
 *       <p>{signing?.text}</p>
 *       <button type="button" disabled={!canClick} onClick={onClick}>{step}</button>
 *       <p role="alert">{userMessage}</p>
 *       {explorerUrl && <a href={explorerUrl}>Receipt</a>}
 *     </>
 *   )
 * }
 * ```
 */
export function useRedeem(parameters: useRedeem.Parameters): useRedeem.ReturnType {
  const { config: _, query, mutation, secondClick, ...purchase } = parameters
  const { config, kit } = useConnected(parameters)
  // Read from the config, because wagmi's hook renders again only when the status changes.
  const hasAccount = getConnection(config).address !== undefined
  // Loads the engine while a known wallet reconnects. wagmi's status is `connecting` for a moment on every page, so this looks for an
  // account. The check reports a failure.
  useEffect(() => {
    if (hasAccount) loadEngine().catch(() => undefined)
  }, [hasAccount])
  const [button] = useState(createRedeemButton)
  const state = useSyncExternalStore(button.subscribe, button.getState, button.getState)
  const request = { ...purchase, kit }
  const { purchase: name, account } = purchaseOf(config, request)
  useEffect(() => button.mount(name, account), [button, name, account])
  // No checks while a redeem runs or once it is done.
  const enabled = state.purchase !== name || state.status === 'failed' || state.status === 'switchingChain'
  const checked = useQuery(
    prepareRedeemQueryOptions(config, {
      ...request,
      query: { ...query, enabled: enabled && (query?.enabled ?? true) },
    }),
  )
  const { mutateAsync: run } = useMutation(redeemMutationOptions(config, { kit, mutation }))
  const check = () => checked.refetch({ cancelRefetch: false })
  return {
    ...describeRedeemButton(config, { ...request, checked, state }),
    onClick: () => clickRedeemButton(config, { ...request, button, checked, check, run, secondClick }),
    cancel: button.cancel,
    reset: button.reset,
  }
}

export declare namespace useRedeem {
  type Parameters = HookParameters<RedeemParameters> &
    Pick<prepareRedeemQueryOptions.Parameters, 'query'> &
    Pick<redeemMutationOptions.Parameters, 'mutation'> &
    Pick<clickRedeemButton.Parameters, 'secondClick'>
  type ReturnType = RedeemButtonView & {
    /** For the button's `onClick`. */
    onClick: () => void
    /** Stops waiting for a wallet that does not respond. A later signature is not submitted. */
    cancel: () => void
    /** Clears the result, so the same purchase can be made again. A signed redeem continues. */
    reset: () => void
  }
  type ErrorType = useRedeemkit.ErrorType | describeRedeemButton.ErrorType
}
