import type { Hex } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { withHeadroom } from '../../relayer/relayerChain.ts'
import type { ContractCall } from '../../simulation/redeemRequest.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { isFor } from '../../store/isFor.ts'
import { transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/** Does nothing if the transaction is already being sent. Returns its hash; undefined if the call would revert and the row failed. */
export async function sendOnce(service: Service, options: sendOnce.Options): Promise<Hex | undefined> {
  const { database, chain, reference, request, holdPending, fail } = options
  const attemptsOf = (work: Pick<DatabaseWork, 'select'>) =>
    work
      .select({ status: transactions.status, hash: transactions.hash })
      .from(transactions)
      .where(isFor(reference))
  const sent = await attemptsOf(database)
  const underWay = sent.find(({ status }) => status !== 'dropped')
  if (underWay !== undefined) return underWay.hash
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    const { hash } = await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { ...reference, attempt: sent.length + 1 },
      request: { ...request, gas: withHeadroom(gas) },
      also: async (work) => {
        if (!(await holdPending(work)))
          throw new Error(`The ${reference.kind} was closed before it could be sent.`)
      },
    })
    return hash
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    return database.transaction(async (work) => {
      // Another process may have sent the transaction and so caused this failure. If so, returns that transaction's hash.
      await holdPending(work)
      const other = (await attemptsOf(work)).find(({ status }) => status !== 'dropped')
      if (other === undefined) await fail(work, decodeRevert(data).reason.slice(0, 300))
      return other?.hash
    })
  }
}

export declare namespace sendOnce {
  type Options = {
    database: Database
    chain: EvmChain
    reference: { kind: 'mint' | 'burn'; jobId: string } | { kind: 'withdrawal'; withdrawalId: string }
    request: ContractCall
    /** Locks the row until the database transaction ends, so only one process sends or fails it. Returns false if it is closed. */
    holdPending: (work: DatabaseWork) => Promise<boolean>
    fail: (work: DatabaseWork, reason: string) => Promise<void>
  }
}
