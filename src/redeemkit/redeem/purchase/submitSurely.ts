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

/** How often a redeem is sent when nobody knows whether it arrived; the chain is looked at before each. */
const mostSubmits = 3

/**
 * Submits a signed redeem; when it fails after it has left, the chain decides (PROTOCOL.md 7.4).
 *
 * @returns `undefined` when there is nothing more to send, and only the chain can tell
 * @throws what `submitRedeem` throws
 */
export async function submitSurely(
  client: PaymentsClient,
  signed: SignedRedeem,
  options: submitSurely.Options,
): Promise<SubmittedRedeem | undefined> {
  const { publicClient, pinned, request, tell, signal, timeoutMs = 120_000, sleep = sleepFor } = options
  for (let attempt = 1; ; attempt++) {
    await tell({ step: 'submitting', attempt })
    try {
      return await submitRedeem(client, { signed, pinned, request, signal })
    } catch (cause) {
      if (!isOpenRedeemError(cause)) throw cause
      options.onLeft(cause)
      if (publicClient === undefined || signal?.aborted) throw cause
      await tell({ step: 'lookingUp', cause })
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
      // A refusal stays one until something changes; no answer may have been an accident.
      const refused = refusalOf(cause) !== undefined
      if (refused && !options.named) throw cause
      if (refused || attempt >= mostSubmits) return undefined
      await within(sleep(1_000 * 2 ** (attempt - 1)), giveUp)
    }
  }
}

export declare namespace submitSurely {
  type Options = Pick<submitRedeem.Options, 'pinned' | 'request' | 'signal'> & {
    publicClient: EvmClient | undefined
    tell: (step: RedeemStep) => Promise<void>
    /** Told when the permit has left this machine, with what the submit ended with. */
    onLeft: (cause: OpenRedeemError) => void
    /** Whether an earlier submit was answered with a hash: that is followed, whatever is answered to this one. */
    named: boolean
    /** Longest look at the chain. */
    timeoutMs: number | undefined
    sleep: Sleep | undefined
  }
  type ErrorType = submitRedeem.ErrorType | findRedeem.ErrorType
}
