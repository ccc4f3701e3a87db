import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { DatabaseWork } from './database.ts'
import { isFor } from './isFor.ts'
import type { JobQueue } from './openJobQueue.ts'
import type { TransferBlockchain } from './states.ts'
import {
  bridgeMessages,
  deployments,
  eventCursors,
  intents,
  jobs,
  lanes,
  orderClaims,
  redeemedEvents,
  redeems,
  stellarSettlements,
  transactions,
  usdcTransfers,
} from './tables/index.ts'

/** The contract that a blockchain's rows belong to. */
type DeployedChain = {
  blockchain: EvmBlockchain
  chainId: number
  creditsContract: Hex
  /** The chain was started just now. */
  fresh: boolean
}

/** Writes down which deployment each blockchain has, and forgets what belongs to one that was thrown away. */
export async function setDeployments(work: DatabaseWork, chains: readonly DeployedChain[]): Promise<void> {
  for (const { blockchain, chainId, creditsContract, fresh } of chains) {
    const [known] = await work.select().from(deployments).where(eq(deployments.blockchain, blockchain))
    const same = known?.chainId === chainId && known.creditsContract === creditsContract
    if (known !== undefined && (!same || fresh))
      await forgetDeployment(work, { blockchain, chainIds: [chainId, known.chainId] })
    const row = { chainId, creditsContract }
    await work
      .insert(deployments)
      .values({ blockchain, ...row })
      .onConflictDoUpdate({ target: deployments.blockchain, set: row })
  }
}

async function forgetDeployment(
  work: DatabaseWork,
  old: { blockchain: EvmBlockchain; chainIds: readonly number[] },
): Promise<void> {
  const { blockchain } = old
  const chainIds = [...new Set(old.chainIds)]
  await work.delete(intents).where(eq(intents.blockchain, blockchain))
  await work.delete(redeems).where(eq(redeems.blockchain, blockchain))
  await work.delete(orderClaims).where(eq(orderClaims.blockchain, blockchain))
  await work.delete(redeemedEvents).where(eq(redeemedEvents.blockchain, blockchain))
  await work.delete(eventCursors).where(eq(eventCursors.blockchain, blockchain))
  await work.delete(jobs).where(and(eq(jobs.blockchain, blockchain), eq(jobs.status, 'pending')))
  await work.delete(bridgeMessages).where(inArray(bridgeMessages.sourceChainId, chainIds))
  await work.delete(transactions).where(inArray(transactions.chainId, chainIds))
  await work.delete(lanes).where(inArray(lanes.chainId, chainIds))
  // Its messages count from one again, so their names must be free; elsewhere the lanes and all they hold go on.
  await work
    .update(transactions)
    .set({
      reference: sql`jsonb_build_object('kind', 'gone', 'id', ${transactions.id}, 'was', ${transactions.reference})`,
    })
    .where(or(...chainIds.map((sourceChainId) => isFor({ kind: 'bridge', sourceChainId }))))
}

/** Sends a job for every row that waits for one: of an earlier version, or of a chain that the last service did not have. */
export async function queuePending(work: DatabaseWork, queue: JobQueue): Promise<void> {
  const pending = await work.select({ jobId: jobs.jobId }).from(jobs).where(eq(jobs.status, 'pending'))
  for (const { jobId } of pending) await queue.send(work, 'credits', { jobId }, { singletonKey: jobId })
}

/** Forgets the USDC transfers of a chain that was thrown away, and what was on its way there: that is done anew. */
export async function forgetTransfers(work: DatabaseWork, blockchain: TransferBlockchain): Promise<void> {
  await work.delete(usdcTransfers).where(eq(usdcTransfers.blockchain, blockchain))
  if (blockchain === 'stellar')
    await work.delete(stellarSettlements).where(eq(stellarSettlements.status, 'journalled'))
}
