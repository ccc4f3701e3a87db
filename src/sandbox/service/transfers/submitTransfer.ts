import { and, eq } from 'drizzle-orm'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { keyedLock } from '../../concurrency.ts'
import { UnknownRowError } from '../../store/columns.ts'
import { type DatabaseWork, lockIn } from '../../store/database.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import { checkCredentials, walletHeaders } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { paidBefore, paidCreations } from './prepareTransfer.ts'
import {
  type Outcome,
  type SignedTransfer,
  type TransferChain,
  unreachable,
  usdcTransferSubmitBody,
} from './transferChain.ts'
import { servedChain } from './transferChains.ts'

/**
 * Inspects, co-signs, journals and submits the customer's transaction, and returns its hash once confirmed. Repeating the request
 * returns the same hash.
 */
export const submitTransfer = route(
  'POST',
  '/sandbox/usdc-transfer/submit',
  async (service, context): Promise<{ hash: string }> => {
    const { id, transaction } = await readBody(context, usdcTransferSubmitBody)
    const { blockchain, wallet } = await walletHeaders(service, context)
    const chain = await servedChain(service, blockchain)
    checkTransaction(chain, transaction)
    await checkCredentials(service, context)
    return oneAtATime(id, async () => {
      const database = await service.database()
      for (;;) {
        const [row] = await database.select().from(usdcTransfers).where(eq(usdcTransfers.id, id))
        if (row === undefined)
          throw problem(
            'NOT_FOUND',
            'The transfer does not exist. Prepare it with POST /sandbox/usdc-transfer.',
          )
        if (row.blockchain !== blockchain || row.wallet !== wallet)
          throw problem('FORBIDDEN', 'The transfer was prepared for another wallet.')
        try {
          return await submit(service, { chain, row, transaction })
        } catch (error) {
          // Another process has changed the row, so this one reads it again.
          if (!(error instanceof TransferTaken)) throw error
        }
      }
    })
  },
)

function checkTransaction(chain: TransferChain, transaction: string): void {
  try {
    chain.check(transaction)
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw invalid('transaction', cause.shortMessage, cause)
  }
}

const oneAtATime = keyedLock()

type Row = typeof usdcTransfers.$inferSelect

async function submit(
  service: Service,
  options: { chain: TransferChain; row: Row; transaction: string },
): Promise<{ hash: string }> {
  const { chain, row, transaction } = options
  checkPrepared(chain, transaction, row.prepared)
  switch (row.status) {
    case 'settled':
      return { hash: sentOf(row).hash }
    case 'expired':
      throw problem('PERMIT_EXPIRED', row.error ?? 'The transfer has expired.')
    case 'failed':
      throw problem('SIMULATION_FAILED', row.error ?? 'The transfer has failed.')
    case 'journalled':
    case 'prepared': {
      const { outcome, hash } =
        row.status === 'journalled' ? await resume(chain, row) : await settle(service, options)
      const was = hash === '' ? 'prepared' : 'journalled'
      if (!(await close(service, { row, outcome, was }))) throw new TransferTaken()
      if (outcome.status === 'settled') return { hash }
      throw outcome.problem
    }
    default:
      return row.status satisfies never
  }
}

function checkPrepared(chain: TransferChain, transaction: string, facts: string): void {
  if (chain.isPrepared(transaction, facts)) return
  const reasons = chain.explain(transaction, facts)
  throw problem(
    'INTENT_MISMATCH',
    `This is not the transaction that was prepared: ${reasons.map(({ message }) => message).join(' ') || 'its bytes differ.'}`,
    { details: { findings: reasons } },
  )
}

async function resume(chain: TransferChain, row: Row): Promise<Settled> {
  const sent = sentOf(row)
  const outcome = await chain.resume({ facts: row.prepared, ...sent }).catch(asUnknown)
  return { outcome, hash: sent.hash }
}

function sentOf({ id, raw, hash }: Row): { raw: string; hash: string } {
  if (raw !== null && hash !== null) return { raw, hash }
  throw new UnknownRowError(`Transfer ${id} was sent, but its row has no transaction.`)
}

async function settle(
  service: Service,
  { chain, row, transaction }: { chain: TransferChain; row: Row; transaction: string },
): Promise<Settled> {
  await paidBefore(service, row)
  let hash = ''
  const outcome = await chain
    .settle({
      facts: row.prepared,
      transaction,
      onSigned: async (signed) => {
        await journal(service, row, signed)
        hash = signed.hash
      },
    })
    .catch((error: unknown) => {
      // A transaction is journalled before it is sent. Without a hash, none was sent.
      if (hash === '') throw unreachable(error) ?? error
      return asUnknown(error)
    })
  return { outcome, hash }
}

/** @param hash hash of the transaction; empty until the sponsor has signed */
type Settled = { outcome: Outcome; hash: string }

/** Journals the transaction before it is sent. A unique index allows one transfer per payment. */
async function journal(service: Service, row: Row, signed: SignedTransfer): Promise<void> {
  const { checkPaid, ...sent } = signed
  const database = await service.database()
  const write = async (work: Pick<DatabaseWork, 'update'>) => {
    const rows = await work
      .update(usdcTransfers)
      .set({ status: 'journalled', ...sent })
      .where(and(eq(usdcTransfers.id, row.id), eq(usdcTransfers.status, 'prepared')))
      .returning({ id: usdcTransfers.id })
    if (rows.length === 0) throw new TransferTaken()
  }
  try {
    if (checkPaid === undefined) await write(database)
    // Journalling one transfer at a time makes the count of paid accounts exact across processes.
    else
      await lockIn(database, `rent/${row.blockchain}`, async (work) => {
        checkPaid(await paidCreations(work, { ...row, now: service.now() }))
        await write(work)
      })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    await paidBefore(service, row)
    throw problem('AMBIGUOUS_INTENT', 'This transaction was already sent for another transfer.', {
      cause: error,
      details: { hash: signed.hash },
    })
  }
}

/** Another process has changed the transfer's row. */
class TransferTaken extends Error {}

/** Returns whether the row was unchanged since this process had read it. */
async function close(
  service: Service,
  { row, outcome, was }: { row: Row; outcome: Outcome; was: 'prepared' | 'journalled' },
): Promise<boolean> {
  if (outcome.status === 'unknown') return true
  const database = await service.database()
  const isRefused = outcome.status === 'refused'
  const isIt = eq(usdcTransfers.id, row.id)
  // A confirmed transfer becomes settled even if another process stored a different outcome.
  if (outcome.status === 'settled') {
    const sent = row.raw === null ? {} : { raw: row.raw, hash: row.hash }
    await database
      .update(usdcTransfers)
      .set({ status: 'settled', error: null, ...sent })
      .where(isIt)
    return true
  }
  const closed = await database
    .update(usdcTransfers)
    .set({
      status: isRefused ? 'prepared' : outcome.status,
      error: outcome.problem.shortMessage,
      // A transaction that was not sent must not block another one.
      ...(isRefused && { raw: null, hash: null }),
    })
    .where(and(isIt, eq(usdcTransfers.status, was)))
    .returning({ id: usdcTransfers.id })
  return closed.length > 0
}

function asUnknown(cause: unknown): Outcome {
  return {
    status: 'unknown',
    problem: problem(
      'UNAVAILABLE',
      'The transfer is not confirmed yet. Repeat the request; it is never paid twice.',
      { cause },
    ),
  }
}

function isDuplicate(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && current.code === '23505') return true
  return false
}
