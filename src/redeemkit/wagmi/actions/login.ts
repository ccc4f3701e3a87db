import type { Config } from '@wagmi/core'
import { type InvalidClockError, readClock } from '../../core/clock.ts'
import { loadModule, type ModuleLoadError } from '../../core/loadModule.ts'
import type { login as loginNow, Session, SignedIn } from '../engine/login.ts'
import { bringMessages } from '../errorText.ts'
import { asConnected, type Redeemkit } from '../kit.ts'
import {
  type MutationOf,
  type MutationOptionsOf,
  mutationDefaults,
  type QueryOf,
  type QueryOptionsOf,
  retry,
} from '../queryOptions.ts'

export type { Session, SignedIn }

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
  const signedIn = await loginNow(config, meant)
  keepSession(meant.kit, signedIn)
  return signedIn
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

/** Sign-ins by kit. The kit holds their credentials, so both are garbage-collected together. */
const sessions = new WeakMap<Redeemkit, Map<string, Session>>()

/**
 * Returns the sign-in of the connected wallet. Makes no request.
 *
 * @returns `null` if the wallet has not signed in with this kit on this chain, or if the sign-in expired
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getSession, type Redeemkit } from 'redeemkit/wagmi'
 * const isSignedIn = (config: Config, kit: Redeemkit) => getSession(config, { kit }) !== null
 * ```
 */
export function getSession(config: Config, parameters: getSession.Parameters): Session | null {
  const { kit } = parameters
  const { wallet, chainId } = asConnected(config, parameters)
  const found = sessions.get(kit)?.get(`${wallet} ${chainId}`)
  if (found?.expiresAt !== undefined && readClock(kit.client.now) >= found.expiresAt * 1000) return null
  return found ?? null
}

export declare namespace getSession {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
    chainId?: number | undefined
  }
  type ReturnType = Session | null
  type ErrorType = InvalidClockError
}

function keepSession(kit: Redeemkit, { wallet, chainId, expiresAt }: Session): void {
  const known = sessions.get(kit) ?? new Map<string, Session>()
  sessions.set(kit, known.set(`${wallet} ${chainId}`, { wallet, chainId, expiresAt }))
}

/**
 * Returns TanStack Query options that read the connected wallet's sign-in. Makes no request; `loginMutationOptions` refreshes it.
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getSessionQueryOptions, type Redeemkit } from 'redeemkit/wagmi'
 * const read = (config: Config, kit: Redeemkit) =>
 *   new QueryClient().fetchQuery(getSessionQueryOptions(config, { kit }))
 * ```
 */
export function getSessionQueryOptions(
  config: Config,
  parameters: getSessionQueryOptions.Parameters,
): getSessionQueryOptions.ReturnType {
  const { kit, query } = parameters
  const { wallet, chainId } = asConnected(config, parameters)
  return {
    retry,
    staleTime: 0,
    networkMode: 'always',
    ...query,
    queryKey: ['redeemkit', 'session', { kit: kit.key, wallet, chainId }],
    enabled: wallet !== undefined && (query?.enabled ?? true),
    queryFn: async () => getSession(config, { kit, chainId }),
  }
}

export declare namespace getSessionQueryOptions {
  type Parameters = getSession.Parameters & QueryOf<Session | null, SessionKey>
  type ReturnType = QueryOptionsOf<Session | null, SessionKey>
}

type SessionKey = readonly [
  'redeemkit',
  'session',
  { kit: string; wallet: string | undefined; chainId: number },
]
