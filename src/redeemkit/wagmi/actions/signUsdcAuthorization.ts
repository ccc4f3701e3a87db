import type { Config } from '@wagmi/core'
import { signPaymentUsdc } from '../../checkout/signPaymentUsdc.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { PinsRequiredError } from '../../redeem/errors.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { connectionOf } from './connectionOf.ts'
import { signerOf } from './signerOf.ts'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is paid partly in USDC. Its nonce commits to `payment`, and it
 * moves exactly this amount of the chain's own USDC from this wallet to the `settlementContract` that the kit pins.
 *
 * @param parameters.amount the part in USDC, in US cents
 * @param parameters.payment what the payment does, as in the checkout's body
 * @returns fields of the checkout's body: the authorization (V1 for a key-held account, else V2), `orderKey` and `salt`
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
    throw new PinsRequiredError(`No contract is pinned that settles payments on chain ${chainId}.`, {
      field: 'settlementContract',
      fix: 'Pin `settlementContract` for that chain, from your own configuration and never from the service.',
      docs: 'PROTOCOL.md 10.2',
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
    /** Default: the wallet's chain where it is pinned, else the first pinned. */
    chainId?: number | undefined
  }
  type ReturnType = signPaymentUsdc.ReturnType
  type ErrorType =
    | connectionOf.ErrorType
    | clientOf.ErrorType
    | signerOf.ErrorType
    | signPaymentUsdc.ErrorType
    | PinsRequiredError
}
