import { FeeBumpTransaction, type xdr } from '@stellar/stellar-sdk'
import { availableBalance } from '../entries/state.ts'
import { baseAddress } from './baseAddress.ts'
import { scheduleClose } from './closeLedgers.ts'
import { findErrorResult } from './findErrorResult.ts'
import { type InclusionFee, inclusionFee } from './inclusionFee.ts'
import { type LedgerCore, nextCloseTime, type PendingTransaction } from './ledgerCore.ts'
import { parseEnvelope, transactionXdrOf } from './parseEnvelope.ts'
import { rejectedResult } from './transactionResult.ts'

export type Submission =
  | { status: 'PENDING' | 'TRY_AGAIN_LATER' | 'DUPLICATE'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

/** For how many ledgers a node knows what it has applied. */
const recentLedgers = 10
/** How many times the fee of a pending transaction one has to offer that takes its place. */
const replacementFactor = 10n

/**
 * Takes a transaction into the queue, or says why not, as a node's queue does (`TransactionQueue` of stellar-core): one
 * account has one transaction pending.
 *
 * @throws `LedgerError` for text that is none
 */
export function submitTransaction(core: LedgerCore, transactionXdr: string): Submission {
  const sent = readPending(core, transactionXdr)
  const { hash } = sent
  // What was applied lately is not looked at again; after that, its sequence number is used.
  const before = core.transactions.get(hash)
  if (before !== undefined && core.sequence - before.ledger < recentLedgers)
    return { status: 'TRY_AGAIN_LATER', hash }
  const queued = core.pending.find(({ source }) => source === sent.source)
  const conflict = queued && findConflict(sent, queued)
  if (conflict !== undefined) return conflict
  const closing = { sequence: core.sequence + 1, closedAt: nextCloseTime(core) }
  const result = findErrorResult(core, sent, closing) ?? findUnpayable(core, sent, queued)
  if (result !== undefined) return { status: 'ERROR', hash, result }
  if (queued === undefined) core.pending.push(sent)
  else core.pending[core.pending.indexOf(queued)] = sent
  scheduleClose(core)
  return { status: 'PENDING', hash }
}

function readPending(core: LedgerCore, transactionXdr: string): PendingTransaction {
  const parsed = parseEnvelope(transactionXdr, core.networkPassphrase)
  const bump = parsed instanceof FeeBumpTransaction ? parsed : undefined
  const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
  const source = baseAddress(transactionXdrOf(transaction).sourceAccount())
  return {
    hash: parsed.hash().toString('hex'),
    transaction,
    bump,
    source,
    payer: bump === undefined ? source : baseAddress(bump.toEnvelope().feeBump().tx().feeSource()),
    fee: BigInt(parsed.fee),
  }
}

/** What a pending transaction of the same source means for the next. */
function findConflict(sent: PendingTransaction, queued: PendingTransaction): Submission | undefined {
  const { hash } = sent
  if (hash === queued.hash || hash === queued.transaction.hash().toString('hex'))
    return { status: 'DUPLICATE', hash }
  const [next, first] = [BigInt(sent.transaction.sequence), BigInt(queued.transaction.sequence)]
  if (next < first) return { status: 'ERROR', hash, result: rejectedResult({ code: 'txBadSeq' }) }
  // Only a fee bump of the same sequence number takes its place, for ten times the fee.
  if (sent.bump === undefined || next !== first) return { status: 'TRY_AGAIN_LATER', hash }
  const [offered, before] = [sent, queued].map(inclusionFee) as [InclusionFee, InclusionFee] // as many as went in
  return offered.fee * before.operations < before.fee * offered.operations * replacementFactor
    ? { status: 'ERROR', hash, result: rejectedResult({ code: 'txInsufficientFee' }) }
    : undefined
}

/** A payer has to have the fees of all that it has pending. */
function findUnpayable(
  { state, pending }: LedgerCore,
  sent: PendingTransaction,
  replaced: PendingTransaction | undefined,
): xdr.TransactionResult | undefined {
  const payer = state.accounts.get(sent.payer)
  const others = pending.filter((other) => other.payer === sent.payer && other !== replaced)
  const fees = others.reduce((sum, { fee }) => sum + fee, sent.fee)
  return payer !== undefined && availableBalance(payer) < fees
    ? rejectedResult({ code: 'txInsufficientBalance' })
    : undefined
}
