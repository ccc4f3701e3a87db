import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { protocolVersion } from '../entries/state.ts'
import type { Ledger } from '../ledger/createLedger.ts'
import type { AppliedTransaction } from '../ledger/ledgerCore.ts'
import { latestLedger } from './latestLedger.ts'
import { readEvents } from './readEvents.ts'
import { guard, type Params, RpcError, textOf } from './rpcParams.ts'

/**
 * Answers one Stellar RPC call.
 *
 * @throws {@link RpcError} with code -32601 for a method that is not simulated, or -32602 for invalid parameters
 */
export function answerRpc(ledger: Ledger, method: string, params: Params, url: string): unknown {
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (answer === undefined)
    throw new RpcError(-32601, `The method ${method.slice(0, 40)} is not part of this simulation.`)
  return answer(ledger, params, url)
}

const methods: Readonly<Record<string, (ledger: Ledger, params: Params, url: string) => unknown>> = {
  getHealth: (ledger) => {
    const { sequence } = ledger.latest()
    return {
      status: 'healthy',
      latestLedger: sequence,
      oldestLedger: 1,
      ledgerRetentionWindow: sequence,
      simulation: true,
    }
  },
  getNetwork: (ledger, _, url) => ({
    passphrase: ledger.networkPassphrase,
    protocolVersion,
    friendbotUrl: `${url}/friendbot`,
    simulation: true,
  }),
  getVersionInfo: () => ({
    version: 'redeemkit simulation, not stellar-rpc',
    commitHash: '',
    buildTimestamp: '',
    captiveCoreVersion: 'none',
    protocolVersion,
  }),
  getLatestLedger: latestLedger,
  getLedgerEntries: (ledger, params) => ({
    entries: readEntries(ledger, params),
    latestLedger: ledger.latest().sequence,
  }),
  simulateTransaction: (ledger, params) => ({
    id: '1',
    latestLedger: ledger.latest().sequence,
    ...simulate(ledger, params),
  }),
  sendTransaction: (ledger, params) => {
    const submitted = guard(() => ledger.submit(textOf(params, 'transaction')))
    const { status, hash } = submitted
    return {
      status,
      hash,
      ...latest(ledger),
      ...(submitted.status === 'ERROR' ? { errorResultXdr: submitted.result.toXDR('base64') } : {}),
    }
  },
  getTransaction: (ledger, params) => {
    const found = ledger.find(textOf(params, 'hash'))
    return {
      ...(found === undefined ? { status: 'NOT_FOUND' } : transactionInfo(found)),
      ...latest(ledger),
      oldestLedger: 1,
      oldestLedgerCloseTime: '0',
    }
  },
  getEvents: (ledger, params) => ({
    ...readEvents(ledger, params),
    ...latest(ledger),
    oldestLedger: 1,
    oldestLedgerCloseTime: '0',
  }),
}

function latest(ledger: Ledger): object {
  const { sequence, closedAt } = ledger.latest()
  return { latestLedger: sequence, latestLedgerCloseTime: String(closedAt) }
}

function readEntries(ledger: Ledger, params: Params): unknown[] {
  const { keys } = params
  if (!Array.isArray(keys) || keys.length > 200)
    throw new RpcError(-32602, 'The parameter keys must be an array of at most 200 ledger keys.')
  return keys.flatMap((text) => {
    const key = guard(() => xdr.LedgerKey.fromXDR(String(text), 'base64'))
    const found = guard(() => ledger.readEntry(key))
    if (found === undefined) return []
    const { entry, modified, liveUntil } = found
    return [
      {
        key: key.toXDR('base64'),
        xdr: entry.toXDR('base64'),
        lastModifiedLedgerSeq: modified,
        ...(liveUntil === undefined ? {} : { liveUntilLedgerSeq: liveUntil }),
      },
    ]
  })
}

function simulate(ledger: Ledger, params: Params): object {
  const simulation = guard(() => ledger.simulate(textOf(params, 'transaction')))
  if (!simulation.ok) return { error: simulation.error, events: [] }
  return {
    transactionData: simulation.transactionData.toXDR('base64'),
    minResourceFee: String(simulation.minResourceFee),
    events: simulation.events.map((event) =>
      new xdr.DiagnosticEvent({ inSuccessfulContractCall: true, event }).toXDR('base64'),
    ),
    results: [
      {
        auth: simulation.auth.map((entry) => entry.toXDR('base64')),
        xdr: simulation.returnValue.toXDR('base64'),
      },
    ],
    stateChanges: simulation.changes.map(({ key, before, after }) => ({
      type: before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated',
      key: key.toXDR('base64'),
      before: before?.toXDR('base64') ?? null,
      after: after?.toXDR('base64') ?? null,
    })),
  }
}

function transactionInfo(found: AppliedTransaction): object {
  return {
    status: found.isSuccessful ? 'SUCCESS' : 'FAILED',
    txHash: found.hash,
    ledger: found.ledger,
    createdAt: String(found.closedAt),
    applicationOrder: found.order,
    feeBump: found.isFeeBump,
    envelopeXdr: found.envelopeXdr,
    resultXdr: found.resultXdr,
    resultMetaXdr: found.resultMetaXdr,
    events: {
      transactionEventsXdr: [],
      contractEventsXdr: [found.events.map((event) => event.toXDR('base64'))],
    },
  }
}
