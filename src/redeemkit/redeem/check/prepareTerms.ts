import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import type { RequestAbortedError } from '../../api/errors.ts'
import { askCreditsAuthMsg } from '../../api/gaslessCalls.ts'
import type { send } from '../../api/send.ts'
import { attempt } from '../../core/attempt.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { ChainReadError, EvmClient } from '../../evm/client.ts'
import type { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { lightWebhookInfo } from '../../schema/light.ts'
import { readRecord } from '../../schema/readRecord.ts'
import type { dryRunRedeem } from '../chain/dryRunRedeem.ts'
import { RedeemWouldFailError } from '../errors.ts'
import { loadOnDemand } from '../loadOnDemand.ts'
import type { PreparedRedeem, RedeemRequest, RedeemTerms } from '../preparedRedeem.ts'
import { boundClient, within } from '../within.ts'
import { type CheckedRedeem, checkAnswer } from './checkAnswer.ts'
import { intentOf } from './intentOf.ts'
import { keepOwn } from './readPrepared.ts'
import { isDecent, type RedeemClient, type RedeemTermsOptions, readRedeemTerms } from './readRedeemTerms.ts'

export async function prepareTerms(
  client: PaymentsClient,
  terms: RedeemTerms,
  options: prepareTerms.Options,
): Promise<PreparedRedeem> {
  const { allowRandomNonce, signal, dryRun, now = client.now } = options
  // Before the request, rejects terms that cannot be redeemed.
  intentOf(terms)
  const { subtotal, transactionData, usdcAmount } = terms.request
  const { purchaseId, orderKey, salt, wallet, blockchain, merchantId } = terms
  const webhookInfo = readWebhookInfo(options.webhookInfo)
  const answer = await askCreditsAuthMsg(
    client,
    {
      merchantId,
      subtotal,
      transactionData,
      ...(terms.pinned.intentBound !== false && { salt, orderKey, ...(purchaseId && { purchaseId }) }),
      ...(usdcAmount && { usdcAmount }),
      ...(webhookInfo && { webhookInfo }),
    },
    { wallet, blockchain, signal },
  )
  const how = { now: unixSeconds(now), allowRandomNonce }
  const checked = checkAnswer(terms, answer, how)
  if (dryRun === undefined) return keepOwn(checked.prepared)
  const found = await within(tryBefore(dryRun, checked, options), { signal })
  return keepOwn(checkAnswer(terms, answer, { ...how, dryRun: found }).prepared)
}

export declare namespace prepareTerms {
  type Options = {
    /** The caller's own object, which has the ABI from its builder. */
    transactionData: RedeemRequest['transactionData']
    webhookInfo?: Readonly<Record<string, unknown>> | undefined
    allowRandomNonce?: boolean | undefined
    dryRun?: EvmClient | undefined
    /** Timeout of one request to `dryRun`. Default 120_000. */
    timeoutMs?: number | undefined
    signal?: AbortSignal | undefined
    now?: Clock | undefined
  }
  type ErrorType =
    | redeemIntent.ErrorType
    | readRecord.ErrorType
    | send.ErrorType
    | checkAnswer.ErrorType
    | dryRunRedeem.ErrorType
    | ChainReadError
    | RequestAbortedError
    | InvalidClockError
}

async function tryBefore(
  client: EvmClient,
  checked: CheckedRedeem,
  { transactionData, timeoutMs }: prepareTerms.Options,
): Promise<readonly Finding[]> {
  const { dryRunRedeem } = await loadOnDemand()
  return dryRunRedeem(boundClient(client, { timeoutMs }), checked, { transactionData })
}

export function readWebhookInfo(
  given: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | undefined {
  if (given === undefined) return undefined
  const expected = {
    record: 'webhookInfo',
    field: 'webhookInfo',
    fix: 'Pass a plain object that JSON can represent.',
  }
  // Data that is not JSON becomes `undefined`, which `readRecord` rejects.
  const copy: unknown = attempt(() => JSON.parse(JSON.stringify(given)))
  return readRecord(lightWebhookInfo, copy, expected)
}

export function refuseByDryRun({ dryRun = [] }: PreparedRedeem): void {
  const dangers = dryRun.filter(({ severity }) => severity === 'danger')
  if (dangers.length > 0) throw new RedeemWouldFailError(dangers)
}

/** Before any request, rejects terms that can never be redeemed. */
export function readPurchaseTerms(
  client: RedeemClient,
  options: RedeemTermsOptions &
    Pick<prepareTerms.Options, 'webhookInfo'> & { publicClient?: EvmClient | undefined },
): RedeemTerms {
  const terms = readRedeemTerms(client, options)
  readWebhookInfo(options.webhookInfo)
  // The bridge adapter may be read from the chain later.
  const isIncomplete = isDecent(terms.request) && terms.bridgeAdapter === undefined
  if (!isIncomplete || options.publicClient === undefined) intentOf(terms)
  return terms
}
