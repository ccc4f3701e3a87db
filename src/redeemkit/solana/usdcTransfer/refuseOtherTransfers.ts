import { transferLayouts } from '../instruction/transferLayouts.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'
import { readTransactionDetails } from '../transactionDetails/readTransactionDetails.ts'
import type { LookupTable } from '../transactionDetails/resolveAccounts.ts'
import { checkUsdcTransfer } from './checkUsdcTransfer.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { refuseDangers } from './refuseDangers.ts'

/**
 * Throws unless the transaction is the USDC transfer that was asked for. The check before a signature: the same
 * as that of `assertUsdcTransfer`, with fewer instructions known by name, so that a page that only pays does not load
 * all of them.
 */
export function refuseOtherTransfers(
  parsed: ParsedTransaction,
  options: { expected: ExpectedTransfer; wallet: string; lookupTables?: readonly LookupTable[] | undefined },
): void {
  const { expected, wallet, lookupTables } = options
  const { details, findings } = readTransactionDetails(parsed, { layouts: transferLayouts, lookupTables })
  refuseDangers([...findings, ...checkUsdcTransfer({ details, expected, wallet })])
}

export declare namespace refuseOtherTransfers {
  type ErrorType = refuseDangers.ErrorType | checkUsdcTransfer.ErrorType | readTransactionDetails.ErrorType
}
