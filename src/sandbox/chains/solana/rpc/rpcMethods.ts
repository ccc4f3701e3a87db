import type { Ledger } from '../createLedger.ts'
import { accountMethods } from './accountMethods.ts'
import { chainMethods } from './chainMethods.ts'
import type { Methods } from './methods.ts'
import { transactionMethods } from './transactionMethods.ts'

/** The JSON-RPC methods that a `Connection` calls, in the shapes of the node's own answers. */
export function rpcMethods(ledger: Ledger): Methods {
  return { ...chainMethods(ledger), ...accountMethods(ledger), ...transactionMethods(ledger) }
}
