import { FeeBumpTransaction, type Transaction, xdr } from '@stellar/stellar-sdk'
import { baseFee, copyState } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'
import { applyCall } from './applyCall.ts'
import { applyOperation, baseAddress, type OperationOutcome } from './applyOperation.ts'
import { findFeeBumpRejection, findRejection } from './findRejection.ts'
import { closeLedgers, type LedgerCore } from './ledgerCore.ts'
import { parseEnvelope, sorobanDataOf, transactionXdrOf } from './parseEnvelope.ts'
import { transactionMeta } from './transactionMeta.ts'
import { innerRejectedResult, innerResult, rejectedResult, transactionResult } from './transactionResult.ts'

export type Submission =
  | { status: 'PENDING' | 'TRY_AGAIN_LATER'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

/** For how many ledgers a node knows what it has applied. */
const recentLedgers = 10

/**
 * Takes a transaction, or says why not; what it takes closes a ledger of its own.
 *
 * @throws `LedgerError` for text that is none
 */
export function submitTransaction(core: LedgerCore, transactionXdr: string): Submission {
  const parsed = parseEnvelope(transactionXdr, core.networkPassphrase)
  const hash = parsed.hash().toString('hex')
  // What was applied lately is not looked at again; after that, its sequence number is used.
  const before = core.transactions.get(hash)
  if (before !== undefined && core.sequence - before.ledger < recentLedgers)
    return { status: 'TRY_AGAIN_LATER', hash }
  const bump = parsed instanceof FeeBumpTransaction ? parsed : undefined
  const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
  const result = findErrorResult(core, transaction, bump)
  if (result !== undefined) return { status: 'ERROR', hash, result }

  closeLedgers(core, 1)
  const charged = takeFee(core, transaction, bump)
  const applied = applyOperations(core, transaction)
  const { isSuccessful, results } = applied
  const host = isSuccessful ? applied.host : undefined
  const outcome =
    bump === undefined
      ? xdr.TransactionResultResult[isSuccessful ? 'txSuccess' : 'txFailed'](results)
      : innerResult(isSuccessful, results, transaction.hash())
  core.transactions.set(hash, {
    hash,
    isSuccessful,
    ledger: core.sequence,
    closedAt: core.closedAt,
    isFeeBump: bump !== undefined,
    envelopeXdr: parsed.toEnvelope().toXDR('base64'),
    resultXdr: transactionResult(charged, outcome).toXDR('base64'),
    resultMetaXdr: transactionMeta(host).toXDR('base64'),
    events: host?.events ?? [],
  })
  return { status: 'PENDING', hash }
}

function findErrorResult(
  core: LedgerCore,
  transaction: Transaction,
  bump: FeeBumpTransaction | undefined,
): xdr.TransactionResult | undefined {
  const bumpRejection = bump && findFeeBumpRejection(core, bump)
  if (bumpRejection !== undefined && bumpRejection !== 'inner') return rejectedResult(bumpRejection)
  const rejection = findRejection(core, transaction, { isInner: bump !== undefined })
  if (rejection === undefined) return undefined
  return bump === undefined ? rejectedResult(rejection) : innerRejectedResult(rejection, transaction.hash())
}

/** Takes fee and sequence number, whether the operations succeed or not. @returns the fee, in stroops */
function takeFee(
  { state }: LedgerCore,
  transaction: Transaction,
  bump: FeeBumpTransaction | undefined,
): bigint {
  const v1 = transactionXdrOf(transaction)
  const source = baseAddress(v1.sourceAccount())
  const count = BigInt(v1.operations().length + (bump === undefined ? 0 : 1))
  const charged = baseFee * count + (sorobanDataOf(transaction)?.resourceFee().toBigInt() ?? 0n)
  const payer = state.accounts.get(
    bump === undefined ? source : baseAddress(bump.toEnvelope().feeBump().tx().feeSource()),
  )
  const sourceAccount = state.accounts.get(source)
  if (payer === undefined || sourceAccount === undefined) throw new Error('A validated account is gone.')
  payer.balance -= charged
  sourceAccount.sequence = BigInt(transaction.sequence)
  return charged
}

/** Applies all operations, or none. */
function applyOperations(
  core: LedgerCore,
  transaction: Transaction,
): { isSuccessful: boolean; results: xdr.OperationResult[]; host: HostResult | undefined } {
  const v1 = transactionXdrOf(transaction)
  const soroban = sorobanDataOf(transaction)
  const state = copyState(core.state)
  let host: HostResult | undefined
  const outcomes = v1.operations().map((operation): OperationOutcome => {
    const source = baseAddress(operation.sourceAccount() ?? v1.sourceAccount())
    const account = state.accounts.get(source)
    if (account === undefined) return { ok: false, result: xdr.OperationResult.opNoAccount() }
    if (soroban === undefined) return applyOperation(state, operation, account, core.sequence)
    const applied = applyCall(core, { state, operation, source, soroban })
    host = applied.host
    return applied.outcome
  })
  const isSuccessful = outcomes.every(({ ok }) => ok)
  if (isSuccessful) core.state = state
  return { isSuccessful, results: outcomes.map(({ result }) => result), host }
}
