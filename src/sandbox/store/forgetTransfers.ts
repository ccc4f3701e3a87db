import { eq } from 'drizzle-orm'
import type { DatabaseWork } from './database.ts'
import type { TransferBlockchain } from './states.ts'
import { usdcTransfers } from './tables/index.ts'

/** Forgets the USDC transfers of a chain that was thrown away. */
export async function forgetTransfers(work: DatabaseWork, blockchain: TransferBlockchain): Promise<void> {
  await work.delete(usdcTransfers).where(eq(usdcTransfers.blockchain, blockchain))
}
