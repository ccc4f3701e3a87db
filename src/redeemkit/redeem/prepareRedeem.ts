import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client.ts'
import { checkPublicClient } from './chain/redeemKey.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { withBridgeAdapter } from './request/intentOf.ts'
import { ofSameOrder } from './request/ofSameOrder.ts'
import { prepareTerms } from './request/prepareTerms.ts'
import { type RedeemTermsOptions, readRedeemTerms } from './request/readRedeemTerms.ts'
import { boundClient, within } from './within.ts'

/**
 * Requests the permit of a redeem from the service, and compares the whole answer with your request and pins. Opens no wallet.
 *
 * The permit's nonce commits to order, wallet, settlement, amounts and a salt drawn here. So neither the service nor the relayer
 * can spend the permit on anything else, and a credits contract executes at most one permit per order. A service with random nonces
 * needs the pin
 * `intentBound: false`; findings and summary then say that its relayer is trusted.
 *
 * `purchaseId` names the order. Without one, pass the earlier result as `prepared` to prepare the same order again.
 *
 * @returns frozen plain data, safe for `JSON.stringify`: the typed data to sign, a summary and findings; amounts are raw units in
 * decimal text (1 USD is `"1000000"`)
 * @throws before the request: the typed error of the invalid field; afterwards: PreparedMismatchError with `field`,
 * GasFeeTooHighError, RandomNonceError, ExpiredError, TooFarAheadError, UnknownTypedDataError, NotUsdcError; the errors of
 * `creditsAuthMsg`
 * @see PROTOCOL.md 2 to 6
 * @example
 * ```ts
 * import { createPaymentsClient, prepareRedeem } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const prepare = (wallet: string) =>
 *   prepareRedeem(client, {
 *     wallet,
 *     chainId: 8453,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     pinned: { creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
 *   })
 * ```
 */
export async function prepareRedeem(
  client: PaymentsClient,
  options: prepareRedeem.Options,
): Promise<PreparedRedeem> {
  checkOptions(options, prepareOptionKinds)
  const { publicClient, dryRun, prepared, signal } = options
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
  const read = readRedeemTerms(client, options)
  const node = publicClient ?? dryRun
  const terms = await within(withBridgeAdapter(read, node && boundClient(node, {})), {
    signal,
    onEnd: aborted,
  })
  return prepareTerms(client, prepared === undefined ? terms : ofSameOrder(terms, prepared), options)
}

const aborted = () => new RequestAbortedError({ sent: false })

/** Options shared by `prepareRedeem`, `checkRedeem` and `redeem`. */
export const requestOptionKinds: OptionKinds<RequestOptions> = {
  subtotal: 'any',
  transactionData: 'any',
  usdcAmount: 'any',
  chargebackProtectionData: 'any',
  wallet: 'any',
  chainId: 'any',
  pinned: 'any',
  purchaseId: 'any',
  webhookInfo: 'any',
  random: 'function?',
  allowRandomNonce: 'boolean?',
  publicClient: 'any',
  dryRun: 'any',
  signal: 'object?',
  now: 'any',
}

const prepareOptionKinds: OptionKinds<prepareRedeem.Options> = { ...requestOptionKinds, prepared: 'object?' }

/** Options shared by `prepareRedeem`, `checkRedeem` and `redeem`. */
export type RequestOptions = RedeemTermsOptions & {
  /**
   * Data for the merchant's webhooks of this redeem: any plain object. It comes from the customer, so merchants must not base
   * decisions on it.
   */
  webhookInfo?: Readonly<Record<string, unknown>> | undefined
  /**
   * Accepts a permit with a random nonce: its relayer is trusted with the whole amount. `redeem` then takes a `purchaseId` only
   * with a
   * `storage` that locks. Default false.
   */
  allowRandomNonce?: boolean | undefined
  /** Reads the chain. Used here for the bridge adapter of a `decent` redeem that is not pinned. */
  publicClient?: EvmClient | undefined
  /**
   * Runs the redeem on your own node before anything is signed, without submitting it. `findings` report a missing whitelist entry,
   * a revert with its reason, or missing funds. With `intentBound: false`, a finding says that it is not possible.
   */
  dryRun?: EvmClient | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the client's clock. */
  now?: Clock | undefined
}

export declare namespace prepareRedeem {
  type Options = RequestOptions & {
    /**
     * An earlier result for the same wallet, chain, contract and order: prepares that order again. An unchanged request keeps its
     * nonce; a changed one gets another nonce of the same order, and at most one of them is redeemed.
     */
    prepared?: PreparedRedeem | undefined
  }
  type ReturnType = PreparedRedeem
  type ErrorType =
    | checkOptions.ErrorType
    | readRedeemTerms.ErrorType
    | prepareTerms.ErrorType
    | ofSameOrder.ErrorType
    | withBridgeAdapter.ErrorType
    | checkPublicClient.ErrorType
    | RequestAbortedError
}
