import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { ofSameOrder } from './request/ofSameOrder.ts'
import { prepareTerms } from './request/prepareTerms.ts'
import { type RedeemTermsOptions, readRedeemTerms } from './request/readRedeemTerms.ts'
import { withBridgeAdapter } from './request/withBridgeAdapter.ts'
import { within } from './within.ts'

/**
 * Asks the service for the permit of a redeem, and compares all that it answers with your request and your pins. No
 * wallet is asked.
 *
 * The salt is drawn here, and the permit's nonce holds the order and a commitment to wallet, settlement, amounts and salt. So nobody
 * can spend the permit on anything else, the service and the relayer included, and one permit at most of an order executes on a
 * credits contract. A service that knows no such nonces is taken with the pin `intentBound: false` only; findings and summary then
 * say that its relayer is trusted.
 *
 * `purchaseId` names the order. To prepare the same order again without one, pass the earlier result as `prepared`: it keeps its
 * order, and an unchanged request its nonce.
 *
 * @param options the records of PROTOCOL.md 11.3, 11.6 and 11.9, `pinned`, and where it differs from the client's, `wallet`
 * and `chainId`
 * @returns plain data, frozen: survives `JSON.stringify` and a page reload. With the typed data to sign, a summary in words
 * and findings; amounts are raw units in decimal text (1 USD is `"1000000"`).
 * @throws before the service is asked: InvalidSubtotalError, InvalidAmountError, InvalidRedeemRequestError,
 * NoUsdcAuthorizationError, InvalidOrderIdError, UnknownNetworkError and the typed error of any other field at fault
 * @throws about the answer: PreparedMismatchError with `field`, GasFeeTooHighError, UnboundPermitError, ExpiredError and
 * TooFarAheadError (more than 30 s and at most 1 hour ahead), UnknownTypedDataError, NotUsdcError; what `creditsAuthMsg` throws
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

/** What `prepareRedeem`, `checkRedeem` and `redeem` take alike. */
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
  allowUnbound: 'boolean?',
  publicClient: 'any',
  dryRun: 'any',
  signal: 'object?',
  now: 'any',
}

const prepareOptionKinds: OptionKinds<prepareRedeem.Options> = { ...requestOptionKinds, prepared: 'object?' }

/** What `prepareRedeem`, `checkRedeem` and `redeem` take alike. */
export type RequestOptions = RedeemTermsOptions & {
  /**
   * Data for the merchant's webhooks of this redeem: any plain object. The merchant receives it as the customer's word, so it decides
   * nothing.
   */
  webhookInfo?: Readonly<Record<string, unknown>> | undefined
  /**
   * Takes a permit that does not say what it pays for: its relayer is trusted with all of it. `redeem` then takes a `purchaseId` only with
   * a `storage` that keeps other pages apart. Default false.
   */
  allowUnbound?: boolean | undefined
  /** Reads the chain. Here: the bridge adapter of a `decent` redeem, where the pins do not name it. */
  publicClient?: EvmClient | undefined
  /**
   * Tries the redeem on this node of yours, before anything is signed and without sending it: `findings` then say that the call is not
   * on the whitelist, that it would revert and why, or that the wallet has too little. The service has no part in that. With
   * `intentBound: false` it is not possible, and a finding says so.
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
     * nonce; a changed one gets another nonce of the same order, of which one at most is redeemed.
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
