import { createHash } from 'node:crypto'
import { xdr } from '../../../redeemkit/stellar/sdk.ts'
import type { Ledger } from './ledger/createLedger.ts'
import type { AppliedTransaction } from './ledger/ledgerCore.ts'
import { baseFee, baseReserve, protocolVersion } from './ledger/state.ts'

type Params = Readonly<Record<string, unknown>>

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
    const { entry, liveUntil } = found
    return [
      {
        key: key.toXDR('base64'),
        xdr: entry.toXDR('base64'),
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

/** The header is a placeholder, because the SDK's client requires a header. */
function latestLedger(ledger: Ledger): object {
  const { sequence, closedAt } = ledger.latest()
  const zero = Buffer.alloc(32)
  const header = new xdr.LedgerHeader({
    ledgerVersion: protocolVersion,
    previousLedgerHash: zero,
    scpValue: new xdr.StellarValue({
      txSetHash: zero,
      closeTime: new xdr.Uint64(BigInt(closedAt)),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zero,
    bucketListHash: zero,
    ledgerSeq: sequence,
    totalCoins: new xdr.Int64(0n),
    feePool: new xdr.Int64(0n),
    inflationSeq: 0,
    idPool: new xdr.Uint64(0n),
    baseFee: Number(baseFee),
    baseReserve: Number(baseReserve),
    maxTxSetSize: 100,
    skipList: [zero, zero, zero, zero],
    ext: new xdr.LedgerHeaderExt(0),
  })
  const headerXdr = header.toXDR()
  const hash = createHash('sha256').update(headerXdr).digest()
  const metadata = new xdr.LedgerCloseMeta(
    0,
    new xdr.LedgerCloseMetaV0({
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
        hash,
        header,
        ext: new xdr.LedgerHeaderHistoryEntryExt(0),
      }),
      // The previous ledger's hash and an empty transaction list, whose name differs between releases of the SDK.
      txSet: xdr.TransactionSet.fromXDR(Buffer.alloc(36)),
      txProcessing: [],
      upgradesProcessing: [],
      scpInfo: [],
    }),
  )
  return {
    id: hash.toString('hex'),
    sequence,
    protocolVersion,
    closeTime: String(closedAt),
    headerXdr: headerXdr.toString('base64'),
    metadataXdr: metadata.toXDR('base64'),
  }
}

export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** @throws {@link RpcError} unless the parameter is a non-empty string */
function textOf(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '')
    throw new RpcError(-32602, `The parameter ${name} must be a string.`)
  return value
}

/** Converts any error that the function throws to an invalid-parameters error. */
function guard<value>(run: () => value): value {
  try {
    return run()
  } catch (error) {
    throw new RpcError(-32602, error instanceof Error ? error.message : String(error))
  }
}
