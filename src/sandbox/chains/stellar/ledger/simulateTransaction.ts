import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { FeeBumpTransaction, SorobanDataBuilder, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { type Authorizer, enforcingAuthorizer, recordingAuthorizer } from './authorizer.ts'
import { HostError } from './contract.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { baseAddress, contractCallOf, parseEnvelope, transactionXdrOf } from './parseEnvelope.ts'
import { diskReadBytes, resourceFee, simulatedInstructions, writeBytes } from './resources.ts'
import { type HostResult, runHostFunction } from './runHostFunction.ts'
import type { LedgerState } from './state.ts'

export type Simulation =
  | { ok: false; error: string; events: readonly Xdr.ContractEvent[] }
  | {
      ok: true
      transactionData: Xdr.SorobanTransactionData
      minResourceFee: bigint
      auth: readonly Xdr.SorobanAuthorizationEntry[]
      returnValue: Xdr.ScVal
      events: readonly Xdr.ContractEvent[]
    }

/** Size of a signature. Signatures are added after the simulation: up to 20 on the envelope, one in each authorization entry. */
const signatureBytes = 72
const entrySignatureBytes = 200

/** Enforces the call's authorization entries or, if there are none, records the required ones. */
export function simulateTransaction(core: LedgerCore, transactionXdr: string): Simulation {
  const parsed = parseEnvelope(transactionXdr, core.networkPassphrase)
  const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
  const v1 = transactionXdrOf(transaction)
  const [operation, ...more] = v1.operations()
  const call = operation && contractCallOf(operation)
  if (operation === undefined || call === undefined || more.length > 0)
    return { ok: false, error: 'Transaction contains no single contract call to simulate.', events: [] }
  const source = baseAddress(operation.sourceAccount() ?? v1.sourceAccount())
  const options = hostOptions(core)
  const sequence = core.sequence + 1
  const entries = operation.body().invokeHostFunctionOp().auth()
  const authorizer =
    entries.length > 0
      ? enforcingAuthorizer({ ...options, entries, source, sequence })
      : recordingAuthorizer({ ...options, source, sequence, nonce: () => ++core.nonce })
  try {
    const ledger = { sequence, timestamp: Math.floor(core.now() / 1000) }
    const host = runHostFunction({ ...options, authorizer, call, ledger })
    const states = { before: core.state, after: options.state, sequence }
    const envelopeBytes = transaction.toEnvelope().toXDR().length
    return simulationOf({ host, authorizer, states, envelopeBytes })
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { ok: false, error: error.message, events: [] }
  }
}

function simulationOf(run: {
  host: HostResult
  authorizer: Authorizer
  states: { before: LedgerState; after: LedgerState; sequence: number }
  envelopeBytes: number
}): Simulation {
  const { host, states, envelopeBytes } = run
  const { before, after, sequence } = states
  const [reads, writes] = [[...host.reads.values()], [...host.writes.values()]]
  const transactionData = new SorobanDataBuilder()
    .setReadOnly(reads)
    .setReadWrite(writes)
    .setResources(
      simulatedInstructions,
      diskReadBytes([...reads, ...writes], before, sequence),
      writeBytes(writes, after, sequence),
    )
    .build()
  const auth = run.authorizer.entries()
  const authBytes = auth.reduce((sum, entry) => sum + entry.toXDR().length + entrySignatureBytes, 0)
  const bytes = envelopeBytes + transactionData.toXDR().length + authBytes + 20 * signatureBytes
  // Headroom for a slightly larger transaction, as in rs-soroban-env's `simulation.rs`.
  const minResourceFee = resourceFee(
    transactionData.resources(),
    Math.max(Math.ceil(bytes * 1.1), bytes + 500),
  )
  transactionData.resourceFee(new xdr.Int64(minResourceFee))
  const { returnValue, events } = host
  return { ok: true, transactionData, minResourceFee, auth, returnValue, events }
}
