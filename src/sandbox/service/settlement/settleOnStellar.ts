import { and, count, eq } from 'drizzle-orm'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { loadOnce } from '../../concurrency.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { stellarSettlements } from '../../store/tables/index.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service, StellarPayment, StellarSettlement, StellarSettlementOptions } from '../service.ts'
import { checkAttempts, closePayment, lockDue, type Settling, whileAuthorized } from './closePayment.ts'
import { outcomeOf, PaymentNotSettledError } from './outcome.ts'

/** Loaded on first use, because the Stellar SDK is an optional package. */
export function loadStellarSettlement(
  options: (StellarSettlementOptions & { rpcUrl: string; environment: Environment; now: Clock }) | undefined,
): () => Promise<StellarSettlement | undefined> {
  return loadOnce(async () => {
    if (options === undefined) return undefined
    const { createStellarSettlement } = await import('./createStellarSettlement.ts')
    return createStellarSettlement(options)
  })
}

/** The operator can have only one pending transaction, so an earlier pending one is completed first. */
export async function settleOnStellar(service: Service, settling: Settling): Promise<void> {
  const { database, payment } = settling
  const { paymentId } = payment
  const settlement = await service.stellarSettlement()
  if (settlement === undefined)
    throw new PaymentNotSettledError('This service does not settle payments on Stellar.')
  if (!(await finishOpen(service, settling, settlement))) return
  const [before] = await database
    .select({ attempts: count() })
    .from(stellarSettlements)
    .where(eq(stellarSettlements.paymentId, paymentId))
  const attempts = before?.attempts ?? 0
  checkAttempts(attempts)
  const signed = await settlement.prepare(stellarPayment(settling, settlement))
  if (signed === undefined) {
    const at = new Date(service.now())
    await whileAuthorized(database, paymentId, (work) => closePayment(work, { payment, at }))
    return
  }
  const { operator } = settlement
  const isWritten = await database.transaction(async (work) => {
    if ((await lockDue(work, paymentId)) === undefined) return false
    const rows = await work
      .insert(stellarSettlements)
      .values({
        ...signed,
        paymentId,
        attempt: attempts + 1,
        operator,
        status: 'journalled',
        createdAt: new Date(service.now()),
      })
      // Another process has already journalled a transaction, for this payment or another.
      .onConflictDoNothing()
      .returning()
    return rows.length > 0
  })
  if (isWritten) await finishOpen(service, settling, settlement)
}

/** Whether a transaction that was signed for a payment may still settle it. */
export async function isJournalledOnStellar(
  work: Pick<DatabaseWork, 'select'>,
  { paymentId }: PaymentRow,
): Promise<boolean> {
  const open = and(eq(stellarSettlements.paymentId, paymentId), eq(stellarSettlements.status, 'journalled'))
  return (await work.select().from(stellarSettlements).where(open)).length > 0
}

/** Resubmits the pending transaction, and closes its payment. Returns whether no transaction is pending any more. */
async function finishOpen(
  service: Service,
  { database }: Settling,
  settlement: StellarSettlement,
): Promise<boolean> {
  const [open] = await database
    .select()
    .from(stellarSettlements)
    .where(
      and(eq(stellarSettlements.operator, settlement.operator), eq(stellarSettlements.status, 'journalled')),
    )
  if (open === undefined) return true
  const { paymentId, attempt, hash } = open
  const status = await settlement.send(open)
  if (status === 'unknown') return false
  const isThis = and(eq(stellarSettlements.paymentId, paymentId), eq(stellarSettlements.attempt, attempt))
  await database.transaction(async (work) => {
    const at = new Date(service.now())
    const due = await lockDue(work, paymentId)
    await work.update(stellarSettlements).set({ status }).where(isThis)
    if (status === 'settled' && due !== undefined) await closePayment(work, { payment: due, hash, at })
  })
  return true
}

function stellarPayment({ payment }: Settling, settlement: StellarSettlement): StellarPayment {
  const outcome = outcomeOf(payment)
  const { paymentId } = payment
  // Stellar's USDC has 7 decimals.
  const amount = outcome.amount * 10n
  if (outcome.kind === 'usdc') return { paymentId, amount, to: outcome.receiver }
  if (outcome.kind === 'stellar')
    return { paymentId, amount, call: settlement.readCall(outcome.stellarTransaction) }
  throw new Error(`Payment ${paymentId} does not settle on Stellar.`)
}
