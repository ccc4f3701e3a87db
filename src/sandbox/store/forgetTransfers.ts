import { eq } from 'drizzle-orm'
import type { DatabaseWork } from './database.ts'
import type { TransferBlockchain } from './states.ts'
import { stellarSettlements, usdcTransfers } from './tables/index.ts'

/** Forgets the USDC transfers of a chain that was thrown away, and what was on its way there: that is done anew. */
export async function forgetTransfers(work: DatabaseWork, blockchain: TransferBlockchain): Promise<void> {
  await work.delete(usdcTransfers).where(eq(usdcTransfers.blockchain, blockchain))
  if (blockchain === 'stellar')
    await work.delete(stellarSettlements).where(eq(stellarSettlements.status, 'journalled'))
}
