'use client'
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query'
import { useConfig, useConnection } from 'wagmi'
import { getSessionQueryOptions, type Session } from '../wagmi/actions/getSession.ts'
import { type login, loginMutationOptions } from '../wagmi/actions/login.ts'
import { messageOf } from '../wagmi/readKit.ts'
import { type HookParameters, useRedeemkit } from './RedeemkitProvider.tsx'

/**
 * Signs the connected wallet in, and tells whether it is. A redeem needs no sign-in; it is for a service that shows more to who has proved
 * to hold the wallet, and for your own server: what `mutate` gives has the credential, as `signedMessage`, which your server checks with
 * `verifyAuth`.
 *
 * @returns TanStack Query's mutation; `session`: for whom and until when, `null` for a wallet that has not signed in since the page
 * was loaded; and `userMessage`, what a person is told of `error`
 * @throws InvalidOptionError where there is no kit
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
  const config = useConfig(parameters)
  const kit = useRedeemkit(parameters)
  // Renders again when the account or its chain changes; the options read them from the config.
  useConnection({ config })
  const { data } = useQuery(getSessionQueryOptions(config, { ...options, kit }))
  const result = useMutation(loginMutationOptions(config, { kit, mutation }))
  return { ...result, session: data ?? null, userMessage: messageOf(kit, result.error, 'other') }
}

export declare namespace useLogin {
  type Parameters = HookParameters<getSessionQueryOptions.Parameters> &
    Pick<loginMutationOptions.Parameters, 'mutation'>
  type ReturnType = UseMutationResult<login.ReturnType, Error, loginMutationOptions.Variables> & {
    session: Session | null
    /** What a person is told of `error`. */
    userMessage: string | undefined
  }
  type ErrorType = useRedeemkit.ErrorType
}
