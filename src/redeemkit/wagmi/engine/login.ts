import type { Config } from '@wagmi/core'
import type { Address } from 'viem'
import { login as loginOf } from '../../auth/login.ts'
import type { EvmBlockchain } from '../../core/blockchains.ts'
import type { InvalidClockError } from '../../core/clock.ts'
import type { InvalidOrderIdError } from '../../core/orderId.ts'
import { evmAdapter } from '../../evm/evmAdapter.ts'
import { networkOf } from '../../evm/networks.ts'
import { connectionOf, signerOf } from '../actions/connectionOf.ts'
import type { Redeemkit } from '../kit.ts'
import { clientOf } from '../readKit.ts'

/** A sign-in, without its credential. */
export type Session = {
  readonly wallet: Address
  readonly chainId: number
  /** Unix seconds when it expires, if the service says so. */
  readonly expiresAt: number | undefined
}

/** A sign-in with its credential, which a merchant's server passes to `verifyAuth` of `redeemkit` before it opens its own session. */
export type SignedIn = Session & {
  readonly blockchain: EvmBlockchain
  /**
   * Anyone holding it acts as the customer until `expiresAt`. Not enumerable, so logs, JSON and copies of the object do not contain
   * it: read it by name.
   */
  readonly signedMessage: string
}

/** Exported here too, because a sign-in works without the engine, and its errors need messages. */
export { messageOf } from '../messageOf.ts'

/** Runs `login` of `redeemkit` with the connected wallet. A separate file, because few pages sign a wallet in. */
export async function login(config: Config, parameters: login.Parameters): Promise<SignedIn> {
  const { kit, chainId: _, wallet: __, ...options } = parameters
  const { wallet, connector, chainId } = connectionOf(config, parameters)
  const client = clientOf(kit, { wallet, chainId })
  const { blockchain } = networkOf({ chainId })
  const signer = await signerOf({ connector, wallet, chainId })
  const adapter = evmAdapter({ signer, blockchain, chainId, client: config.getClient({ chainId }) })
  const { expiresAt, signedMessage } = await loginOf(client, { ...options, adapter })
  const session = { wallet, chainId, expiresAt, blockchain }
  // The session has all fields of its type now.
  return Object.defineProperty(session, 'signedMessage', { value: signedMessage }) as SignedIn
}

export declare namespace login {
  type Parameters = {
    kit: Redeemkit
    /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
    chainId?: number | undefined
    /** Wallet that signs in. Another account is rejected. Default: the connected wallet. */
    wallet?: string | undefined
  } & Omit<loginOf.Options, 'adapter'>
  type ErrorType =
    | connectionOf.ErrorType
    | networkOf.ErrorType
    | InvalidOrderIdError
    | InvalidClockError
    | signerOf.ErrorType
    | evmAdapter.ErrorType
    | loginOf.ErrorType
}
