import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { amountPerCent, centsToAmount } from '../../../redeemkit/core/amount.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type UsdcWithdrawResponse, usdcWithdrawBody } from '../../../redeemkit/schema/merchantOperations.ts'
import { paymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Pauses } from '../../relayer/createLoop.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { merchants, payments, proceeds, sellerWithdrawals } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import { paymentMeanings } from '../payments/paymentMeanings.ts'
import type { Service } from '../service.ts'
import { sendOnce } from './creditJobs.ts'

/**
 * `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). The balance is reduced before the USDC is sent, on the first chain with USDC. A
 * repeated idempotency key returns the first transaction.
 */
export const usdcWithdraw = endpoint(
  'withdrawUsdc',
  async (service, context): Promise<UsdcWithdrawResponse> => {
    const body = await readBody(context, usdcWithdrawBody)
    const chain = payoutChain(service)
    const destination = checkNonZeroAddress(body.destination, 'destination')
    const own = [chain.usdc, chain.creditsContract, chain.paymentSettlement, chain.operator.address]
    if (own.some((address) => address?.toLowerCase() === destination.toLowerCase()))
      throw invalid(
        'destination',
        `USDC sent to ${destination} would be lost: the address belongs to the service. Pass your own address.`,
      )
    const amount = centsToAmount(body.amount.cents, { field: 'amount.cents' })
    if (amount === 0n) throw invalid('amount.cents', 'The amount to withdraw must be above zero.')
    const { merchantId } = await authorizedMerchant(service, context)
    const row = await takeFromBalance(service, {
      merchantId,
      blockchain: chain.blockchain,
      destination,
      amount,
      idempotencyKey: body.idempotencyKey ?? null,
    })
    if (row.status === 'completed' && row.hash !== null) return { transaction: row.hash }
    if (row.status === 'failed') throw refused(row)
    try {
      const hash = await sendWithdrawal(service, await service.database(), row)
      if (hash !== undefined) return { transaction: hash }
    } catch (cause) {
      // The withdrawal stays pending, and the relayer's next passes send it.
      service.relayer.wake()
      throw problem(
        'UNAVAILABLE',
        `Withdrawal ${row.withdrawalId} is stored and will be sent once the chain is available. Do not repeat the request without its idempotency key.`,
        { cause, details: { withdrawalId: row.withdrawalId } },
      )
    }
    throw refused(row)
  },
)

function refused({ withdrawalId }: WithdrawalRow) {
  return problem('SIMULATION_FAILED', 'The USDC contract rejected this transfer. The balance is unchanged.', {
    details: { withdrawalId },
  })
}

function payoutChain(service: Service): EvmChain {
  const chain = [...service.chains.values()].find(({ usdc }) => usdc !== undefined)
  if (chain === undefined)
    throw problem('UNAVAILABLE', 'This service has no EVM chain with USDC for payouts.')
  return chain
}

/** Takes an amount from the balance. Locks the merchant's row, so that concurrent withdrawals are counted. */
async function takeFromBalance(
  service: Service,
  wanted: Pick<WithdrawalRow, 'merchantId' | 'blockchain' | 'destination' | 'amount' | 'idempotencyKey'>,
): Promise<WithdrawalRow> {
  const { merchantId, amount, idempotencyKey } = wanted
  const database = await service.database()
  return database.transaction(async (work) => {
    await work
      .select({ merchantId: merchants.merchantId })
      .from(merchants)
      .where(eq(merchants.merchantId, merchantId))
      .for('update')
    const known = idempotencyKey === null ? undefined : await findByKey(work, { merchantId, idempotencyKey })
    if (known !== undefined) return sameWithdrawal(known, wanted)
    const balance = await readBalance(work, merchantId)
    if (balance < amount) {
      const availableCents = Number((balance > 0n ? balance : 0n) / amountPerCent)
      throw problem(
        'INSUFFICIENT_FUNDS',
        `The merchant's balance is ${availableCents} cents, but ${amount / amountPerCent} were requested.`,
        { details: { availableCents } },
      )
    }
    const at = new Date(service.now())
    const [row] = await work
      .insert(sellerWithdrawals)
      .values({
        ...wanted,
        withdrawalId: `wd_${randomUUID()}`,
        status: 'pending',
        createdAt: at,
        updatedAt: at,
      })
      .returning()
    if (row === undefined) throw new Error('The withdrawal was not stored.')
    await emitEvent(work, withdrawalEvent(row, at))
    return row
  })
}

async function findByKey(
  work: DatabaseWork,
  { merchantId, idempotencyKey }: { merchantId: string; idempotencyKey: string },
): Promise<WithdrawalRow | undefined> {
  const [row] = await work
    .select()
    .from(sellerWithdrawals)
    .where(
      and(eq(sellerWithdrawals.merchantId, merchantId), eq(sellerWithdrawals.idempotencyKey, idempotencyKey)),
    )
  return row
}

