import { applyTransaction } from './applyTransaction.ts'
import { type LedgerCore, nextCloseTime } from './ledgerCore.ts'

/** Closes `count` ledgers immediately. The first one includes the pending transactions. */
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

export function scheduleClose(core: LedgerCore): void {
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
