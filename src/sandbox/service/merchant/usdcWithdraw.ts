import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { amountPerCent, centsToAmount } from '../../../redeemkit/core/amount.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type UsdcWithdrawResponse, usdcWithdrawBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { merchants, sellerWithdrawals } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { readBalance, sendWithdrawal, type WithdrawalRow, withdrawalEvent } from './sendWithdrawal.ts'

/**
 * `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). The balance is reduced before the USDC is sent, on the first chain with USDC. A
 * repeated idempotency key returns the first transaction.
 */
export const usdcWithdraw: Route = {
  ...endpoint('withdrawUsdc'),
  handle: async (service, context): Promise<UsdcWithdrawResponse> => {
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
}

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
