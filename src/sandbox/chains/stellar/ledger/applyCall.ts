import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import { enforcingAuthorizer } from '../host/enforcingAuthorizer.ts'
import { HostError } from '../host/hostError.ts'
import { type HostResult, runHostFunction } from '../host/runHostFunction.ts'
import type { OperationOutcome } from './applyOperation.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { hostFunctionOf } from './parseEnvelope.ts'

/** Applies the one operation of a contract call to a state, within the footprint that it declared. */
export function applyCall(
  core: LedgerCore,
  options: {
    state: LedgerState
    operation: xdr.Operation
    source: string
    soroban: xdr.SorobanTransactionData
  },
): { outcome: OperationOutcome; host?: HostResult } {
  const { state, operation, source, soroban } = options
  const { sequence, closedAt, networkPassphrase } = core
  const hostFunction = hostFunctionOf(operation)
  if (hostFunction === undefined)
    return { outcome: outcomeOf(xdr.InvokeHostFunctionResult.invokeHostFunctionMalformed(), false) }
  const entries = operation.body().invokeHostFunctionOp().auth()
  try {
    const host = runHostFunction({
      ...hostOptions(core),
      state,
      ledger: { sequence, timestamp: closedAt },
      hostFunction,
      authorizer: enforcingAuthorizer({ entries, state, source, networkPassphrase, sequence }),
    })
    checkFootprint(host, soroban.resources().footprint())
    const { returnValue, events } = host
    const success = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events })
    const digest = createHash('sha256').update(success.toXDR()).digest()
    return { outcome: outcomeOf(xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(digest), true), host }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { outcome: outcomeOf(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped(), false) }
  }
}

/** @throws {@link HostError} when the call touched what it had not declared */
function checkFootprint({ reads, writes }: HostResult, footprint: xdr.LedgerFootprint): void {
  const writable = new Set(footprint.readWrite().map((key) => key.toXDR('base64')))
  const readable = new Set([...writable, ...footprint.readOnly().map((key) => key.toXDR('base64'))])
  if (
    [...writes.keys()].some((key) => !writable.has(key)) ||
    [...reads.keys()].some((key) => !readable.has(key))
  )
    throw new HostError('HostError: Error(Storage, ExceededLimit): an entry outside of the footprint')
}

function outcomeOf(result: xdr.InvokeHostFunctionResult, ok: boolean): OperationOutcome {
  return { ok, result: xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result)) }
}