function sameWithdrawal(
  known: WithdrawalRow,
  wanted: Pick<WithdrawalRow, 'destination' | 'amount'>,
): WithdrawalRow {
  if (known.destination === wanted.destination && known.amount === wanted.amount) return known
  throw problem(
    'AMBIGUOUS_INTENT',
    'This idempotency key was used for another withdrawal. Use a new key only for a new withdrawal.',
    {
      details: { withdrawalId: known.withdrawalId },
    },
  )
}

/**
 * Returns raw units of USDC; negative if withdrawn payments were refunded later. A refund reduces a payment's proceeds by the refunded
 * share of its total (including a part paid in USDC), rounded up in the service's favour. Disputed and lost payments do not count.
 */
export async function readBalance(work: Pick<DatabaseWork, 'select'>, merchantId: string): Promise<bigint> {
  const [came] = await work
    .select({
      sum: sql<string>`coalesce(sum(
        ${proceeds.amount} - coalesce(ceil(${proceeds.amount} * ${payments.refundedCents} / nullif(${payments.totalCents}, 0)), 0)
        ), 0)`,
    })
    .from(proceeds)
    .innerJoin(payments, eq(payments.paymentId, proceeds.paymentId))
    .where(and(eq(proceeds.merchantId, merchantId), inArray(payments.status, earningStates)))
  const [went] = await work
    .select({ sum: sql<string>`coalesce(sum(${sellerWithdrawals.amount}), 0)` })
    .from(sellerWithdrawals)
    .where(and(eq(sellerWithdrawals.merchantId, merchantId), ne(sellerWithdrawals.status, 'failed')))
  return wholeOf(came?.sum) - wholeOf(went?.sum)
}

const earningStates = paymentStatus.options.filter((status) => paymentMeanings[status].earns)

/** Converts a whole `numeric`, which PostgreSQL may write with decimal zeros. */
function wholeOf(numeric: string | undefined): bigint {
  return BigInt((numeric ?? '0').split('.')[0] ?? '0')
}

export async function closeWithdrawal(
  work: DatabaseWork,
  options: {
    withdrawalId: string
    outcome: { status: 'completed'; hash: Hex } | { status: 'failed'; error: string }
    at: Date
  },
): Promise<void> {
  const { withdrawalId, outcome, at } = options
  const [row] = await work
    .update(sellerWithdrawals)
    .set({ ...outcome, updatedAt: at })
    .where(and(eq(sellerWithdrawals.withdrawalId, withdrawalId), eq(sellerWithdrawals.status, 'pending')))
    .returning()
  if (row === undefined) return
  await emitEvent(work, withdrawalEvent(row, at))
}

function withdrawalEvent(row: WithdrawalRow, at: Date): emitEvent.Event {
  const { withdrawalId, merchantId, blockchain, destination, amount, status, hash, error } = row
  return {
    merchantId,
    type: `withdrawal.${status}`,
    at,
    data: {
      withdrawalId,
      blockchain,
      destination,
      amount: { cents: Number(amount / amountPerCent) },
      ...(hash !== null && { transaction: hash }),
      ...(error !== null && { error }),
    },
  }
}

type WithdrawalRow = typeof sellerWithdrawals.$inferSelect

/**
 * Does nothing if the withdrawal is already being sent. Returns the hash; undefined if the transfer would revert and the withdrawal
 * failed.
 */
export async function sendWithdrawal(
  service: Service,
  database: Database,
  row: WithdrawalRow,
): Promise<Hex | undefined> {
  const { withdrawalId } = row
  const chain = service.chains.get(row.blockchain)
  if (chain?.usdc === undefined)
    throw new Error(
      `Withdrawal ${withdrawalId} is for ${row.blockchain}, which this service does not support.`,
    )
  return sendOnce(service, {
    database,
    chain,
    reference: { kind: 'withdrawal', withdrawalId },
    request: {
      to: chain.usdc,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [row.destination, row.amount],
      }),
    },
    holdPending: async (work) => {
      const [held] = await work
        .select({ status: sellerWithdrawals.status })
        .from(sellerWithdrawals)
        .where(eq(sellerWithdrawals.withdrawalId, withdrawalId))
        .for('update')
      return held?.status === 'pending'
    },
    fail: (work, reason) =>
      closeWithdrawal(work, {
        withdrawalId,
        outcome: { status: 'failed', error: `The USDC contract rejected the transfer: ${reason}.` },
        at: new Date(service.now()),
      }),
  })
}

/** Sends the withdrawals that a process left pending when it ended. Returns whether any withdrawal is still unsent. */
export async function sendWithdrawals(
  service: Service,
  database: Database,
  pauses: Pauses,
): Promise<boolean> {
  const pending = await database
    .select()
    .from(sellerWithdrawals)
    .where(eq(sellerWithdrawals.status, 'pending'))
  let due = false
  for (const row of pending) {
    if (!service.chains.has(row.blockchain)) continue
    due = true
    await pauses.run(row.withdrawalId, () => sendWithdrawal(service, database, row), service.onError)
  }
  return due
}
