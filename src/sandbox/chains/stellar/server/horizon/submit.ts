import { xdr } from '@stellar/stellar-sdk'
import type { Ledger } from '../../ledger/createLedger.ts'
import type { AppliedTransaction } from '../../ledger/ledgerCore.ts'
import type { Submission } from '../../ledger/submitTransaction.ts'
import { resultCodes } from './resultCodes.ts'

/** An answer of HTTP. */
export type HorizonAnswer = { status: number; body: object }

/** A failure as Horizon tells it (RFC 7807). */
export function problem(status: number, title: string, extras?: object): HorizonAnswer {
  return { status, body: { type: 'about:blank', title, status, ...(extras === undefined ? {} : { extras }) } }
}

/** Submits a transaction and answers when it is in a ledger. What is in already is answered again. */
export async function submitAndWait(ledger: Ledger, transactionXdr: string): Promise<HorizonAnswer> {
  const submitted = trySubmit(ledger, transactionXdr)
  if (submitted === undefined) return malformed(transactionXdr)
  const { hash } = submitted
  while (ledger.isPending(hash)) await ledger.nextLedger()
  const found = ledger.find(hash)
  if (found !== undefined) return applied(found)
  if (submitted.status === 'ERROR') return failed(submitted.result, { hash, envelopeXdr: transactionXdr })
  return submitted.status === 'TRY_AGAIN_LATER'
    ? problem(503, 'Service Unavailable', { hash, envelope_xdr: transactionXdr })
    : problem(504, 'Timeout', { hash, envelope_xdr: transactionXdr })
}

/** Submits a transaction and answers at once. */
export function submitAsync(ledger: Ledger, transactionXdr: string): HorizonAnswer {
  const submitted = trySubmit(ledger, transactionXdr)
  if (submitted === undefined) return malformed(transactionXdr)
  const { status, hash } = submitted
  const statuses = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 }
  const error = status === 'ERROR' ? { error_result_xdr: submitted.result.toXDR('base64') } : {}
  return { status: statuses[status], body: { tx_status: status, hash, ...error } }
}

function trySubmit(ledger: Ledger, transactionXdr: string): Submission | undefined {
  try {
    return ledger.submit(transactionXdr)
  } catch {
    return undefined
  }
}

function malformed(transactionXdr: string): HorizonAnswer {
  return problem(400, 'Transaction Malformed', { envelope_xdr: transactionXdr })
}

/** A transaction that is in a ledger, whether it succeeded or not. */
export function readTransaction(ledger: Ledger, hash: string): HorizonAnswer {
  const found = ledger.find(hash)
  return found === undefined ? problem(404, 'Resource Missing') : landed(found)
}

function applied(found: AppliedTransaction): HorizonAnswer {
  const { hash, envelopeXdr, isSuccessful, resultXdr } = found
  if (isSuccessful) return landed(found)
  return failed(xdr.TransactionResult.fromXDR(resultXdr, 'base64'), { hash, envelopeXdr })
}

function landed(found: AppliedTransaction): HorizonAnswer {
  const { hash, envelopeXdr, resultXdr } = found
  return {
    status: 200,
    body: {
      hash,
      id: hash,
      successful: found.isSuccessful,
      ledger: found.ledger,
      created_at: new Date(found.closedAt * 1000).toISOString().replace('.000Z', 'Z'),
      envelope_xdr: envelopeXdr,
      result_xdr: resultXdr,
      result_meta_xdr: found.resultMetaXdr,
    },
  }
}

function failed(
  result: xdr.TransactionResult,
  { hash, envelopeXdr }: { hash: string; envelopeXdr: string },
): HorizonAnswer {
  return problem(400, 'Transaction Failed', {
    hash,
    envelope_xdr: envelopeXdr,
    result_codes: resultCodes(result),
    result_xdr: result.toXDR('base64'),
  })
}
