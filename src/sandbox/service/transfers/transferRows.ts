import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { isOneOf } from '../../store/statement.ts'
import { type TransferBlockchain, transferBlockchains } from '../../store/states.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import { invalid, problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { PaidCreations, TransferChain } from './transferChain.ts'

export async function servedChain(service: Service, blockchain: Blockchain): Promise<TransferChain> {
  const name = transferBlockchains.find((known) => known === blockchain)
  const chain = name === undefined ? undefined : await service.transferChain(name)
  if (chain !== undefined) return chain
  throw invalid(service.headers.blockchain, `This service does not settle USDC transfers on ${blockchain}.`)
}

export async function paidBefore(
  service: Service,
  payment: { blockchain: TransferBlockchain; wallet: string; paymentId: string | undefined | null },
): Promise<void> {
  const { blockchain, wallet, paymentId } = payment
  if (paymentId === undefined || paymentId === null) return
  const database = await service.database()
  const [row] = await database
    .select({ id: usdcTransfers.id, hash: usdcTransfers.hash })
    .from(usdcTransfers)
    .where(
      and(
        eq(usdcTransfers.blockchain, blockchain),
        eq(usdcTransfers.wallet, wallet),
        eq(usdcTransfers.paymentId, paymentId),
        isOneOf(usdcTransfers.status, ['journalled', 'settled']),
      ),
    )
  if (row !== undefined)
    throw problem('AMBIGUOUS_INTENT', 'This payment was already sent by another transfer of this wallet.', {
      details: { id: row.id, hash: row.hash },
    })
}

const dayMs = 24 * 3_600_000

/** Counts sent Solana transfers that included rent, even if the token account already existed. */
export async function paidCreations(
  database: Pick<DatabaseWork, 'select'>,
  options: { wallet: string; destination: string; now: number },
): Promise<PaidCreations> {
  const today = gt(usdcTransfers.createdAt, new Date(options.now - dayMs))
  const count = (what: SQL | undefined) => sql`count(*) filter (where ${what})`.mapWith(Number)
  const [counts] = await database
    .select({
      toDestination: count(eq(usdcTransfers.destination, options.destination)),
      byWallet: count(and(eq(usdcTransfers.wallet, options.wallet), today)),
      byService: count(today),
    })
    .from(usdcTransfers)
    .where(
      and(
        eq(usdcTransfers.blockchain, 'solana'),
        isOneOf(usdcTransfers.status, ['journalled', 'settled']),
        eq(usdcTransfers.paysRent, true),
      ),
    )
  return counts ?? { toDestination: 0, byWallet: 0, byService: 0 }
}
