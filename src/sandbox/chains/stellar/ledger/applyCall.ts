import { createHash } from 'node:crypto'
import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import type { LedgerState } from '../entries/state.ts'
import { HostError } from '../host/contract.ts'
import { enforcingAuthorizer } from '../host/enforcingAuthorizer.ts'
import { type HostResult, runHostFunction } from '../host/runHostFunction.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { type OperationOutcome, outcomeOf } from './operations/sponsorship.ts'
import { contractCallOf } from './parseEnvelope.ts'
import { diskReadBytes, keysOf, writeBytes } from './resources.ts'

/** The result of a contract call. */
export type CallOutcome = { outcome: OperationOutcome; host?: HostResult }

/** Applies a contract call to a state, within its declared footprint and resources. */
export function applyCall(core: LedgerCore, options: applyCall.Options): CallOutcome {
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

export declare namespace applyCall {
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
