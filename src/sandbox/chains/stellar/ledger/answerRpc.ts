import { createHash } from 'node:crypto'
import { Address, xdr } from '@stellar/stellar-sdk'
import type { Ledger } from './createLedger.ts'
import { baseFee, baseReserve, protocolVersion } from './state.ts'

type Params = Readonly<Record<string, unknown>>

/** An error of JSON-RPC. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Answers one call of Stellar's RPC.
 *
 * @throws {@link RpcError} with JSON-RPC's codes: -32601 for a method that is not simulated, -32602 for bad parameters
 */
export function answerRpc(ledger: Ledger, method: string, params: Params, url: string): unknown {
  const { sequence, closedAt } = ledger.latest()
  const latest = { latestLedger: sequence, latestLedgerCloseTime: String(closedAt) }
  switch (method) {
    case 'getHealth':
      return {
        status: 'healthy',
        latestLedger: sequence,
        oldestLedger: 1,
        ledgerRetentionWindow: sequence,
        simulation: true,
      }
    case 'getNetwork':
      return {
        passphrase: ledger.networkPassphrase,
        protocolVersion,
        friendbotUrl: `${url}/friendbot`,
        simulation: true,
      }
    case 'getVersionInfo':
      return {
        version: 'redeemkit simulation, not stellar-rpc',
        commitHash: '',
        buildTimestamp: '',
        captiveCoreVersion: 'none',
        protocolVersion,
      }
    case 'getLatestLedger':
      return latestLedger(ledger)
    case 'getFeeStats': {
      const fee = String(baseFee)
      const names = [
        'max',
        'min',
        'mode',
        'p10',
        'p20',
        'p30',
        'p40',
        'p50',
        'p60',
        'p70',
        'p80',
        'p90',
        'p95',
        'p99',
      ]
      const distribution = {
        ...Object.fromEntries(names.map((name) => [name, fee])),
        transactionCount: String(ledger.applied().length),
        ledgerCount: 50,
      }
      return { sorobanInclusionFee: distribution, inclusionFee: distribution, latestLedger: sequence }
    }
    case 'getLedgerEntries':
      return { entries: readEntries(ledger, params), latestLedger: sequence }
    case 'simulateTransaction':
      return { id: '1', latestLedger: sequence, ...simulate(ledger, params) }
    case 'sendTransaction': {
      const submitted = guard(() => ledger.submit(textOf(params, 'transaction')))
      return {
        status: submitted.status,
        hash: submitted.hash,
        latestLedger: ledger.latest().sequence,
        latestLedgerCloseTime: String(ledger.latest().closedAt),
        ...(submitted.status === 'ERROR' ? { errorResultXdr: submitted.result.toXDR('base64') } : {}),
      }
    }
    case 'getTransaction': {
      const found = ledger.find(textOf(params, 'hash'))
      const range = { ...latest, oldestLedger: 1, oldestLedgerCloseTime: '0' }
      return found === undefined ? { status: 'NOT_FOUND', ...range } : { ...transactionInfo(found), ...range }
    }
    case 'getTransactions': {
      const start = Number(params.startLedger ?? 0)
      const transactions = ledger.applied().filter((applied) => applied.ledger >= start)
      return {
        transactions: transactions.map(transactionInfo),
        latestLedger: sequence,
        latestLedgerCloseTimestamp: closedAt,
        oldestLedger: 1,
        oldestLedgerCloseTimestamp: 0,
        cursor: String(sequence),
      }
    }
    case 'getEvents':
      return {
        events: events(ledger, params),
        latestLedger: sequence,
        oldestLedger: 1,
        latestLedgerCloseTime: String(closedAt),
        oldestLedgerCloseTime: '0',
        cursor: String(sequence),
      }
    default:
      throw new RpcError(-32601, `The method ${method.slice(0, 40)} is not part of this simulation.`)
  }
}

function textOf(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '')
    throw new RpcError(-32602, `The parameter ${name} has to be text.`)
  return value
}

function guard<value>(run: () => value): value {
  try {
    return run()
  } catch (error) {
    throw new RpcError(-32602, error instanceof Error ? error.message : String(error))
  }
}

function readEntries(ledger: Ledger, params: Params): unknown[] {
  const { keys } = params
  if (!Array.isArray(keys) || keys.length > 200)
    throw new RpcError(-32602, 'The parameter keys has to be a list of at most 200.')
  return keys.flatMap((text) => {
    const key = guard(() => xdr.LedgerKey.fromXDR(String(text), 'base64'))
    const entry = guard(() => ledger.readEntry(key))
    if (entry === undefined) return []
    const isContract = entry.switch().name === 'contractData'
    return [
      {
        key: key.toXDR('base64'),
        xdr: entry.toXDR('base64'),
        lastModifiedLedgerSeq: ledger.latest().sequence,
        ...(isContract ? { liveUntilLedgerSeq: ledger.latest().sequence + 100_000 } : {}),
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

function transactionInfo(found: ReturnType<Ledger['applied']>[number]): object {
  return {
    status: found.isSuccessful ? 'SUCCESS' : 'FAILED',
    txHash: found.hash,
    ledger: found.ledger,
    createdAt: String(found.closedAt),
    applicationOrder: 1,
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

function events(ledger: Ledger, params: Params): object[] {
  const start = Number(params.startLedger ?? 0)
  const filters = Array.isArray(params.filters) ? params.filters : []
  return ledger
    .applied()
    .filter((applied) => applied.ledger >= start)
    .flatMap((applied) =>
      applied.events.flatMap((event, index) => {
        const id = event.contractId()
        if (id === null) return []
        const contractId = Address.fromScAddress(xdr.ScAddress.scAddressTypeContract(id)).toString()
        const body = event.body().v0()
        const topic = body.topics().map((value) => value.toXDR('base64'))
        const isWanted = filters.some((filter) => matches(filter, contractId, topic))
        if (filters.length > 0 && !isWanted) return []
        return [
          {
            type: 'contract',
            ledger: applied.ledger,
            ledgerClosedAt: new Date(applied.closedAt * 1000).toISOString(),
            contractId,
            id: `${String(applied.ledger).padStart(19, '0')}-${String(index).padStart(10, '0')}`,
            transactionIndex: 1,
            operationIndex: 0,
            inSuccessfulContractCall: true,
            txHash: applied.hash,
            topic,
            value: body.data().toXDR('base64'),
          },
        ]
      }),
    )
}

function matches(filter: unknown, contractId: string, topic: readonly string[]): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  const ids: unknown = 'contractIds' in filter ? filter.contractIds : undefined
  const topics: unknown = 'topics' in filter ? filter.topics : undefined
  if (Array.isArray(ids) && ids.length > 0 && !ids.includes(contractId)) return false
  if (!Array.isArray(topics) || topics.length === 0) return true
  return topics.some(
    (wanted) =>
      Array.isArray(wanted) &&
      (wanted.at(-1) === '**' || wanted.length === topic.length) &&
      wanted.every((part, index) => part === '*' || part === '**' || part === topic[index]),
  )
}

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
      txSet: new xdr.TransactionSet({ previousLedgerHash: zero, txes: [] }),
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
