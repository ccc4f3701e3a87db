import { Address, xdr } from '@stellar/stellar-sdk'
import type { Ledger } from '../ledger/createLedger.ts'
import type { Params } from './rpcParams.ts'

/** The events of contracts from a ledger on that one of the filters wants, as the RPC answers them. */
export function readEvents(ledger: Ledger, params: Params): object[] {
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
