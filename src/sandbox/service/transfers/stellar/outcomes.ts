import { StellarSettlementError } from '../../../chains/stellar/settleStellarPayment.ts'
import { problem } from '../../http/problem.ts'
import type { Outcome } from '../transferChain.ts'

/** What an error means for the transfer; errors that are not foreseen go on. */
export function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (!(error instanceof StellarSettlementError)) throw error
  const { resultCode: code, shortMessage } = error
  if (code === 'NOT_FOUND' || code === 'TRY_AGAIN_LATER') return unknown(error)
  if (isSent) return failed(shortMessage, error)
  if (isFinal(code)) return expired(shortMessage, error)
  return { ...failed(shortMessage, error), status: 'refused' }
}

/** Result codes after which a transaction can never land: its sequence number is used, or its time is over. */
export function isFinal(code: string): boolean {
  return code === 'txBadSeq' || code === 'txTooLate'
}

export function unknown(cause?: unknown): Outcome {
  const words = 'The ledger has not taken the transaction yet. Send the same again: it is never paid twice.'
  return { status: 'unknown', problem: problem('UNAVAILABLE', words, { cause }) }
}

export function failed(words: string, cause?: unknown) {
  const details = {
    revertReason: words,
    ...(cause instanceof StellarSettlementError && { error: { name: cause.resultCode } }),
  }
  return {
    status: 'failed',
    problem: problem('SIMULATION_FAILED', words, { cause, details }),
  } as const satisfies Outcome
}

export function expired(words: string, cause?: unknown): Outcome {
  const advice = 'Prepare the transfer again: POST /sandbox/usdc-transfer.'
  return { status: 'expired', problem: problem('PERMIT_EXPIRED', `${words} ${advice}`, { cause }) }
}
