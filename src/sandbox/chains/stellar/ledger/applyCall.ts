import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk'
import { copyState, type LedgerState } from '../entries/state.ts'
import { createMeter } from '../host/createMeter.ts'
import { enforcingAuthorizer } from '../host/enforcingAuthorizer.ts'
import { BudgetError, HostError } from '../host/hostError.ts'
import { type HostResult, runHostFunction } from '../host/runHostFunction.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { type OperationOutcome, outcomeOf } from './operations/operationOutcome.ts'
import { hostFunctionOf } from './parseEnvelope.ts'
import { callLimits, diskReadBytes, eventBytes, eventFee, keysOf, rentFee, writeBytes } from './resources.ts'

/** What a call came to. */
export type CallOutcome = {
  outcome: OperationOutcome
  host?: HostResult
  /** What it used of the refundable part of its fee, and what of that is rent. In stroops; 0 when it failed. */
  used: { refundable: bigint; rent: bigint }
}

/** Applies the one operation of a contract call to a state, within the footprint, resources and fee that it declared. */
export function applyCall(core: LedgerCore, options: applyCall.Options): CallOutcome {
  const { state, operation, soroban, refundableFee } = options
  const { sequence } = core
  const hostFunction = hostFunctionOf(operation)
  if (hostFunction === undefined) return failed(xdr.InvokeHostFunctionResult.invokeHostFunctionMalformed())
  const resources = soroban.resources()
  const { readOnly, readWrite } = keysOf(resources.footprint())
  const before = copyState(state)
  const outOfResources = () => failed(xdr.InvokeHostFunctionResult.invokeHostFunctionResourceLimitExceeded())
  if (diskReadBytes([...readOnly, ...readWrite], state, sequence) > resources.diskReadBytes())
    return outOfResources()
  let host: HostResult
  try {
    host = run(core, { ...options, hostFunction })
    checkFootprint(host, resources.footprint())
  } catch (error) {
    if (error instanceof BudgetError) return outOfResources()
    if (error instanceof HostError) return failed(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())
    throw error
  }
  if (writeBytes(readWrite, state, sequence) > resources.writeBytes()) return outOfResources()
  if (eventBytes(host) > callLimits.eventBytes) return outOfResources()
  const rent = rentFee(readWrite, { before, after: state, sequence })
  const refundable = eventFee(eventBytes(host)) + rent
  if (refundable > refundableFee)
    return failed(xdr.InvokeHostFunctionResult.invokeHostFunctionInsufficientRefundableFee())
  const { returnValue, events } = host
  const success = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events })
  const digest = createHash('sha256').update(success.toXDR()).digest()
  const result = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(digest)
  return {
    outcome: outcomeOf(xdr.OperationResultTr.invokeHostFunction(result), true),
    host,
    used: { refundable, rent },
  }
}

export declare namespace applyCall {
  type Options = {
    state: LedgerState
    operation: xdr.Operation
    source: string
    soroban: xdr.SorobanTransactionData
    /** What is left of the resource fee for events and rent, in stroops. */
    refundableFee: bigint
  }
}

function run(
  core: LedgerCore,
  options: applyCall.Options & { hostFunction: NonNullable<ReturnType<typeof hostFunctionOf>> },
): HostResult {
  const { state, operation, source, soroban, hostFunction } = options
  const { sequence, closedAt, networkPassphrase } = core
  const entries = operation.body().invokeHostFunctionOp().auth()
  return runHostFunction({
    ...hostOptions(core),
    state,
    ledger: { sequence, timestamp: closedAt },
    hostFunction,
    meter: createMeter(soroban.resources().instructions()),
    authorizer: enforcingAuthorizer({ entries, state, source, networkPassphrase, sequence }),
  })
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

function failed(result: xdr.InvokeHostFunctionResult): CallOutcome {
  return {
    outcome: outcomeOf(xdr.OperationResultTr.invokeHostFunction(result), false),
    used: { refundable: 0n, rent: 0n },
  }
}
