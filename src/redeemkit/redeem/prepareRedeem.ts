import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/clock.ts'
import type { WrongNetworkError } from '../core/errors/walletErrors.ts'
import type { askNode, EvmClient } from '../evm/client.ts'
import { checkHex } from '../evm/values.ts'
import { checkNodes } from './chain/redeemKey.ts'
import { checksumOf, same } from './check/compare.ts'
import { intentOf, withBridgeAdapter } from './check/intentOf.ts'
import { prepareTerms } from './check/prepareTerms.ts'
import { plain } from './check/readPrepared.ts'
import { type RedeemTermsOptions, readRedeemTerms } from './check/readRedeemTerms.ts'
import { StoredRedeemError } from './errors.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { boundClient, within } from './within.ts'

/**
 * Requests the permit of a redeem from the service, and compares the whole response with your request and pins. Opens no wallet.
 *
 * The permit's nonce commits to order, wallet, settlement, amounts and a random salt. Therefore, neither the service nor the relayer can
 * spend the permit on anything else, and a credits contract executes at most one permit per order. A service with random nonces needs the
 * pin `intentBound: false`. Findings and summary then say that you trust its relayer.
 *
 * `purchaseId` names the order. Without one, pass the earlier result as `prepared` to prepare the same order again.
 *
 * @returns frozen plain data, safe for `JSON.stringify`: the typed data to sign, a summary and findings; amounts are raw units in
 * decimal text (1 USD is `"1000000"`)
 * @throws before the request: the typed error of the invalid field; afterwards: PreparedMismatchError with `field`, GasFeeTooHighError,
 * RandomNonceError, ExpiredError, TooFarAheadError, UnknownTypedDataError, NotUsdcError; the errors of `creditsAuthMsg`
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
  checkOptions(options, { ...requestOptionKinds, prepared: 'object?' })
  const { publicClient, dryRun, prepared, signal } = options
  checkNodes(options)
  const read = readRedeemTerms(client, options)
  const node = publicClient ?? dryRun
  const terms = await within(withBridgeAdapter(read, boundClient(node, {})), { signal })
  return prepareTerms(client, prepared === undefined ? terms : ofSameOrder(terms, prepared), options)
}

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

/** Options shared by `prepareRedeem`, `checkRedeem` and `redeem`. */
export type RequestOptions = RedeemTermsOptions & {
  /** Data for the merchant's webhooks of this redeem: any plain object. It comes from the customer, so your server must not trust it. */
  webhookInfo?: Readonly<Record<string, unknown>> | undefined
  /**
   * Accepts a permit with a random nonce. You then trust its relayer with the whole amount, and `redeem` accepts a `purchaseId` only with a
   * `storage` that has `replaceItem` or that Web Locks protect. Default false.
   */
  allowRandomNonce?: boolean | undefined
  /** Public client. `prepareRedeem` uses it only to read the bridge adapter of a `decent` redeem, if none is pinned. */
  publicClient?: EvmClient | undefined
  /**
   * Runs the redeem on your own node before anything is signed, without submitting it. `findings` report a missing whitelist entry,
   * a revert with its reason, or missing funds. With `intentBound: false`, a finding says that a dry run is not possible.
   */
  dryRun?: EvmClient | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the client's clock. */
  now?: Clock | undefined
}

export declare namespace prepareRedeem {
  type Options = RequestOptions & {
    /**
     * An earlier result for the same wallet, chain, contract and order, which prepares that order again. An unchanged request keeps its
     * nonce. A changed request gets another nonce of the same order, and at most one of the two is redeemed.
     */
    prepared?: PreparedRedeem | undefined
  }
  type ReturnType = PreparedRedeem
  type ErrorType =
    | readRedeemTerms.ErrorType
    | prepareTerms.ErrorType
    | StoredRedeemError
    | askNode.ErrorType
    | WrongNetworkError
}

/**
 * An unchanged intent keeps its salt, and so its nonce; a changed one gets another salt. Rejects another merchant, wallet, chain, contract
 * or order, because both permits could then execute.
 */
function ofSameOrder(terms: RedeemTerms, earlier: PreparedRedeem): RedeemTerms {
  const { checksum, ...rest } = plain(earlier)
  if (rest.version !== 1 || checksum !== checksumOf(rest))
    throw new StoredRedeemError('The data is not a prepared redeem of version 1, or it was changed.', {
      field: 'prepared',
      fix: 'Pass what prepareRedeem returned, or its JSON copy.',
    })
  for (const field of ['merchantId', 'wallet', 'chainId'] as const) same(field, terms[field], rest[field])
  same('pinned.creditsContract', terms.pinned.creditsContract, rest.pinned.creditsContract)
  const purchaseId = terms.purchaseId ?? rest.purchaseId
  const own = readRedeemTerms(
    { merchantId: terms.merchantId },
    { ...terms.request, wallet: terms.wallet, chainId: terms.chainId, pinned: terms.pinned, purchaseId },
    {
      orderKey: checkHex(rest.orderKey, 'prepared.orderKey', { bytes: 12 }),
      salt: checkHex(rest.salt, 'prepared.salt', { bytes: 32 }),
      ...(terms.bridgeAdapter && { bridgeAdapter: terms.bridgeAdapter }),
    },
  )
  same('orderKey', own.orderKey, rest.orderKey)
  const isUnchanged = intentOf(own).nonce === rest.answer.nonce.toLowerCase()
  return isUnchanged ? own : { ...own, salt: terms.salt }
}
