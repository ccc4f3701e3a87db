import type { Address, Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { OutcomeUnknownError } from '../api/endpoints/browser/sendGaslessTx.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { isServiceError } from '../api/serviceError.ts'
import { BaseError } from '../core/errors/baseError.ts'
import type { EvmSigner } from '../evm/signer/evmSigner.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import { findRedeem } from './findRedeem.ts'
import type { PreparedRedeem, SignedRedeem, SubmittedRedeem } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { type SigningStep, signRedeem } from './signRedeem.ts'
import { submitRedeem } from './submitRedeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'
import { sleepFor, within } from './within.ts'

/** How often a redeem is sent when nobody knows whether it arrived; the chain is looked at before each. */
const mostSubmits = 3

/**
 * Spends credits, and USDC when `usdcAmount` says so, without gas: prepares, checks, asks the wallet, submits, and waits
 * for the chain when `publicClient` is given. Nothing is asked of the wallet before every check has passed.
 *
 * Helps itself where that is safe: prepares once again with the same salt, hence the same nonce, when the gas fee has
 * moved (`EXCEEDS_AUTHORIZED`; the wallet is asked again); with `publicClient`, looks at the chain when the outcome of a
 * submit is unknown, and sends the same again only while the nonce is unused and the permit alive. Every other error is
 * yours; the steps told to `onStep` are plain data to go on from.
 *
 * @param options the request as for `prepareRedeem`, with a `signer`
 * @returns the hash, the nonce and, with `publicClient`, what moved; amounts in raw units (1 USDC is `1_000_000n`). Without
 * `publicClient` the hash is the service's word.
 * @throws what `prepareRedeem`, `signRedeem`, `submitRedeem` and `waitForRedeem` throw. OutcomeUnknownError and
 * RedeemTimeoutError (remedy `lookUp`) mean that it may still execute: `waitForRedeem` with the same nonce tells.
 * @see PROTOCOL.md 3 to 7
 * @example
 * ```ts
 * import { createPaymentsClient, redeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const pay = () =>
 *   redeem(client, {
 *     signer: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 *     chainId: 8453,
 *     subtotal: { cents: 1000 },
 *     usdcAmount: { cents: 400 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     pinned: { creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
 *   })
 * ```
 */
export async function redeem(client: PaymentsClient, options: redeem.Options): Promise<redeem.ReturnType> {
  const { signer, publicClient, usdcVersion, signatures, onStep, signal, now = client.now } = options
  const tell = async (step: RedeemStep) => {
    await onStep?.(step)
    if (signal?.aborted) throw new RequestAbortedError({ sent: false })
  }
  // Before anything is signed: what is wrong here must not come out after the submit.
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const)
    checkCount(options[key], key)
  const wallet = options.wallet ?? client.wallet ?? (await toSigner(signer).getAddress())
  await tell({ step: 'preparing' })
  let prepared = await prepareRedeem(client, { ...options, wallet, now })
  let submitted: SubmittedRedeem | undefined
  for (let again = false; ; again = true) {
    await tell({ step: 'prepared', prepared })
    const signed = await signRedeem(signer, {
      prepared,
      publicClient,
      usdcVersion,
      signatures,
      onStep,
      signal,
      now,
    })
    await tell({ step: 'signed', signed })
    try {
      submitted = await submitSurely(client, signed, options)
      break
    } catch (error) {
      if (again || !prepared.bound || !isFeeMoved(error)) throw error
      await tell({ step: 'preparingAgain', cause: error })
      const { request, chainId, pinned, salt } = prepared
      prepared = await prepareRedeem(client, { ...request, wallet, chainId, pinned, salt, signal, now })
    }
  }
  const key = keyOf(prepared)
  // From here on it may execute, whatever happens on this side.
  if (submitted !== undefined) await onStep?.({ step: 'submitted', submitted })
  if (publicClient === undefined) {
    // Without a public client, a submit that gave no hash has thrown.
    const { hash } = submitted as SubmittedRedeem
    return { ...key, hash, outcome: undefined }
  }
  await onStep?.({ step: 'waiting', ...key })
  const { confirmations, timeoutMs, pollingIntervalMs, sleep } = options
  const outcome = await waitForRedeem(publicClient, {
    ...key,
    validBefore: prepared.answer.validBefore,
    confirmations,
    timeoutMs,
    pollingIntervalMs,
    signal,
    now,
    sleep,
  })
  await onStep?.({ step: 'redeemed', outcome })
  return { ...key, hash: outcome.hash, outcome }
}

