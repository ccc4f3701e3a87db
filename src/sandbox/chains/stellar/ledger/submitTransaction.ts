import type { xdr } from '@stellar/stellar-sdk'
import { FeeBumpTransaction } from '../../../../redeemkit/stellar/sdk.ts'
import { applyTransaction } from './applyTransaction.ts'
import { findErrorResult, transactionResult } from './findRejection.ts'
import { type LedgerCore, nextCloseTime, type PendingTransaction } from './ledgerCore.ts'
import { baseAddress, parseEnvelope, transactionXdrOf } from './parseEnvelope.ts'
import { availableBalance } from './state.ts'

export type Submission =
  | { status: 'PENDING' | 'TRY_AGAIN_LATER' | 'DUPLICATE'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

/** Number of ledgers for which a node remembers applied transactions. */
const recentLedgers = 10

/** As in stellar-core's `TransactionQueue`, an account can have one pending transaction. */
export function submitTransaction(core: LedgerCore, transactionXdr: string): Submission {
  const sent = readPending(core, transactionXdr)
  const { hash } = sent
  // An older transaction is rejected below, because its sequence number was already used.
  const before = core.transactions.get(hash)
  if (before !== undefined && core.sequence - before.ledger < recentLedgers)
    return { status: 'TRY_AGAIN_LATER', hash }
  const queued = core.pending.find(({ source }) => source === sent.source)
  if (queued !== undefined) return conflictWith(queued, sent)
  const closing = { sequence: core.sequence + 1, closedAt: nextCloseTime(core) }
  const result = findErrorResult(core, sent, closing) ?? findUnpayable(core, sent)
  if (result !== undefined) return { status: 'ERROR', hash, result }
  core.pending.push(sent)
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

/** On the network, a fee bump can also replace the pending transaction. */
function conflictWith(queued: PendingTransaction, sent: PendingTransaction): Submission {
  const { hash } = sent
  if (hash === queued.hash || hash === queued.transaction.hash().toString('hex'))
    return { status: 'DUPLICATE', hash }
  return BigInt(sent.transaction.sequence) < BigInt(queued.transaction.sequence)
    ? { status: 'ERROR', hash, result: transactionResult({ code: 'txBadSeq' }) }
    : { status: 'TRY_AGAIN_LATER', hash }
}

/** The payer's balance must cover the fees of all its pending transactions. */
function findUnpayable(
  { state, pending }: LedgerCore,
  sent: PendingTransaction,
): xdr.TransactionResult | undefined {
  const payer = state.accounts.get(sent.payer)
  const others = pending.filter((other) => other.payer === sent.payer)
  const fees = others.reduce((sum, { fee }) => sum + fee, sent.fee)
  return payer !== undefined && availableBalance(payer) < fees
    ? transactionResult({ code: 'txInsufficientBalance' })
    : undefined
}

/** The first of these ledgers includes the pending transactions. */
export function closeLedgers(core: LedgerCore, count: number): void {
  if (count < 1) return
  closeLedger(core, nextCloseTime(core))
  core.sequence += count - 1
}

/** Seconds between ledgers by the ledger's clock, as on the network. */
const ledgerSeconds = 5

export function followClock(core: LedgerCore): void {
  const passed = Math.floor(core.now() / 1000) - core.closedAt
  const due = Math.floor(passed / ledgerSeconds)
  if (due < 1) return
  closeLedger(core, core.closedAt + ledgerSeconds)
  core.sequence += due - 1
  core.closedAt += (due - 1) * ledgerSeconds
}

function scheduleClose(core: LedgerCore): void {
  if (core.applyAfterMs === 0) {
    closeLedgers(core, 1)
    return
  }
  core.timer ??= setTimeout(() => closeLedgers(core, 1), core.applyAfterMs)
  core.timer.unref()
}

export function nextLedger({ waiting }: LedgerCore): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
  })
}

function closeLedger(core: LedgerCore, closedAt: number): void {
  clearTimeout(core.timer)
  core.timer = undefined
  core.sequence += 1
  core.closedAt = closedAt
  const pending = core.pending.splice(0)
  for (const [index, transaction] of pending.entries()) applyTransaction(core, transaction, index + 1)
  for (const resolve of core.waiting) resolve()
  core.waiting.clear()
}
