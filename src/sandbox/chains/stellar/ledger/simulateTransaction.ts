import { FeeBumpTransaction, SorobanDataBuilder, xdr } from '@stellar/stellar-sdk'
import type { Authorizer } from '../host/authorizer.ts'
import { enforcingAuthorizer } from '../host/enforcingAuthorizer.ts'
import { HostError } from '../host/hostError.ts'
import { recordingAuthorizer } from '../host/recordingAuthorizer.ts'
import { type HostResult, runHostFunction } from '../host/runHostFunction.ts'
import { baseAddress } from './applyOperation.ts'
import { hostOptions, type LedgerCore, resourceFee } from './ledgerCore.ts'
import { hostFunctionOf, parseEnvelope, transactionXdrOf } from './parseEnvelope.ts'

export type Simulation =
  | { ok: false; error: string; events: readonly xdr.ContractEvent[] }
  | {
      ok: true
      transactionData: xdr.SorobanTransactionData
      minResourceFee: bigint
      auth: readonly xdr.SorobanAuthorizationEntry[]
      returnValue: xdr.ScVal
      events: readonly xdr.ContractEvent[]
    }

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
      : recordingAuthorizer({ source, nonce: () => ++core.nonce })
  try {
    const ledger = { sequence, timestamp: Math.floor(core.now() / 1000) }
    return simulationOf(runHostFunction({ ...options, authorizer, hostFunction, ledger }), authorizer)
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { ok: false, error: error.message, events: [] }
  }
}

function simulationOf(host: HostResult, authorizer: Authorizer): Simulation {
  const transactionData = new SorobanDataBuilder()
    .setReadOnly([...host.reads.values()])
    .setReadWrite([...host.writes.values()])
    .setResources(1_000_000, 10_000, 10_000)
    .build()
  const minResourceFee = resourceFee(transactionData.resources().footprint())
  transactionData.resourceFee(new xdr.Int64(minResourceFee))
  const { returnValue, events } = host
  return { ok: true, transactionData, minResourceFee, auth: authorizer.entries(), returnValue, events }
}
