import { xdr } from '@stellar/stellar-sdk'
import { createAccount, type LedgerState } from '../entries/state.ts'
import { baseAddress } from './baseAddress.ts'
import type { OperationOutcome } from './operations/operationOutcome.ts'
import { thresholdOf } from './operations/thresholdOf.ts'
import type { SignatureChecker } from './signatureChecker.ts'

/**
 * Whether the source of an operation has signed it. An account that an operation before this one may create is held to the
 * signature of its own key.
 */
export function checkOperationSource(
  operation: xdr.Operation,
  source: string,
  state: LedgerState,
  checker: SignatureChecker,
): OperationOutcome {
  const muxed = operation.sourceAccount()
  const address = muxed ? baseAddress(muxed) : source
  const account = state.accounts.get(address) ?? createAccount(address, 0n, 0n)
  const ok = checker.reaches(account, account.thresholds[thresholdOf(operation)])
  return { ok, result: xdr.OperationResult.opBadAuth() }
}
