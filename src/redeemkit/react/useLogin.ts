'use client'
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query'
import {
  getSessionQueryOptions,
  type login,
  loginMutationOptions,
  type Session,
} from '../wagmi/actions/login.ts'
import { errorText } from '../wagmi/errorText.ts'
import { type HookParameters, useConnected, type useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Signs the connected wallet in. A redeem needs no sign-in. Use it for services that show more to signed-in customers, and for your
 * own server: send it `signedMessage` from the result of `mutate`, and call `verifyAuth` there.
 *
 * @returns TanStack Query's mutation; `session` with wallet and expiry, `null` until the wallet signs in on this page; and `userMessage`,
 * a message for the customer about `error`
 * @throws InvalidOptionError without a kit
 * @see PROTOCOL.md 8.1
 * @example
 * ```tsx
 * import { useLogin } from 'redeemkit/react'
 * export function SignIn() {
 *   const { session, mutate, isPending, userMessage } = useLogin({
 *     mutation: {
 *       onSuccess: ({ wallet, signedMessage }) =>
 *         fetch('/session', { method: 'POST', body: JSON.stringify({ wallet, signedMessage }) }),
 *     },
 *   })
 *   if (session) return <p>{session.wallet}</p>
 *   return (
 *     <>
 *       <button type="button" disabled={isPending} onClick={() => mutate({})}>Sign in</button>
 *       <p role="alert">{userMessage}</p>
 *     </>
 *   )
 * }
 * ```
 */
export function useLogin(parameters: useLogin.Parameters = {}): useLogin.ReturnType {
  const { mutation, ...options } = parameters
  const { config, kit } = useConnected(parameters)
  const { data } = useQuery(getSessionQueryOptions(config, { ...options, kit }))
  const result = useMutation(loginMutationOptions(config, { kit, mutation }))
  return { ...result, session: data ?? null, userMessage: errorText(kit, result.error, { about: 'other' }) }
}

export declare namespace useLogin {
  type Parameters = HookParameters<getSessionQueryOptions.Parameters> &
    Pick<loginMutationOptions.Parameters, 'mutation'>
  type ReturnType = UseMutationResult<login.ReturnType, Error, loginMutationOptions.Variables> & {
    session: Session | null
    /** Message for the customer about `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
