import type { Config } from '@wagmi/core'
import { loadModule, type ModuleLoadError } from '../../core/loadModule.ts'
import type { login as loginNow, SignedIn } from '../engine/login.ts'
import { bringMessages } from '../errorText.ts'
import type { Redeemkit } from '../kit.ts'
import { asConnected } from '../meantChainId.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'

export type { SignedIn }

const load = /* @__PURE__ */ loadModule(() => import('../engine/login.ts'))

/**
 * Signs the connected wallet in with the service. The kit keeps the credential while the page is open, and sends it with later
 * calls for this wallet. A redeem needs no sign-in.
 *
 * @returns wallet, chain and expiry (unix seconds), and the credential as `signedMessage`, for your own server only
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; ModuleLoadError if the code of the sign-in cannot be
 * loaded; the errors of `login`
 * @see PROTOCOL.md 8.1
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { login, type Redeemkit } from 'redeemkit/wagmi'
 * const enter = async (config: Config, kit: Redeemkit) => {
 *   const { wallet, blockchain, signedMessage } = await login(config, { kit })
 *   // Your server verifies the signature with verifyAuth, and sets its own cookie.
 *   await fetch('/session', { method: 'POST', body: JSON.stringify({ wallet, blockchain, signedMessage }) })
 * }
 * ```
 */
export async function login(config: Config, parameters: login.Parameters): Promise<SignedIn> {
  const meant = asConnected(config, parameters)
  const { login: loginNow, messageOf } = await load()
  bringMessages(messageOf)
  return loginNow(config, meant)
}

export declare namespace login {
  type Parameters = loginNow.Parameters
  type ReturnType = SignedIn
  type ErrorType = loginNow.ErrorType | ModuleLoadError
}

/**
 * Returns TanStack Query mutation options that sign the connected wallet in. Refreshes everything afterwards, because the service may show
 * more.
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
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'login', { kit: kit.key }],
    mutationFn: (variables) => login(config, { kit, ...variables }),
    onSuccess: (data, variables, onMutated, context) => {
      // Refreshes in the background.
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
