import type { Config } from '@wagmi/core'
import type { Address } from 'viem'
import { type InvalidClockError, readClock } from '../../core/clock.ts'
import type { Redeemkit } from '../kit.ts'
import { asConnected } from '../meantChainId.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'

/** A sign-in, without its credential. */
export type Session = {
  readonly wallet: Address
  readonly chainId: number
  /** Unix seconds when it expires, if the service says so. */
  readonly expiresAt: number | undefined
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

export function keepSession(kit: Redeemkit, session: Session): Session {
  const known = sessions.get(kit) ?? new Map<string, Session>()
  sessions.set(kit, known.set(`${session.wallet} ${session.chainId}`, session))
  return session
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
