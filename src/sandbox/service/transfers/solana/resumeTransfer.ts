import { confirmUsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/confirmUsdcTransfer.ts'
import { submitUsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/submitUsdcTransfer.ts'
import type { Outcome } from '../transferChain.ts'
import { parseFacts } from './facts.ts'
import { isNamed, outcomeOf } from './outcomes.ts'
import { followMs, pollMs, type TransferContext } from './transferContext.ts'

/** Sends again what was co-signed and written down, and follows it to its end. */
export async function resumeTransfer(
  { connection }: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  // It may have landed long ago, or fail by now: only a look-up tells.
  await submitUsdcTransfer(connection, { transaction: raw }).catch((error: unknown) => {
    if (!isNamed(error, 'TransactionFailedError', 'SubmitUnknownError')) throw error
  })
  try {
    await confirmUsdcTransfer(connection, {
      signature: hash,
      lastValidBlockHeight: parseFacts(facts).lastValidBlockHeight,
      pollMs,
      signal: AbortSignal.timeout(followMs),
    })
    return { status: 'settled' }
  } catch (error) {
    return outcomeOf(error, true)
  }
}
