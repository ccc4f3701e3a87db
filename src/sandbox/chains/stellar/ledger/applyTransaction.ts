import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import { baseFee, copyState, type LedgerState } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'
import { applyCall } from './applyCall.ts'
import { appliedResult, findErrorResult, transactionResult } from './findRejection.ts'
import { inclusionFee, type LedgerCore, type PendingTransaction } from './ledgerCore.ts'
import { applyOperation } from './operations/applyOperation.ts'
import type { OperationOutcome } from './operations/sponsorship.ts'
import { baseAddress, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { resourceFee } from './resources.ts'
import { classicKeys, type EntryChange, entryChanges, transactionMeta } from './transactionMeta.ts'

/** The result of a transaction's operations. */
type Applied = {
  code: 'txSuccess' | 'txFailed' | 'txBadSponsorship'
  results: Xdr.OperationResult[]
  changes: EntryChange[][]
  host: HostResult | undefined
}

/** Applies a pending transaction to the closing ledger, or skips it if it is no longer valid. */
export function applyTransaction(core: LedgerCore, pending: PendingTransaction, order: number): void {
  if (findErrorResult(core, pending, core) !== undefined) return
  const { hash, transaction, bump } = pending
  const charged = takeFee(core, pending)
  const applied = applyOperations(core, transaction)
  const isSuccessful = applied.code === 'txSuccess'
  const host = isSuccessful ? applied.host : undefined
  const outcome = appliedResult(applied, bump && transaction.hash())
  core.transactions.set(hash, {
    hash,
    isSuccessful,
    ledger: core.sequence,
    closedAt: core.closedAt,
    order,
    isFeeBump: bump !== undefined,
    envelopeXdr: (bump ?? transaction).toEnvelope().toXDR('base64'),
    resultXdr: transactionResult(charged, outcome).toXDR('base64'),
    resultMetaXdr: transactionMeta({ host, changes: isSuccessful ? applied.changes : [] }).toXDR('base64'),
    events: host?.events ?? [],
  })
}

/**
 * Charges the fee and consumes the sequence number, whether or not the operations succeed. Any declared resource fee
 * beyond the calculated one is not charged.
 *
 * @returns the fee in stroops
 */
function takeFee({ state, sequence, closedAt, modified }: LedgerCore, pending: PendingTransaction): bigint {
  const { transaction } = pending
  const soroban = sorobanDataOf(transaction)
  const bytes = transaction.toEnvelope().toXDR().length
  const forResources = soroban === undefined ? 0n : resourceFee(soroban.resources(), bytes)
  const charged = baseFee * inclusionFee(pending).operations + forResources
  const payer = state.accounts.get(pending.payer)
  const source = state.accounts.get(pending.source)
  if (payer === undefined || source === undefined) throw new Error('A validated account is gone.')
  payer.balance -= charged
  source.sequence = BigInt(transaction.sequence)
  source.sequenceLedger = sequence
  source.sequenceTime = closedAt
  for (const address of [pending.payer, pending.source])
    modified.set(accountLedgerKey(address).toXDR('base64'), sequence)
  return charged
}

/** Applies all operations or none. */
function applyOperations(core: LedgerCore, transaction: Transaction): Applied {
  const v1 = transactionXdrOf(transaction)
  const soroban = sorobanDataOf(transaction)
  const state = copyState(core.state)
  const sponsorships = new Map<string, string>()
  const changes: EntryChange[][] = []
  let called: HostResult | undefined
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
    const { outcome, host } = applyCall(core, { state, operation, source: address, soroban })
    called = host
    changes.push(changesOf(core, { before, after: state, host }))
    return outcome
  })
  const isDone = outcomes.every(({ ok }) => ok)
  // A sponsorship must end in the transaction in which it began.
  const code = !isDone ? 'txFailed' : sponsorships.size > 0 ? 'txBadSponsorship' : 'txSuccess'
  if (code === 'txSuccess') {
    core.state = state
    for (const { key } of changes.flat()) core.modified.set(key.toXDR('base64'), core.sequence)
  }
  return { code, results: outcomes.map(({ result }) => result), changes, host: called }
}

function changesOf(
  core: LedgerCore,
  { before, after, host }: { before: LedgerState; after: LedgerState; host: HostResult | undefined },
): EntryChange[] {
  const keys = host === undefined ? classicKeys({ before, after }) : [...host.writes.values()]
  const modified = (key: string) => core.modified.get(key) ?? 0
  return entryChanges(keys, { before, after, sequence: core.sequence, modified })
}
