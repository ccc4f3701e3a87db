import { Address, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import type { Ledger } from '../ledger/createLedger.ts'
import type { AppliedTransaction } from '../ledger/ledgerCore.ts'
import { type Params, RpcError } from './rpcParams.ts'

const defaultLimit = 100
const maxLimit = 10_000
const maxFilters = 5

/** Returns the contract events in a range of ledgers, or after a cursor, that match a filter. */
export function readEvents(ledger: Ledger, params: Params): { events: object[]; cursor: string } {
  const pagination: Params = Object(params.pagination ?? {})
  const cursor = typeof pagination.cursor === 'string' ? pagination.cursor : undefined
  const limit = Number(pagination.limit ?? defaultLimit)
  const filters = Array.isArray(params.filters) ? params.filters : []
  if (!(limit >= 1 && limit <= maxLimit)) throw invalid(`limit must be from 1 to ${maxLimit}`)
  if (filters.length > maxFilters) throw invalid(`maximum ${maxFilters} filters per request`)
  const { sequence } = ledger.latest()
  const start = cursor === undefined ? Number(params.startLedger ?? 0) : 1
  if (!(start >= 1 && start <= sequence))
    throw invalid(`startLedger must be within the ledger range: 1 - ${sequence}`)
  const end = Number(params.endLedger ?? sequence + 1)
  const events = ledger
    .applied()
    .filter((applied) => applied.ledger >= start && applied.ledger < end)
    .flatMap(eventsOf)
    .filter(({ id }) => cursor === undefined || id > cursor)
    .filter((event) => filters.length === 0 || filters.some((filter) => matches(filter, event)))
    .slice(0, limit)
  // A full page ends at its last event; otherwise the whole range was searched.
  const last = events.length === limit ? events.at(-1)?.id : undefined
  return {
    events,
    cursor: last ?? eventId({ ledger: Math.min(end - 1, sequence), order: 0xfffff }, 0xffffffff),
  }
}

type EventRecord = { id: string; contractId: string; topic: string[] }

function eventsOf(applied: AppliedTransaction): EventRecord[] {
  return applied.events.flatMap((event, index) => {
    const id = event.contractId()
    if (id === null) return []
    const body = event.body().v0()
    return [
      {
        type: 'contract',
        ledger: applied.ledger,
        ledgerClosedAt: new Date(applied.closedAt * 1000).toISOString().replace('.000Z', 'Z'),
        contractId: Address.fromScAddress(xdr.ScAddress.scAddressTypeContract(id)).toString(),
        id: eventId(applied, index),
        transactionIndex: applied.order,
        operationIndex: 0,
        inSuccessfulContractCall: true,
        txHash: applied.hash,
        topic: body.topics().map((value) => value.toXDR('base64')),
        value: body.data().toXDR('base64'),
      },
    ]
  })
}

/** An event's position among all ledgers (SEP-35) and in its operation. */
function eventId({ ledger, order }: Pick<AppliedTransaction, 'ledger' | 'order'>, index: number): string {
  const place = (BigInt(ledger) << 32n) | (BigInt(order) << 12n)
  return `${String(place).padStart(19, '0')}-${String(index).padStart(10, '0')}`
}

function matches(filter: unknown, { contractId, topic }: EventRecord): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  const type: unknown = 'type' in filter ? filter.type : undefined
  const ids: unknown = 'contractIds' in filter ? filter.contractIds : undefined
  const topics: unknown = 'topics' in filter ? filter.topics : undefined
  if (type !== undefined && type !== null && type !== '' && type !== 'contract') return false
  if (Array.isArray(ids) && ids.length > 0 && !ids.includes(contractId)) return false
  if (!Array.isArray(topics) || topics.length === 0) return true
  return topics.some(
    (wanted) =>
      Array.isArray(wanted) &&
      (wanted.at(-1) === '**' || wanted.length === topic.length) &&
      wanted.every((part, index) => part === '*' || part === '**' || part === topic[index]),
  )
}

function invalid(message: string): RpcError {
  return new RpcError(-32602, message)
}
