import type { Config } from '@wagmi/core'
import { signPaymentUsdc } from '../../checkout/signPaymentUsdc.ts'
import type { InvalidClockError } from '../../core/clock.ts'
import type { InvalidOrderIdError } from '../../core/orderId.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { networkOf } from '../../evm/networks.ts'
import { PinsRequiredError } from '../../redeem/errors.ts'
import type { Redeemkit } from '../kit.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'
import { clientOf } from '../readKit.ts'
import { connectionOf, signerOf } from './connectionOf.ts'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is partly paid in USDC. Its nonce commits to `payment`; it
 * moves exactly this amount of the chain's USDC from this wallet to the pinned `settlementContract`.
 *
 * @param parameters.amount part in USDC, in US cents
 * @param parameters.payment the payment, as in the checkout's body
 * @returns fields for the checkout's body: the authorization (V1 for an account without code, otherwise V2), `orderKey` and `salt`
 * @throws PinsRequiredError without a pinned `settlementContract`; the errors of `signPaymentUsdc`
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, signUsdcAuthorization } from 'redeemkit/wagmi'
 * const pay4UsdOf10 = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   signUsdcAuthorization(config, {
 *     kit,
 *     amount: { cents: 400 },
 *     payment: { subtotal: { cents: 1000 }, settlementType: 'Credits' },
 *     purchaseId,
 *   })
 * ```
 */
export async function signUsdcAuthorization(
  config: Config,
  parameters: signUsdcAuthorization.Parameters,
): Promise<signUsdcAuthorization.ReturnType> {
  const { kit, amount, payment, paymentId, purchaseId, signal } = parameters
  const { wallet, connector, chainId, payments } = connectionOf(config, parameters)
  if (payments.settlementContract === undefined)
    throw new PinsRequiredError(`No settlement contract is pinned for chain ${chainId}.`, {
      field: 'settlementContract',
      fix: 'Pin `settlementContract` for that chain, from your own configuration and never from the service.',
      source: 'PROTOCOL.md 10.2',
    })
  const settlementContract = checkAddress(payments.settlementContract, 'settlementContract')
  return signPaymentUsdc(clientOf(kit, { wallet, chainId }), await signerOf({ connector, wallet, chainId }), {
    amount,
    payment,
    paymentId,
    purchaseId,
    signal,
    wallet,
    chainId,
    pinned: { ...payments, settlementContract },
    publicClient: config.getClient({ chainId }),
    now: kit.client.now,
  })
}

export declare namespace signUsdcAuthorization {
  type Parameters = Pick<
    signPaymentUsdc.Options,
    'amount' | 'payment' | 'paymentId' | 'purchaseId' | 'signal'
  > & {
    kit: Redeemkit
    /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
    chainId?: number | undefined
  }
  type ReturnType = signPaymentUsdc.ReturnType
  type ErrorType =
    | connectionOf.ErrorType
    | networkOf.ErrorType
    | InvalidOrderIdError
    | InvalidClockError
    | signerOf.ErrorType
    | signPaymentUsdc.ErrorType
    | PinsRequiredError
}

/**
 * Returns TanStack Query mutation options that sign the USDC authorization of a checkout.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, signUsdcAuthorizationMutationOptions } from 'redeemkit/wagmi'
 * const ask = (config: Config, kit: Redeemkit, purchaseId: string) =>
 *   new MutationObserver(new QueryClient(), signUsdcAuthorizationMutationOptions(config, { kit })).mutate({
 *     amount: { cents: 400 },
 *     payment: { subtotal: { cents: 1000 }, settlementType: 'Credits' },
 *     purchaseId,
 *   })
 * ```
 */
export function signUsdcAuthorizationMutationOptions(
  config: Config,
  { kit, mutation }: signUsdcAuthorizationMutationOptions.Parameters,
): signUsdcAuthorizationMutationOptions.ReturnType {
  return {
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'signUsdcAuthorization', { kit: kit.key }],
    mutationFn: (variables) => signUsdcAuthorization(config, { kit, ...variables }),
  }
}

export declare namespace signUsdcAuthorizationMutationOptions {
  type Variables = Omit<signUsdcAuthorization.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<signUsdcAuthorization.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<signUsdcAuthorization.ReturnType, Variables>
}
