import { createHash } from 'node:crypto'
import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { applyOperation, type OperationOutcome, outcomeOf } from './applyOperation.ts'
import { enforcingAuthorizer } from './authorizer.ts'
import { HostError } from './contract.ts'
import { findErrorResult, transactionResult } from './findRejection.ts'
import { hostOptions, type LedgerCore, type PendingTransaction } from './ledgerCore.ts'
import { baseAddress, contractCallOf, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { accountEntry, ledgerEntry } from './readLedgerEntry.ts'
import { diskReadBytes, keysOf, resourceFee, writeBytes } from './resources.ts'
import { type HostResult, runHostFunction } from './runHostFunction.ts'
import { baseFee, copyState, type LedgerState } from './state.ts'

type Applied = {
  code: 'txSuccess' | 'txFailed' | 'txBadSponsorship'
  results: Xdr.OperationResult[]
  /** The accounts that each operation created. The SDK's `fundAddress` looks up the new account here. */
  created: Xdr.LedgerEntryChange[][]
  host: HostResult | undefined
}

/** Skips a transaction that is no longer valid. */
export function applyTransaction(core: LedgerCore, pending: PendingTransaction, order: number): void {
  if (findErrorResult(core, pending, core) !== undefined) return
  const { hash, transaction, bump } = pending
  const feeCharged = takeFee(core, pending)
  const applied = applyOperations(core, transaction)
  const isSuccessful = applied.code === 'txSuccess'
  const host = isSuccessful ? applied.host : undefined
  const result = transactionResult(applied, { feeCharged, innerHash: bump && transaction.hash() })
  core.transactions.set(hash, {
    hash,
    isSuccessful,
    ledger: core.sequence,
    closedAt: core.closedAt,
    order,
    isFeeBump: bump !== undefined,
    envelopeXdr: (bump ?? transaction).toEnvelope().toXDR('base64'),
    resultXdr: result.toXDR('base64'),
    resultMetaXdr: transactionMeta(host, isSuccessful ? applied.created : []).toXDR('base64'),
    events: host?.events ?? [],
  })
}

/**
 * Charges the fee and consumes the sequence number even if the operations fail. Charges the calculated resource fee, not the declared
 * maximum. Returns stroops.
 */
function takeFee({ state }: LedgerCore, pending: PendingTransaction): bigint {
  const { transaction, bump } = pending
  const soroban = sorobanDataOf(transaction)
  const bytes = transaction.toEnvelope().toXDR().length
  const forResources = soroban === undefined ? 0n : resourceFee(soroban.resources(), bytes)
  // A fee bump counts as one more operation.
  const operations = transaction.operations.length + (bump === undefined ? 0 : 1)
  const charged = baseFee * BigInt(operations) + forResources
  const payer = state.accounts.get(pending.payer)
  const source = state.accounts.get(pending.source)
  if (payer === undefined || source === undefined) throw new Error('A validated account no longer exists.')
  payer.balance -= charged
  source.sequence = BigInt(transaction.sequence)
  return charged
}

/** If one operation fails, none is applied. */
function applyOperations(core: LedgerCore, transaction: Transaction): Applied {
  const v1 = transactionXdrOf(transaction)
  const soroban = sorobanDataOf(transaction)
  const state = copyState(core.state)
  const sponsorships = new Map<string, string>()
  const created: Xdr.LedgerEntryChange[][] = []
  let called: HostResult | undefined
  const outcomes = v1.operations().map((operation): OperationOutcome => {
    const address = baseAddress(operation.sourceAccount() ?? v1.sourceAccount())
    const source = state.accounts.get(address)
    if (source === undefined) return { ok: false, result: xdr.OperationResult.opNoAccount() }
    const { sequence } = core
    const before = new Set(state.accounts.keys())
    const { outcome, host } =
      soroban === undefined
        ? { outcome: applyOperation(operation, { state, source, sequence, sponsorships }), host: undefined }
        : applyCall(core, { state, operation, source: address, soroban })
    called = host
    const opened = [...state.accounts.values()].filter((account) => !before.has(account.address))
    created.push(
      opened.map((account) =>
        xdr.LedgerEntryChange.ledgerEntryCreated(ledgerEntry(accountEntry(account), sequence)),
      ),
    )
    return outcome
  })
  const isDone = outcomes.every(({ ok }) => ok)
  // A sponsorship must end in the transaction in which it began.
  const code = !isDone ? 'txFailed' : sponsorships.size > 0 ? 'txBadSponsorship' : 'txSuccess'
  if (code === 'txSuccess') core.state = state
  return { code, results: outcomes.map(({ result }) => result), created, host: called }
}

function transactionMeta(
  host: HostResult | undefined,
  created: readonly Xdr.LedgerEntryChange[][],
): Xdr.TransactionMeta {
  return new xdr.TransactionMeta(
    4,
    new xdr.TransactionMetaV4({
      ext: new xdr.ExtensionPoint(0),
      txChangesBefore: [],
      operations: created.map(
        (changes) =>
          new xdr.OperationMetaV2({
            ext: new xdr.ExtensionPoint(0),
            changes,
            events: host?.events ?? [],
          }),
      ),
      txChangesAfter: [],
      sorobanMeta:
        host === undefined
          ? null
          : new xdr.SorobanTransactionMetaV2({
              ext: new xdr.SorobanTransactionMetaExt(0),
              returnValue: host.returnValue,
            }),
      events: [],
      diagnosticEvents: [],
    }),
  )
}

type CallOutcome = { outcome: OperationOutcome; host?: HostResult }

function applyCall(core: LedgerCore, options: applyCall.Options): CallOutcome {
  const { state, operation, source, soroban } = options
  const { sequence, closedAt, networkPassphrase } = core
  const call = contractCallOf(operation)
  if (call === undefined) return failed(xdr.InvokeHostFunctionResult.invokeHostFunctionMalformed())
  const resources = soroban.resources()
  const { readOnly, readWrite } = keysOf(resources.footprint())
  const outOfResources = () => failed(xdr.InvokeHostFunctionResult.invokeHostFunctionResourceLimitExceeded())
  if (diskReadBytes([...readOnly, ...readWrite], state, sequence) > resources.diskReadBytes())
    return outOfResources()
  let host: HostResult
  try {
    const entries = operation.body().invokeHostFunctionOp().auth()
    host = runHostFunction({
      ...hostOptions(core),
      state,
      ledger: { sequence, timestamp: closedAt },
      call,
      authorizer: enforcingAuthorizer({ entries, state, source, networkPassphrase, sequence }),
    })
    checkFootprint(host, resources.footprint())
  } catch (error) {
    if (error instanceof HostError) return failed(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())
    throw error
  }
  if (writeBytes(readWrite, state, sequence) > resources.writeBytes()) return outOfResources()
  const { returnValue, events } = host
  const success = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events })
  const digest = createHash('sha256').update(success.toXDR()).digest()
  const result = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(digest)
  return { outcome: outcomeOf(xdr.OperationResultTr.invokeHostFunction(result), true), host }
}

declare namespace applyCall {
  type Options = {
    state: LedgerState
    operation: Xdr.Operation
    source: string
    soroban: Xdr.SorobanTransactionData
  }
}

/** @throws {@link HostError} when the call touched an entry it did not declare */
function checkFootprint({ reads, writes }: HostResult, footprint: Xdr.LedgerFootprint): void {
  const writable = new Set(footprint.readWrite().map((key) => key.toXDR('base64')))
  const readable = new Set([...writable, ...footprint.readOnly().map((key) => key.toXDR('base64'))])
  if (
    [...writes.keys()].some((key) => !writable.has(key)) ||
    [...reads.keys()].some((key) => !readable.has(key))
  )
    throw new HostError('HostError: Error(Storage, ExceededLimit): an entry outside the footprint')
}

function failed(result: Xdr.InvokeHostFunctionResult): CallOutcome {
  return { outcome: outcomeOf(xdr.OperationResultTr.invokeHostFunction(result), false) }
}
