import { askCreditsAuthMsg } from '../api/askCreditsAuthMsg.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Finding } from '../core/finding/finding.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import { type CheckedRedeem, checkAnswer } from './check/checkAnswer.ts'
import { keepOwn } from './check/readPrepared.ts'
import type { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
import { loadOnDemand } from './loadOnDemand.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { type RedeemTermsOptions, readRedeemTerms } from './request/readRedeemTerms.ts'
import { within } from './within.ts'

/**
 * Asks the service for the permit of a redeem, and compares all that it answers with your request and your pins. No
 * wallet is asked.
 *
 * The salt is made here, and the permit's nonce is a commitment to wallet, settlement, amounts and salt. So nobody can
 * spend the permit on anything else, the service and the relayer included. A service that knows no such nonces is taken with
 * the pin `intentBound: false` only; findings and summary then say that its relayer is trusted.
 *
 * @param options the records of PROTOCOL.md 11.3, 11.6 and 11.9, `pinned`, and where it differs from the client's, `wallet`
 * and `chainId`
 * @returns plain data, frozen: survives `JSON.stringify` and a page reload. With the typed data to sign, a summary in words
 * and findings; amounts are raw units in decimal text (1 USD is `"1000000"`).
 * @throws before the service is asked: InvalidSubtotalError, InvalidAmountError, InvalidRedeemRequestError,
 * NoUsdcAuthorizationError, UnknownNetworkError and the typed error of any other field at fault
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
  const { allowUnbound, signal, dryRun, now = client.now } = options
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  const terms = readRedeemTerms(client, options)
  // Refuses what cannot be redeemed at all before the service hears of it.
  redeemIntent(terms)
  const { subtotal, transactionData, usdcAmount } = terms.request
  const { salt, wallet, blockchain } = terms
  const answer = await askCreditsAuthMsg(
    client,
    {
      merchantId: client.merchantId,
      subtotal,
      transactionData,
      ...(terms.pinned.intentBound !== false && { salt }),
      ...(usdcAmount && { usdcAmount }),
    },
    { wallet, blockchain, signal },
  )
  const how = { now: unixSeconds(now), allowUnbound }
  const checked = checkAnswer(terms, answer, how)
  if (dryRun === undefined) return keepOwn(checked.prepared)
  const found = await within(tryBefore(dryRun, checked, options), { signal, onEnd: aborted })
  return keepOwn(checkAnswer(terms, answer, { ...how, dryRun: found }).prepared)
}

async function tryBefore(
  client: EvmClient,
  checked: CheckedRedeem,
  { transactionData }: prepareRedeem.Options,
): Promise<readonly Finding[]> {
  // Loaded for those who ask for it.
  const { dryRunRedeem } = await loadOnDemand()
  return dryRunRedeem(boundClient(client, {}), checked, { transactionData })
}

const aborted = () => new RequestAbortedError({ sent: false })

export const prepareOptionKinds: OptionKinds<prepareRedeem.Options> = {
  subtotal: 'any',
  transactionData: 'any',
  usdcAmount: 'any',
  chargebackProtectionData: 'any',
  wallet: 'any',
  chainId: 'any',
  pinned: 'any',
  salt: 'any',
  random: 'function?',
  allowUnbound: 'boolean?',
  dryRun: 'any',
  signal: 'object?',
  now: 'any',
}

export declare namespace prepareRedeem {
  type Options = RedeemTermsOptions & {
    /** Takes a permit that does not say what it pays for: its relayer is trusted with all of it. Default false. */
    allowUnbound?: boolean | undefined
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
  type ReturnType = PreparedRedeem
  type ErrorType =
    | checkOptions.ErrorType
    | readRedeemTerms.ErrorType
    | askCreditsAuthMsg.ErrorType
    | checkAnswer.ErrorType
    | checkPublicClient.ErrorType
    | dryRunRedeem.ErrorType
    | loadOnDemand.ErrorType
    | RequestAbortedError
    | InvalidClockError
}
