import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { getBalances } from '../api/endpoints/customer.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { EvmClient } from '../evm/client.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'
import { checkNodes } from './chain/redeemKey.ts'
import { checksumOf } from './check/compare.ts'
import { withBridgeAdapter } from './check/intentOf.ts'
import { readPurchaseTerms } from './check/prepareTerms.ts'
import type {
  OtherAttemptError,
  PurchaseMismatchError,
  PurchaseStorageError,
  RedeemWouldFailError,
} from './errors.ts'
import type { OpenRedeemError } from './openRedeem.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { type prepareRedeem, requestOptionKinds } from './prepareRedeem.ts'
import { checkOtherChains } from './purchase/checkOtherContracts.ts'
import { purchaseName, purchaseOf } from './purchase/purchaseRecord.ts'
import { checkPurchaseOptions, purchaseStore } from './purchase/purchaseStorage.ts'
import { readReady } from './purchase/readReady.ts'
import { runPurchase } from './purchase/runPurchase.ts'
import { withPurchaseLock } from './purchase/withPurchaseLock.ts'
import type { RedeemOptions, RedeemResult } from './redeemOptions.ts'
import { withEvents } from './redeemStep.ts'
import type { signRedeem } from './signRedeem.ts'
import type { submitRedeem } from './submitRedeem.ts'
import type { waitForRedeem } from './waitForRedeem.ts'
import { boundClient, within } from './within.ts'

/**
 * Spends credits, and USDC if `usdcAmount` is set, without gas: prepares, checks, opens the wallet, submits and, with `publicClient`,
 * waits for the chain. The wallet opens only after every check has passed, including the customer's funds.
 *
 * An order (`purchaseId`) is paid at most once, across clicks, tabs, devices and reloads. Calling it again resumes an open redeem.
 * Without an id, an identical purchase can be made again once the first is finished. With `ready` from `checkRedeem`, the wallet
 * opens without a network request. `isOpenRedeemError` returns whether a failed redeem may still execute.
 *
 * @returns hash, nonce and, with `publicClient`, the outcome in raw units (1 USDC is `1_000_000n`)
 * @throws before a permit is submitted: the errors of `prepareRedeem` and `signRedeem`, InsufficientFundsError, RedeemWouldFailError,
 * AlreadyRedeemedError, PurchaseMismatchError, PurchaseStorageError, and PreparedMismatchError or StoredRedeemError for a wrong `ready`
 * @throws afterwards: OutcomeUnknownError, RedeemTimeoutError, RedeemRevertedError and RequestAbortedError while it may still
 * execute; OrderUsedError, RedeemCancelledError and RedeemExpiredError once the chain has decided
 * @see PROTOCOL.md 7.5 (one order is paid once), 4.4 (random nonces), 7.4 (outcome)
 * @example
 * ```ts
 * import { createPaymentsClient, redeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const pay = (orderId: string) =>
 *   redeem(client, {
 *     signer: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 *     chainId: 8453,
 *     subtotal: { cents: 1000 },
 *     usdcAmount: { cents: 400 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     pinned: { creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
 *     purchaseId: orderId,
 *     storage: globalThis.localStorage,
 *   })
 * ```
 */
export async function redeem<
  publicClient extends EvmClient | undefined,
  intentBound extends boolean | undefined = undefined,
>(
  client: PaymentsClient,
  options: redeem.Options & {
    publicClient?: publicClient
    pinned: { intentBound?: intentBound }
  },
): Promise<redeem.ReturnType<publicClient, intentBound>> {
  const result = await withEvents(Object(options), 'starting', (onStep) => pay(client, options, onStep))
  // With a public client, every result has an outcome; the pins decide its type.
  return result as redeem.ReturnType<publicClient, intentBound>
}

async function pay(
  client: PaymentsClient,
  given: redeem.Options,
  onStep: NonNullable<redeem.Options['onStep']>,
): Promise<RedeemResult> {
  checkRedeemOptions(given)
  const options = { ...given, onStep }
  const { signer, storage, publicClient, signal } = options
  const wallet = options.wallet ?? client.wallet ?? (await within(toSigner(signer).getAddress(), { signal }))
  const read = readPurchaseTerms(client, { ...options, wallet })
  const ready = readReady(options.ready, read, { now: client.now, ...options })
  const node = boundClient(publicClient, options)
  const terms =
    ready === undefined
      ? await within(withBridgeAdapter(read, node), { signal })
      : sameOrderAs(ready.prepared, read)
  const purchase = purchaseOf(terms)
  const randomNonce = terms.pinned.intentBound === false
  const store = purchaseStore(purchase, storage, { ...options, randomNonce })
  return withPurchaseLock(purchaseName(purchase), {
    subject: checksumOf(purchase),
    across: storage !== undefined,
    signal,
    onWait: () => onStep({ step: 'waitingForOther' }),
    work: (lock) => runPurchase(client, options, { terms, store, lock, ready }),
  })
}

export declare namespace redeem {
  type Options = RedeemOptions
  /** The outcome is missing without `publicClient`. Only with `intentBound: false` can it be a `RandomNonceOutcome`. */
  type ReturnType<
    publicClient extends EvmClient | undefined = EvmClient | undefined,
    intentBound extends boolean | undefined = boolean | undefined,
  > = Omit<RedeemResult, 'outcome'> & {
    outcome:
      | RedeemOutcome
      | (false extends intentBound ? RandomNonceOutcome : never)
      | (undefined extends publicClient ? undefined : never)
  }
  type ErrorType =
    | prepareRedeem.ErrorType
    | signRedeem.ErrorType
    | submitRedeem.ErrorType
    | Exclude<waitForRedeem.ErrorType, OtherAttemptError>
    | getBalances.ErrorType
    | OpenRedeemError
    | PurchaseMismatchError
    | PurchaseStorageError
    | RedeemWouldFailError
}

/** Runs before anything is signed, so that no option fails after the redeem was submitted. */
function checkRedeemOptions(options: redeem.Options): void {
  checkOptions(options, optionKinds)
  checkPurchaseOptions(options)
  checkNodes(options)
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const)
    checkCount(options[key], key)
  checkOtherChains(options.otherChains)
}

function sameOrderAs({ orderKey, salt, bridgeAdapter }: PreparedRedeem, terms: RedeemTerms): RedeemTerms {
  return { ...terms, orderKey, salt, ...(bridgeAdapter && { bridgeAdapter }) }
}

const optionKinds: OptionKinds<redeem.Options> = {
  ...requestOptionKinds,
  signer: 'any',
  otherChains: 'any',
  usdcVersion: 'any',
  signatures: 'object?',
  storage: 'any',
  ready: 'object?',
  onStep: 'function?',
  onEvent: 'function?',
  confirmations: 'any',
  timeoutMs: 'any',
  pollingIntervalMs: 'any',
  sleep: 'function?',
}
