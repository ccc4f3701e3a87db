import type { Config } from '@wagmi/core'
import { login as loginOf } from '../../auth/login.ts'
import type { EvmBlockchain } from '../../core/blockchains.ts'
import { evmAdapter } from '../../evm/evmAdapter.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../kit.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'
import { clientOf } from '../readKit.ts'
import { connectionOf, signerOf } from './connectionOf.ts'
import { keepSession, type Session } from './getSession.ts'

/** A sign-in with its credential, which a merchant's server passes to `verifyAuth` of `redeemkit` before it opens its own session. */
export type SignedIn = Session & {
  readonly blockchain: EvmBlockchain
  /**
   * Anyone holding it acts as the customer until `expiresAt`. Not enumerable, so logs, JSON and copies of the object do not contain
   * it: read it by name.
   */
  readonly signedMessage: string
}

/**
 * Signs the connected wallet in with the service. The kit keeps the credential while the page is open, and sends it with later
 * calls for this wallet. A redeem needs no sign-in.
 *
 * @returns wallet, chain and expiry (unix seconds), and the credential as `signedMessage`, for your own server only
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; the errors of `login`
 * @see PROTOCOL.md 8.1
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { login, type Redeemkit } from 'redeemkit/wagmi'
 * const enter = async (config: Config, kit: Redeemkit) => {
 *   const { wallet, blockchain, signedMessage } = await login(config, { kit })
 *   // Your server asks verifyAuth whether the wallet has signed it, and sets its own cookie.
 *   await fetch('/session', { method: 'POST', body: JSON.stringify({ wallet, blockchain, signedMessage }) })
 * }
 * ```
 */
export async function login(config: Config, parameters: login.Parameters): Promise<SignedIn> {
  const { kit, chainId: _, ...options } = parameters
  const { wallet, connector, chainId } = connectionOf(config, parameters)
  const client = clientOf(kit, { wallet, chainId })
  const { blockchain } = networkOf({ chainId })
  const signer = await signerOf({ connector, wallet, chainId })
  const adapter = evmAdapter({ signer, blockchain, chainId, client: config.getClient({ chainId }) })
  const { expiresAt, signedMessage } = await loginOf(client, { ...options, adapter })
  const session = { ...keepSession(kit, { wallet, chainId, expiresAt }), blockchain }
  // It has all fields of the type now.
  return Object.defineProperty(session, 'signedMessage', { value: signedMessage }) as SignedIn
}

export declare namespace login {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
    chainId?: number | undefined
  } & Omit<loginOf.Options, 'adapter'>
  type ReturnType = SignedIn
  type ErrorType =
    | connectionOf.ErrorType
    | clientOf.ErrorType
    | signerOf.ErrorType
    | evmAdapter.ErrorType
    | loginOf.ErrorType
}

/**
 * Mutation options of TanStack Query to sign the connected wallet in. Refreshes everything afterwards, because the service may
 * show more.
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
