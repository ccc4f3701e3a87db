import type { Config } from '@wagmi/core'
import { login as loginOf } from '../../auth/login.ts'
import type { EvmBlockchain } from '../../core/blockchains.ts'
import { evmAdapter } from '../../evm/evmAdapter.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import type { MutationOf, MutationOptionsOf } from '../queryOptions.ts'
import { clientOf } from '../readKit.ts'
import { connectionOf, signerOf } from './connectionOf.ts'
import { keepSession, type Session } from './getSession.ts'

/** A sign-in with its credential: what a merchant's own server gives to `verifyAuth` of `redeemkit`, and opens its own session for. */
export type SignedIn = Session & {
  readonly blockchain: EvmBlockchain
  /** Whoever has it acts as the customer until `expiresAt`. Not enumerable, so that no log, no JSON and no copy of the object has it: name it. */
  readonly signedMessage: string
}

/**
 * Proves to the service that the person holds the connected wallet, as `login` of `redeemkit` does. The kit keeps the credential as long as
 * the page lives, and every later call for this wallet carries it. A redeem needs no sign-in.
 *
 * @returns for whom and until when (unix seconds), with the credential as `signedMessage`, for your own server and nobody else
 * @throws WalletNotConnectedError; PinsRequiredError for a chain that the kit does not pin; what `login` throws
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
  // It has now what the type says.
  return Object.defineProperty(session, 'signedMessage', { value: signedMessage }) as SignedIn
}

export declare namespace login {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain where it is pinned, else the first pinned. */
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
