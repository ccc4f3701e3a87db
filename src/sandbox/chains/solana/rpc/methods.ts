import type { Ledger } from '../createLedger.ts'

/** JSON-RPC methods by name. */
export type Methods = Record<string, (params: readonly unknown[]) => unknown>

/** An answer with the slot for which it holds. */
export function inContext<value>(ledger: Ledger, value: value) {
  return { context: { slot: ledger.slot(), apiVersion: '2.2.0' }, value }
}
