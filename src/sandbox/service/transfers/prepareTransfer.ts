import { randomUUID } from 'node:crypto'
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { type DatabaseWork, lockIn } from '../../store/database.ts'
import { isOneOf } from '../../store/statement.ts'
import type { TransferBlockchain } from '../../store/states.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import { checkCredentials, walletHeaders } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { type PaidCreations, type TransferChain, transferProblem, usdcTransferBody } from './transferChain.ts'
import { servedChain } from './transferChains.ts'

/** Builds a transaction for the customer to sign. The service pays the fees. No money moves yet. */
export const prepareTransfer = route('POST', '/sandbox/usdc-transfer', async (service, context) => {
  const body = await readBody(context, usdcTransferBody)
  const { blockchain, wallet } = await walletHeaders(service, context)
  if (body.blockchain !== blockchain)
    throw problem(
      'INVALID_REQUEST',
      `The body has blockchain ${body.blockchain}, but the header ${service.headers.blockchain} has ${blockchain}.`,
      { issues: ['blockchain', service.headers.blockchain] },
    )
  const chain = await servedChain(service, body.blockchain)
  const { paymentId, call, destination } = body
  if (body.amount.cents === 0) throw invalid('amount.cents', 'The amount must be above zero.')
  if (call !== undefined && body.blockchain !== 'stellar')
    throw invalid('call', 'Only Stellar has merchant contracts. Omit call.')
  const asked = { wallet, destination, cents: body.amount.cents, paymentId, call }
  const explained = (error: unknown) =>
    transferProblem(error, {
      to: 'destination',
      from: service.headers.wallet,
      amount: 'amount.cents',
      memo: 'paymentId',
      contract: 'call.contract',
    })
  try {
    chain.checkRequest(asked)
  } catch (error) {
    throw explained(error)
  }
  await checkCredentials(service, context)
  await paidBefore(service, { blockchain: body.blockchain, wallet, paymentId })
  const database = await service.database()
  const id = randomUUID()
  const createdAt = new Date(service.now())
  const ofTransfer = eq(usdcTransfers.id, id)
  // The lock prevents concurrent requests, including those to other processes, from choosing the same sponsor.
  const sponsor = await lockIn(database, `sponsors/${body.blockchain}`, async (work) => {
    const free = await freeSponsor(work, { chain, blockchain: body.blockchain, at: createdAt })
    await work.insert(usdcTransfers).values({
      id,
      blockchain: body.blockchain,
      wallet,
      destination,
      amount: 0n,
      paymentId: paymentId ?? null,
      sponsor: free,
      prepared: '',
      status: 'prepared',
      expiresAt: new Date(createdAt.getTime() + buildingMs),
      createdAt,
    })
    return free
  })
  const paid = () => paidCreations(database, { ...asked, now: service.now() })
  try {
    const prepared = await chain.prepare({ ...asked, sponsor, paidCreations: paid })
    const { amount, facts, paysRent = false, expiresAt } = prepared
    await database
      .update(usdcTransfers)
      .set({ amount, prepared: facts, paysRent, expiresAt })
      .where(ofTransfer)
    return { id, blockchain: body.blockchain, sponsor, ...prepared.answer }
  } catch (error) {
    await database.delete(usdcTransfers).where(ofTransfer)
    throw explained(error)
  }
})

/** Time for which a sponsor is reserved while its transfer is built. */
const buildingMs = 60_000

/** Returns a sponsor without a pending transfer; if all sponsors have one, the sponsor of the oldest transfer. */
async function freeSponsor(
  database: Pick<DatabaseWork, 'select'>,
  { chain, blockchain, at }: { chain: TransferChain; blockchain: TransferBlockchain; at: Date },
): Promise<string> {
  const rows = await database
    .select({ sponsor: usdcTransfers.sponsor, createdAt: usdcTransfers.createdAt })
    .from(usdcTransfers)
    .where(
      and(
        eq(usdcTransfers.blockchain, blockchain),
        inArray(usdcTransfers.status, ['prepared', 'journalled']),
        gt(usdcTransfers.expiresAt, at),
      ),
    )
  const newest = new Map<string, number>()
  for (const { sponsor, createdAt } of rows)
    newest.set(sponsor, Math.max(newest.get(sponsor) ?? 0, createdAt.getTime()))
  const [first] = [...chain.sponsors].sort((a, b) => (newest.get(a) ?? 0) - (newest.get(b) ?? 0))
  if (first === undefined)
    throw problem('UNAVAILABLE', `This service has no sponsor for transfers on ${blockchain}.`)
  return first
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
