'use client'
import { useMutation } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import { challengeOf, type subscribe, subscribeMutationOptions } from '../wagmi/actions/subscription.ts'
import { messageOf } from '../wagmi/messageOf.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Buys a plan for the connected wallet with a saved card. The kit needs a `sessionKey`.
 *
 * Clicks while a payment is running do not pay again. If the bank requires a challenge (3DS), `challenge` is set: show it, and once the
 * customer has completed it, call `completeChallenge`, which repeats the payment with the challenge's id.
 *
 * @returns `subscribe` for the button of a plan, then `data` with the ids of subscription and payment, or `error` with `userMessage`;
 * `isPending`, `challenge`, `completeChallenge` and `reset`
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 2.8, 10.3
 * @example
 * ```tsx
 * import { useSubscribe } from 'redeemkit/react'
 * export function Subscribe({ planCode, cardToken }: { planCode: string; cardToken: string }) {
 *   const { subscribe, isPending, userMessage, challenge, completeChallenge } = useSubscribe()
 *   return (
 *     <>
 *       <button type="button" disabled={isPending} onClick={() => subscribe({ planCode, token: cardToken })}>
 *         Subscribe
 *       </button>
 *       {challenge && (
 *         <>
 *           <a href={challenge.url} target="bank">Confirm with your bank</a>
 *           <button type="button" disabled={isPending} onClick={completeChallenge}>I have confirmed</button>
 *         </>
 *       )}
 *       <p role="alert">{userMessage}</p>
 *     </>
 *   )
 * }
 * ```
 */
export function useSubscribe(parameters: useSubscribe.Parameters = {}): useSubscribe.ReturnType {
  const { mutation } = parameters
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  const { mutate, data, error, isPending, reset, variables } = useMutation(
    subscribeMutationOptions(config, { kit, mutation }),
  )
  const challenge = challengeOf(error)
  const { transactionId } = challenge ?? {}
  return {
    subscribe: mutate,
    data,
    error,
    isPending,
    userMessage: messageOf(kit, error),
    challenge,
    completeChallenge: () => {
      if (variables !== undefined && transactionId !== undefined)
        mutate({ ...variables, authentication3DS: { transactionId } })
    },
    reset,
  }
}

export declare namespace useSubscribe {
  type Parameters = Pick<HookParameters<subscribe.Parameters>, 'config' | 'kit'> &
    Pick<subscribeMutationOptions.Parameters, 'mutation'>
  type ReturnType = {
    subscribe: (variables: subscribeMutationOptions.Variables) => void
    data: subscribe.ReturnType | undefined
    error: Error | null
    isPending: boolean
    /** Message for the customer about `error`. */
    userMessage: string | undefined
    /** The bank's challenge (3DS), if it requires one. */
    challenge: ReturnTypeOfChallenge
    /** Repeats the payment once the challenge is completed. */
    completeChallenge: () => void
    reset: () => void
  }
  type ErrorType = useRedeemkit.ErrorType
}

type ReturnTypeOfChallenge = ReturnType<typeof challengeOf>