export declare namespace redeem {
  type Options = prepareRedeem.Options &
    Pick<signRedeem.Options, 'usdcVersion' | 'publicClient' | 'signatures'> &
    Pick<waitForRedeem.Options, 'confirmations' | 'timeoutMs' | 'pollingIntervalMs' | 'sleep'> & {
      /** A viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer. */
      signer: EvmSigner
      /** Told of each step, with plain data to go on from. It is waited for, so it may store; what it throws ends the redeem. */
      onStep?: ((step: RedeemStep) => void | Promise<void>) | undefined
    }
  type ReturnType = {
    wallet: Address
    nonce: Hex
    creditsContract: Address
    chainId: number
    hash: Hex
    /** What the chain says; absent without `publicClient`. */
    outcome: RedeemOutcome | undefined
  }
  type ErrorType =
    | prepareRedeem.ErrorType
    | signRedeem.ErrorType
    | submitRedeem.ErrorType
    | findRedeem.ErrorType
    | waitForRedeem.ErrorType
}

/** Where a redeem is. What a step carries survives `JSON.stringify`, but for `outcome`, which has bigints, and `cause`. */
export type RedeemStep =
  | { readonly step: 'preparing' }
  | { readonly step: 'prepared'; readonly prepared: PreparedRedeem }
  | SigningStep
  | { readonly step: 'signed'; readonly signed: SignedRedeem }
  | { readonly step: 'submitting'; readonly attempt: number }
  /** Nobody knows whether the submit arrived: the chain is asked. */
  | { readonly step: 'lookingUp'; readonly cause: unknown }
  /** The gas fee has moved: the same redeem is prepared once more, and the wallet is asked again. */
  | { readonly step: 'preparingAgain'; readonly cause: unknown }
  | { readonly step: 'submitted'; readonly submitted: SubmittedRedeem }
  | ({ readonly step: 'waiting' } & ReturnType<typeof keyOf>)
  | { readonly step: 'redeemed'; readonly outcome: RedeemOutcome }

function keyOf({ wallet, answer, pinned, chainId }: PreparedRedeem) {
  return { wallet, nonce: answer.nonce, creditsContract: pinned.creditsContract, chainId }
}

function isFeeMoved(error: unknown): error is BaseError {
  return isServiceError(error) && error.code === 'EXCEEDS_AUTHORIZED'
}

/**
 * Submits; when nobody knows what became of it, the chain decides (PROTOCOL.md 7.4).
 *
 * @returns `undefined` when there is nothing more to send, and only the chain can tell
 */
async function submitSurely(
  client: PaymentsClient,
  signed: SignedRedeem,
  { publicClient, onStep, signal, sleep = sleepFor }: redeem.Options,
): Promise<SubmittedRedeem | undefined> {
  const key = keyOf(signed.prepared)
  const validBefore = BigInt(signed.prepared.answer.validBefore)
  for (let attempt = 1, unknown = false; ; attempt++) {
    await onStep?.({ step: 'submitting', attempt })
    try {
      return await submitRedeem(client, { signed, signal })
    } catch (cause) {
      const lost = cause instanceof OutcomeUnknownError
      if (publicClient === undefined || signal?.aborted || isFeeMoved(cause) || !(lost || unknown))
        throw cause
      unknown = true
      await onStep?.({ step: 'lookingUp', cause })
      const giveUp = { signal, onEnd: () => new RequestAbortedError({ sent: true }) }
      const looking = findRedeem(publicClient, key).catch(() => {
        throw lost ? cause : unknownAfter(cause, key.nonce)
      })
      const { state, block } = await within(looking, giveUp)
      if (state !== 'unused' || block.timestamp >= validBefore || (lost && attempt >= mostSubmits))
        return undefined
      // A refusal of the repetition says nothing about the first one, which may still be on its way.
      if (!lost) throw unknownAfter(cause, key.nonce)
      await within(sleep(1_000 * 2 ** (attempt - 1)), giveUp)
    }
  }
}

function unknownAfter(cause: unknown, nonce: Hex): unknown {
  return cause instanceof BaseError ? new OutcomeUnknownError(cause, { nonce }) : cause
}
