import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../../api/errors.ts'
import type { EvmClient } from '../../evm/client.ts'
import { findRedeem } from '../findRedeem.ts'
import { isOpenRedeemError, type OpenRedeemError } from '../openRedeem.ts'
import type { SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { submitRedeem } from '../submitRedeem.ts'
import { type Sleep, sleepFor, within } from '../within.ts'
import { refusalOf } from './purchaseRun.ts'

/** Maximum submits while the outcome is unknown. The chain is checked before each. */
const maximumSubmits = 3

/**
 * Submits a signed redeem. If that fails and it may have been submitted, the chain decides (PROTOCOL.md 7.4).
 *
 * @returns `undefined` if there is nothing more to submit, and only the chain can tell
 * @throws the errors of `submitRedeem`
 */
export async function submitWithRetries(
  client: PaymentsClient,
  signed: SignedRedeem,
  options: submitWithRetries.Options,
): Promise<SubmittedRedeem | undefined> {
  const { publicClient, pinned, request, notify, signal, timeoutMs = 120_000, sleep = sleepFor } = options
  for (let attempt = 1; ; attempt++) {
    await notify({ step: 'submitting', attempt })
    try {
      return await submitRedeem(client, { signed, pinned, request, signal })
    } catch (cause) {
      if (!isOpenRedeemError(cause)) throw cause
      options.onSubmitted(cause)
      if (publicClient === undefined || signal?.aborted) throw cause
      await notify({ step: 'lookingUp', cause })
      const giveUp = { signal, onEnd: () => new RequestAbortedError({ sent: true }) }
      const look = findRedeem(publicClient, cause).catch(() => {
        throw cause
      })
      const { state, block } = await within(look, {
        ms: timeoutMs,
        signal,
        onEnd: (why) => (why === 'aborted' ? giveUp.onEnd() : cause),
      })
      const undecided = state === 'unused' || state === 'unknown'
      if (!undecided || block.timestamp >= BigInt(cause.validBefore)) return undefined
      // A refusal repeats until something changes; a missing answer may be accidental.
      const refused = refusalOf(cause) !== undefined
      if (refused && !options.named) throw cause
      if (refused || attempt >= maximumSubmits) return undefined
      await within(sleep(1_000 * 2 ** (attempt - 1)), giveUp)
    }
  }
}

export declare namespace submitWithRetries {
  type Options = Pick<submitRedeem.Options, 'pinned' | 'request' | 'signal'> & {
    publicClient: EvmClient | undefined
    notify: (step: RedeemStep) => Promise<void>
    /** Called with the error when the permit may have been submitted. */
    onSubmitted: (cause: OpenRedeemError) => void
    /** Whether an earlier submit returned a hash, which is then followed. */
    named: boolean
    /** Timeout for reading the chain. */
    timeoutMs: number | undefined
    sleep: Sleep | undefined
  }
  type ErrorType = submitRedeem.ErrorType | findRedeem.ErrorType
}
