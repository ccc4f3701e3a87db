import type { Config } from '@wagmi/core'
import { purchaseSubscription } from '../../api/endpoints/subscription.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { customerClientOf } from '../kit/customerClientOf.ts'
import { connectionOf } from './connectionOf.ts'

/**
 * Buys a plan for the connected wallet, with a card on file. Sent once, whatever is answered (PROTOCOL.md 7.3).
 *
 * @param parameters.token of the card on file, never a card's number
 * @param parameters.authentication3DS `{ transactionId }` of a challenge that is completed
 * @returns ids of the subscription and of its first payment
 * @throws WalletNotConnectedError; PinsRequiredError; a ServiceError with `challenge` where the bank asks for one (3DS): show it, then
 * call again; PaymentOutcomeUnknownError where nobody knows whether it was paid; the errors of `purchaseSubscription` of `redeemkit`
 * @see PROTOCOL.md 2.8
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, subscribe } from 'redeemkit/wagmi'
 * const monthly = (config: Config, kit: Redeemkit, cardToken: string) =>
 *   subscribe(config, { kit, planCode: 'monthly', token: cardToken })
 * ```
 */
export async function subscribe(
  config: Config,
  parameters: subscribe.Parameters,
): Promise<purchaseSubscription.ReturnType> {
  const { kit, chainId: _, signal, ...body } = parameters
  const { wallet, chainId } = connectionOf(config, parameters)
  const { blockchain } = networkOf({ chainId })
  return purchaseSubscription(customerClientOf(kit), body, { wallet, blockchain, signal })
}

export declare namespace subscribe {
  type Parameters = purchaseSubscription.Body & {
    kit: Redeemkit
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = purchaseSubscription.ReturnType
  type ErrorType = connectionOf.ErrorType | networkOf.ErrorType | purchaseSubscription.ErrorType
}
