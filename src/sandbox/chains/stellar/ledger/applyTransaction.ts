import { type Transaction, xdr } from '@stellar/stellar-sdk'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import { baseFee, copyState, type LedgerState } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'
import { applyCall } from './applyCall.ts'
import { baseAddress } from './baseAddress.ts'
import { classicKeys, type EntryChange, entryChanges } from './entryChanges.ts'
import { findErrorResult } from './findErrorResult.ts'
import { inclusionFee } from './inclusionFee.ts'
import type { LedgerCore, PendingTransaction } from './ledgerCore.ts'
import { applyOperation } from './operations/applyOperation.ts'
import type { OperationOutcome } from './operations/operationOutcome.ts'
import { sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { nonRefundableFee } from './resources.ts'
import { transactionMeta } from './transactionMeta.ts'
import { appliedResult, transactionResult } from './transactionResult.ts'

/** What the operations of a transaction came to. */
type Applied = {
  code: 'txSuccess' | 'txFailed' | 'txBadSponsorship'
  results: xdr.OperationResult[]
  changes: EntryChange[][]
  host: HostResult | undefined
  used: { refundable: bigint; rent: bigint }
}

/** Applies a pending transaction to the ledger that closes; one that is not valid any more is left out of it. */
export function applyTransaction(core: LedgerCore, pending: PendingTransaction, order: number): void {
  if (findErrorResult(core, pending, core) !== undefined) return
  const { hash, transaction, bump } = pending
  const fees = takeFee(core, pending)
  const applied = applyOperations(core, transaction, fees.refundable)
  const refund = fees.refundable - applied.used.refundable
  const payer = core.state.accounts.get(pending.payer)
  if (payer !== undefined) payer.balance += refund
  const isSuccessful = applied.code === 'txSuccess'
  const host = isSuccessful ? applied.host : undefined
  const outcome = appliedResult(applied, bump && transaction.hash())
  const offered = inclusionFee(pending)
  core.transactions.set(hash, {
    hash,
    isSuccessful,
    ledger: core.sequence,
    closedAt: core.closedAt,
    order,
    isFeeBump: bump !== undefined,
    isCall: sorobanDataOf(transaction) !== undefined,
    inclusionFee: { charged: baseFee, offered: offered.fee / offered.operations },
    envelopeXdr: (bump ?? transaction).toEnvelope().toXDR('base64'),
    resultXdr: transactionResult(fees.charged - refund, outcome).toXDR('base64'),
    resultMetaXdr: transactionMeta({
      host,
      changes: isSuccessful ? applied.changes : [],
      fees: { nonRefundable: fees.nonRefundable, ...applied.used },
    }).toXDR('base64'),
    events: host?.events ?? [],
  })
}

/**
 * Takes fee and sequence number, whether the operations succeed or not.
 *
 * @returns stroops: all that was taken, and the parts of the resource fee that are gone and that may come back
 */
function takeFee(
  { state, sequence, closedAt, modified }: LedgerCore,
  pending: PendingTransaction,
): { charged: bigint; nonRefundable: bigint; refundable: bigint } {
  const { transaction } = pending
  const soroban = sorobanDataOf(transaction)
  const declared = soroban?.resourceFee().toBigInt() ?? 0n
  const bytes = transaction.toEnvelope().toXDR().length
  const nonRefundable = soroban === undefined ? 0n : nonRefundableFee(soroban.resources(), bytes)
  const charged = baseFee * inclusionFee(pending).operations + declared
  const payer = state.accounts.get(pending.payer)
  const source = state.accounts.get(pending.source)
  if (payer === undefined || source === undefined) throw new Error('A validated account is gone.')
  payer.balance -= charged
  source.sequence = BigInt(transaction.sequence)
  source.sequenceLedger = sequence
  source.sequenceTime = closedAt
  for (const address of [pending.payer, pending.source])
    modified.set(accountLedgerKey(address).toXDR('base64'), sequence)
  return { charged, nonRefundable, refundable: declared - nonRefundable }
}

/** Applies all operations, or none. */
function applyOperations(core: LedgerCore, transaction: Transaction, refundableFee: bigint): Applied {
  const v1 = transactionXdrOf(transaction)
  const soroban = sorobanDataOf(transaction)
  const state = copyState(core.state)
  const sponsorships = new Map<string, string>()
  const changes: EntryChange[][] = []
  let call: Pick<Applied, 'host' | 'used'> = { host: undefined, used: { refundable: 0n, rent: 0n } }
  const outcomes = v1.operations().map((operation): OperationOutcome => {
    const address = baseAddress(operation.sourceAccount() ?? v1.sourceAccount())
    const source = state.accounts.get(address)
    if (source === undefined) return { ok: false, result: xdr.OperationResult.opNoAccount() }
    const before = copyState(state)
    if (soroban === undefined) {
      const { sequence, closedAt } = core
      const outcome = applyOperation(operation, { state, source, sequence, closedAt, sponsorships })
      changes.push(changesOf(core, { before, after: state, host: undefined }))
      return outcome
    }
    const { outcome, host, used } = applyCall(core, {
      state,
      operation,
      source: address,
      soroban,
      refundableFee,
    })
    call = { host, used }
    changes.push(changesOf(core, { before, after: state, host }))
    return outcome
  })
  const isDone = outcomes.every(({ ok }) => ok)
  // Who begins to sponsor has to end it in the same transaction.
  const code = !isDone ? 'txFailed' : sponsorships.size > 0 ? 'txBadSponsorship' : 'txSuccess'
  if (code === 'txSuccess') {
    core.state = state
    for (const { key } of changes.flat()) core.modified.set(key.toXDR('base64'), core.sequence)
  }
  return { code, results: outcomes.map(({ result }) => result), changes, ...call }
}

function changesOf(
  core: LedgerCore,
  { before, after, host }: { before: LedgerState; after: LedgerState; host: HostResult | undefined },
): EntryChange[] {
  const keys = host === undefined ? classicKeys({ before, after }) : [...host.writes.values()]
  const modified = (key: string) => core.modified.get(key) ?? 0
  return entryChanges(keys, { before, after, sequence: core.sequence, modified })
}
