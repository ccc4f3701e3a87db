'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useConfig, useConnection } from 'wagmi'
import { prepareRedeemQueryOptions } from '../wagmi/actions/prepareRedeem.ts'
import { type RedeemParameters, redeemMutationOptions } from '../wagmi/actions/redeem.ts'
import { pressRedeemButton } from '../wagmi/button/clickRedeemButton.ts'
import { createRedeemPress } from '../wagmi/button/createRedeemButton.ts'
import { purchaseOf, type RedeemButton, redeemButton } from '../wagmi/button/describeRedeemButton.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * A redeem button: keeps the redeem checked while the page is looked at, so that a press asks the wallet at once and no network before it,
 * and tells where it stands, what is about to be signed with the fee, and what failed, in words for people.
 *
 * Give `press` to the button's `onClick` as it is. What a press does follows from `step`: on another chain it asks the wallet to switch,
 * `ready` it redeems, after a first prompt on a phone it lets the second one come, `open` it goes on with what an earlier press
 * began, `failed` it checks again. Presses while something is under way do nothing: one purchase is paid once, with `purchaseId` for
 * ever. Another account or another purchase starts anew. When the component goes away, what is not signed is aborted; what is signed
 * goes on, and `useOpenRedeems` lists what a reload left open.
 *
 * @param parameters what is paid for, as for `redeem`; `secondPress` says whether a second prompt waits for a second press
 * @returns `step`, `canPress`, `press`, `signing`, `elsewhere`, `data`, `explorerUrl`, `error`, `userMessage`, and `reset`, after which the
 * same may be bought again
 * @throws InvalidOptionError where there is no kit; UnknownNetworkError for a `chainId` that is none of the service's
 * @see PROTOCOL.md 7.5, 7.7
 * @example
 * ```tsx
 * import { useRedeem } from 'redeemkit/react'
 * export function Pay({ orderId }: { orderId: string }) {
 *   const { step, canPress, press, signing, userMessage, explorerUrl } = useRedeem({
 *     purchaseId: orderId,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 *   return (
 *     <>
 *       <p>{signing?.text}</p>
 *       <button type="button" disabled={!canPress} onClick={press}>{step}</button>
 *       <p role="alert">{userMessage}</p>
 *       {explorerUrl && <a href={explorerUrl}>Receipt</a>}
 *     </>
 *   )
 * }
 * ```
 */
export function useRedeem(parameters: useRedeem.Parameters): useRedeem.ReturnType {
  const { config: _, query, mutation, secondPress, ...purchase } = parameters
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  // Renders again when the account or its chain changes; the options read them from the config.
  useConnection({ config })
  const [press] = useState(createRedeemPress)
  const state = useSyncExternalStore(press.subscribe, press.getState, press.getState)
  const request = { ...purchase, kit }
  const name = purchaseOf(config, request).purchase
  // Another account or purchase, and a component that goes away, leave what is not signed.
  useEffect(() => press.attend(name), [press, name])
  // While it runs, and when it is done, there is nothing to check.
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
    ...redeemButton(config, { ...request, checked, press: state }),
    press: () => pressRedeemButton(config, { ...request, press, checked, check, run, secondPress }),
    reset: press.leave,
  }
}

export declare namespace useRedeem {
  type Parameters = HookParameters<RedeemParameters> &
    Pick<prepareRedeemQueryOptions.Parameters, 'query'> &
    Pick<redeemMutationOptions.Parameters, 'mutation'> &
    Pick<pressRedeemButton.Parameters, 'secondPress'>
  type ReturnType = RedeemButton & {
    /** For the button's `onClick`. */
    press: () => void
    /** Forgets how it stands, so that the same may be bought again. What is signed goes on. */
    reset: () => void
  }
  type ErrorType = useRedeemkit.ErrorType | redeemButton.ErrorType
}
