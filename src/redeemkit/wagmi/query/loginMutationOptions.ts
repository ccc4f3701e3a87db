import type { Config } from '@wagmi/core'
import { login } from '../actions/login.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from './queryParameter.ts'

/**
 * What TanStack Query takes to sign the connected wallet in. Afterwards everything is read again: more may be shown to who is signed in.
 *
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { loginMutationOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const enter = (config: Config, kit: Redeemkit) =>
 *   new MutationObserver(new QueryClient(), loginMutationOptions(config, { kit })).mutate({})
 * ```
 */
export function loginMutationOptions(
  config: Config,
  { kit, mutation }: loginMutationOptions.Parameters,
): loginMutationOptions.ReturnType {
  return {
    // A person who said no is not asked again.
    retry: false,
    // Whether there is a network the call finds out: a prompt must not come later, when nobody looks.
    networkMode: 'always',
    ...mutation,
    mutationKey: ['redeemkit', 'login', { kit: kit.key }],
    mutationFn: (variables) => login(config, { kit, ...variables }),
    onSuccess: (data, variables, onMutated, context) => {
      // Nobody waits for what is read again.
      void context.client.invalidateQueries({ queryKey: ['redeemkit'] })
      return mutation?.onSuccess?.(data, variables, onMutated, context)
    },
  }
}

export declare namespace loginMutationOptions {
  type Variables = Omit<login.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<login.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<login.ReturnType, Variables>
}
