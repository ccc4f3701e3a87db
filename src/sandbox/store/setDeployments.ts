import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { DatabaseWork } from './database.ts'
import type { JobQueue } from './openJobQueue.ts'
import type { TransferBlockchain } from './states.ts'
import {
  bridgeMessages,
  deployments,
  eventCursors,
  intents,
  isFor,
  jobs,
  nonceQueues,
  orderClaims,
  redeemedEvents,
  redeems,
  stellarSettlements,
  transactions,
  usdcTransfers,
} from './tables/index.ts'

type DeployedChain = {
  blockchain: EvmBlockchain
  chainId: number
  creditsContract: Hex
  /** Whether the chain was just started, so that it has no transactions of an earlier run. */
  fresh: boolean
}

export async function setDeployments(work: DatabaseWork, chains: readonly DeployedChain[]): Promise<void> {
  for (const { blockchain, chainId, creditsContract, fresh } of chains) {
    const [known] = await work.select().from(deployments).where(eq(deployments.blockchain, blockchain))
    const same = known?.chainId === chainId && known.creditsContract === creditsContract
    if (known !== undefined && (!same || fresh)) {
      const isKept = !fresh && known.chainId === chainId
      await forgetDeployment(work, { blockchain, chainIds: [chainId, known.chainId], isKept })
    }
    const row = { chainId, creditsContract }
    await work
      .insert(deployments)
      .values({ blockchain, ...row })
      .onConflictDoUpdate({ target: deployments.blockchain, set: row })
  }
}

async function forgetDeployment(
  work: DatabaseWork,
  old: {
    blockchain: EvmBlockchain
    chainIds: readonly number[]
    /** Whether only the contract was replaced, so that the chain still has pending transactions of the operator. */
    isKept: boolean
  },
): Promise<void> {
  const { blockchain, isKept } = old
  const chainIds = [...new Set(old.chainIds)]
  await work.delete(intents).where(eq(intents.blockchain, blockchain))
  await work.delete(redeems).where(eq(redeems.blockchain, blockchain))
  await work.delete(orderClaims).where(eq(orderClaims.blockchain, blockchain))
  await work.delete(redeemedEvents).where(eq(redeemedEvents.blockchain, blockchain))
  await work.delete(eventCursors).where(eq(eventCursors.blockchain, blockchain))
  if (!isKept) await work.delete(jobs).where(and(eq(jobs.blockchain, blockchain), eq(jobs.status, 'pending')))
  await work.delete(bridgeMessages).where(inArray(bridgeMessages.sourceChainId, chainIds))
  // On a chain that was kept, deletes only mined transactions. The others count towards the number of a payment's next attempt.
  const isOver = isKept ? eq(transactions.status, 'mined') : undefined
  await work.delete(transactions).where(and(inArray(transactions.chainId, chainIds), isOver))
  await work.delete(nonceQueues).where(inArray(nonceQueues.chainId, chainIds))
  // Frees these references: a new chain numbers its messages from one, and a new contract accepts the same redeems.
  await work
    .update(transactions)
    .set({
      reference: sql`jsonb_build_object('kind', 'gone', 'id', ${transactions.id}, 'was', ${transactions.reference})`,
    })
    .where(
      or(
        isFor({ kind: 'redeem', blockchain }),
        ...chainIds.map((sourceChainId) => isFor({ kind: 'bridge', sourceChainId })),
      ),
    )
}

/** Queues a job for each pending mint or burn, for example on a chain that the service did not have before. */
export async function queuePending(work: DatabaseWork, queue: JobQueue): Promise<void> {
  const pending = await work.select({ jobId: jobs.jobId }).from(jobs).where(eq(jobs.status, 'pending'))
  for (const { jobId } of pending) await queue.send(work, jobId)
}

/** Deletes the USDC transfers of a chain that was discarded, and reopens settlements that were pending on it. */
export async function forgetTransfers(work: DatabaseWork, blockchain: TransferBlockchain): Promise<void> {
  await work.delete(usdcTransfers).where(eq(usdcTransfers.blockchain, blockchain))
  if (blockchain === 'stellar')
    await work.delete(stellarSettlements).where(eq(stellarSettlements.status, 'journalled'))
}
