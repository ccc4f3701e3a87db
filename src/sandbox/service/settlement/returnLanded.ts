import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { ContractCall } from '../../../simulation/call/redeemCall.ts'
import { returnLandedCall } from '../../contracts/paymentSettlement.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createPauses.ts'
import type { Database, DatabaseWork, JournalRow } from '../../store/database.ts'
import { isFor } from '../../store/isFor.ts'
import { landedReturns, payments, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { customerAuthorization } from './customerAuthorization.ts'
import { isUsed } from './hasLanded.ts'
import type { SettlementChain } from './paymentCall.ts'

/**
 * Gives back customers' USDC that somebody else landed for payments which have ended without it (PROTOCOL.md 10.2): by the
 * journal, and once for each authorization, which the contract sees to. Several processes may do this at once.
 *
 * @returns whether an authorization is still to be watched
 */
export async function returnLanded(service: Service, database: Database, pauses: Pauses): Promise<boolean> {
  const watched = await database
    .select()
    .from(landedReturns)
    .where(eq(landedReturns.status, 'watched'))
    .orderBy(landedReturns.createdAt)
    .limit(100)
  for (const row of watched) {
    const key = `return ${row.paymentId}`
    if (pauses.has(key)) continue
    try {
      await lookAt(service, database, row)
    } catch (error) {
      service.onError?.(error)
    }
    // What has not landed may do so later.
    pauses.failed(key)
  }
  return watched.length > 0
}

type Watched = typeof landedReturns.$inferSelect

async function lookAt(service: Service, database: Database, row: Watched): Promise<void> {
  const { paymentId, blockchain, from, nonce, endsAt } = row
  const chain = service.chains.get(blockchain)
  if (chain?.usdc === undefined || chain.paymentSettlement === undefined) return
  const { client, usdc, paymentSettlement } = chain
  const { timestamp } = await client.getBlock()
  if (!(await isUsed(client, { usdc, from, nonce }))) {
    // Of a block that was read before: from then on it could not land.
    if (timestamp * 1000n >= BigInt(endsAt.getTime())) await close(database, row, { status: 'over' })
    return
  }
  if (await isWanted(database, row)) return
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'landedReturn', paymentId }))
  if (sent.some(({ status }) => status !== 'reverted' && status !== 'dropped')) return
  const [payment] = await database.select().from(payments).where(eq(payments.paymentId, paymentId))
  if (payment === undefined) return
  const settling: SettlementChain = { ...chain, paymentSettlement }
  const { signed, landed } = await customerAuthorization(settling, payment)
  const call = returnLandedCall(settling, signed)
  // One that was cancelled, and one that a payment or a return has counted.
  const gas = landed ? await rehearse(settling, call) : undefined
  if (gas === undefined) return close(database, row, { status: 'over' })
  await service.relayer.send({
    chainId: chain.chainId,
    account: chain.operator,
    reference: { kind: 'landedReturn', paymentId, attempt: sent.length + 1 },
    request: { ...call, gas: (gas * 5n) / 4n + 20_000n },
  })
}

/** Whether another payment, which is on its way, has come with the same authorization. */
async function isWanted(database: Database, { from, nonce }: Watched): Promise<boolean> {
  const rows = await database
    .select({ carried: payments.carried })
    .from(payments)
    .where(
      and(
        inArray(payments.status, ['created', 'authorized']),
        sql`lower(${payments.wallet}) = ${from.toLowerCase()}`,
      ),
    )
  return rows.some(({ carried }) => {
    const given = carried.customerUsdcTransferData ?? carried.customerUsdcTransferDataV2
    return given?.nonce.toLowerCase() === nonce.toLowerCase()
  })
}

/** @returns undefined when the contract has counted it already */
async function rehearse(chain: SettlementChain, call: ContractCall): Promise<bigint | undefined> {
  try {
    return await chain.client.estimateGas({ account: chain.operator.address, ...call })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined || decodeRevert(data).error?.name !== 'AuthorizationAlreadyCounted') throw error
    return undefined
  }
}

async function close(
  database: Pick<DatabaseWork, 'update'>,
  { paymentId }: Pick<Watched, 'paymentId'>,
  change: { status: 'over' } | { status: 'returned'; hash: Hex },
): Promise<void> {
  await database.update(landedReturns).set(change).where(eq(landedReturns.paymentId, paymentId))
}

/** Writes down that an authorization was given back. A reverted or dropped transaction leaves it watched. */
export async function finishReturn(
  work: DatabaseWork,
  options: { row: JournalRow; paymentId: string },
): Promise<void> {
  const { row, paymentId } = options
  if (row.status === 'mined') await close(work, { paymentId }, { status: 'returned', hash: row.hash })
}
