import { FeeBumpTransaction, SorobanDataBuilder, xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import type { Authorizer } from '../host/authorizer.ts'
import { createMeter } from '../host/createMeter.ts'
import { enforcingAuthorizer } from '../host/enforcingAuthorizer.ts'
import { HostError } from '../host/hostError.ts'
import { recordingAuthorizer } from '../host/recordingAuthorizer.ts'
import { type HostResult, runHostFunction } from '../host/runHostFunction.ts'
import { baseAddress } from './baseAddress.ts'
import { type EntryChange, entryChanges } from './entryChanges.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { hostFunctionOf, parseEnvelope, transactionXdrOf } from './parseEnvelope.ts'
import {
  callLimits,
  diskReadBytes,
  eventBytes,
  eventFee,
  nonRefundableFee,
  rentFee,
  writeBytes,
} from './resources.ts'

export type Simulation =
  | { ok: false; error: string; events: readonly xdr.ContractEvent[] }
  | {
      ok: true
      transactionData: xdr.SorobanTransactionData
      minResourceFee: bigint
      auth: readonly xdr.SorobanAuthorizationEntry[]
      returnValue: xdr.ScVal
      events: readonly xdr.ContractEvent[]
      changes: readonly EntryChange[]
    }

/** What a simulation adds, so that the call fits when it runs a little differently (`simulation.rs` of rs-soroban-env). */
const headroom = {
  instructions: (count: number) => Math.max(Math.ceil(count * 1.04), count + 50_000),
  transactionBytes: (bytes: number) => Math.max(Math.ceil(bytes * 1.1), bytes + 500),
  refundableFee: (fee: bigint) => (fee * 115n + 99n) / 100n,
}
/** Room for what is not there yet: the envelope's signatures, at most 20, and one in each authorization entry. */
const signatureBytes = 72
const entrySignatureBytes = 200

/**
 * Tries a contract call without applying it: with the authorizations that it carries, or, when it carries none, writing down
 * which it needs.
 *
 * @throws `LedgerError` for text that is no transaction
 */
export function simulateTransaction(core: LedgerCore, transactionXdr: string): Simulation {
  const parsed = parseEnvelope(transactionXdr, core.networkPassphrase)
  const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
  const v1 = transactionXdrOf(transaction)
  const [operation, ...more] = v1.operations()
  const hostFunction = operation && hostFunctionOf(operation)
  if (operation === undefined || hostFunction === undefined || more.length > 0)
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
    const meter = createMeter(callLimits.instructions)
    const host = runHostFunction({ ...options, authorizer, hostFunction, ledger, meter })
    const states = { before: core.state, after: options.state, sequence }
    return simulationOf(core, {
      host,
      authorizer,
      states,
      envelopeBytes: transaction.toEnvelope().toXDR().length,
    })
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { ok: false, error: error.message, events: [] }
  }
}

function simulationOf(
  core: LedgerCore,
  run: {
    host: HostResult
    authorizer: Authorizer
    states: { before: LedgerState; after: LedgerState; sequence: number }
    envelopeBytes: number
  },
): Simulation {
  const { host, states, envelopeBytes } = run
  const { before, after, sequence } = states
  const [reads, writes] = [[...host.reads.values()], [...host.writes.values()]]
  const transactionData = new SorobanDataBuilder()
    .setReadOnly(reads)
    .setReadWrite(writes)
    .setResources(
      headroom.instructions(host.instructions),
      diskReadBytes([...reads, ...writes], before, sequence),
      writeBytes(writes, after, sequence),
    )
    .build()
  const auth = run.authorizer.entries()
  const authBytes = auth.reduce((sum, entry) => sum + entry.toXDR().length + entrySignatureBytes, 0)
  const bytes = envelopeBytes + transactionData.toXDR().length + authBytes + 20 * signatureBytes
  const refundable = eventFee(eventBytes(host)) + rentFee(writes, states)
  const minResourceFee =
    nonRefundableFee(transactionData.resources(), headroom.transactionBytes(bytes)) +
    headroom.refundableFee(refundable)
  transactionData.resourceFee(new xdr.Int64(minResourceFee))
  const { returnValue, events } = host
  const modified = (key: string) => core.modified.get(key) ?? 0
  const changes = entryChanges(writes, { ...states, modified })
  return { ok: true, transactionData, minResourceFee, auth, returnValue, events, changes }
}
