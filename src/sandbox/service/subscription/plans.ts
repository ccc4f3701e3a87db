import { randomUUID } from 'node:crypto'
import { and, eq, or } from 'drizzle-orm'
import * as z from 'zod/mini'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { type Blockchain, isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { subscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import { type TransactionData, transactionData } from '../../../redeemkit/schema/transactionData.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { subscriptionPlans } from '../../store/tables/index.ts'
import { convertCents, convertRatedCents } from '../checkout/rates.ts'
import { evmChain } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'

import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { PaymentNotSettledError } from '../settlement/outcome.ts'
import type { PlanRow } from './subscriptionRecord.ts'

export async function findPlan(
  database: Database,
  { merchantId, planId }: { merchantId: string; planId: string },
): Promise<PlanRow> {
  const isIt = or(eq(subscriptionPlans.planId, planId), eq(subscriptionPlans.code, planId))
  const [row] = await database
    .select()
    .from(subscriptionPlans)
    .where(and(eq(subscriptionPlans.merchantId, merchantId), isIt))
  if (row === undefined) throw problem('NOT_FOUND', `The merchant has no plan ${showValue(planId)}.`)
  return row
}

/**
 * `transaction` is JSON of transactionData on EVM chains, base64 XDR on Stellar (PROTOCOL.md 10.5).
 *
 * @returns undefined if the transaction cannot be read or the chain is not supported
 */
export function planEffect(plan: {
  transaction?: string | null | undefined
  settlementChain?: Blockchain | null | undefined
}): PlanEffect | undefined {
  const { transaction, settlementChain } = plan
  if (transaction === undefined || transaction === null) return {}
  if (settlementChain === 'stellar') return { stellarTransaction: transaction }
  if (settlementChain === undefined || settlementChain === null || !isEvmBlockchain(settlementChain))
    return undefined
  const parsed = transactionData.safeParse(attempt(() => JSON.parse(transaction)))
  return parsed.success ? { transactionData: parsed.data } : undefined
}

type PlanEffect = {
  transactionData?: TransactionData | undefined
  stellarTransaction?: string | undefined
}

/** Rejects a plan whose payments could never settle on this service (PROTOCOL.md 10.5). */
export async function checkPlanEffect(service: Service, plan: PlanBody): Promise<void> {
  const { settlementChain, amount } = plan
  if (settlementChain === undefined) return
  const { transactionData, stellarTransaction } = planEffect(plan) ?? {}
  if (transactionData !== undefined) {
    const chain = evmChain(service, settlementChain, 'settlementChain')
    if (chain.paymentSettlement === undefined || service.kind === 'randomNonce')
      throw invalid('settlementChain', `This service cannot settle plans on ${settlementChain}.`)
    const { cents, currency } = amount
    const usdCents = convertCents(BigInt(cents), {
      from: currency,
      to: 'USD',
      round: 'down',
      field: 'amount',
    })
    resolveIntent(chain, { subtotal: { cents: Number(usdCents) }, transactionData })
  }
  if (stellarTransaction === undefined) return
  const settlement = await service.stellarSettlement()
  if (settlement === undefined)
    throw invalid('settlementChain', 'This service cannot settle plans on stellar.')
  try {
    settlement.readCall(stellarTransaction)
  } catch (error) {
    if (!(error instanceof PaymentNotSettledError)) throw error
    throw invalid('transaction', error.shortMessage)
  }
}

export function checkPlanOptions(merchants: readonly { plans?: readonly unknown[] | undefined }[]): void {
  for (const { plans = [] } of merchants) for (const plan of plans) checkPlan(plan)
}

function checkPlan(plan: unknown): void {
  try {
    parseRecord(planBody, plan, { record: 'The plan' })
  } catch (cause) {
    if (!(cause instanceof InvalidRecordError)) throw cause
    throw new InvalidSandboxOptionsError(cause.shortMessage, {
      field: `merchants.plans.${cause.field ?? ''}`,
      fix: 'Pass code, name, interval (Daily, Weekly, Monthly or Yearly) and amount (PROTOCOL.md 11.12).',
      cause,
    })
  }
}

/** Whether a period's amount is from 1 to 2^53 - 1 US cents. */
function canSettle({ cents, currency }: { cents: number; currency: Currency }): boolean {
  if (cents === 0) return false
  const usdCents = convertRatedCents(BigInt(cents), { from: currency, to: 'USD', round: 'down' })
  // A currency without a rate is reported when the body is read.
  return usdCents === undefined || (usdCents > 0n && usdCents <= BigInt(Number.MAX_SAFE_INTEGER))
}

const periods = 'expected a whole number from 1 to 10000'

const { id: _, active, ...fields } = subscriptionPlan.shape

/** A plan as merchants send it: the plan record without its id (PROTOCOL.md 2.10). */
export const planBody = z
  .strictObject({
    ...fields,
    amount: subscriptionPlan.shape.amount.check(
      z.refine(canSettle, {
        path: ['cents'],
        error: 'expected an amount of at least one US cent and at most 2^53 - 1 US cents',
      }),
    ),
    duration: z.optional(z.int(periods).check(z.minimum(1, periods), z.maximum(10_000, periods))),
    /** Whether customers can buy the plan. Default true. */
    active: z.optional(active),
  })
  .check(
    z.refine((plan) => planEffect(plan) !== undefined, {
      path: ['transaction'],
      error:
        'expected together with settlementChain: JSON of transactionData on EVM chains, base64 XDR on stellar; solana is not supported',
    }),
  )
type PlanBody = z.infer<typeof planBody>

/** Creates a plan, or replaces the plan with the same code. Existing subscribers keep their terms. */
export async function setPlan(
  work: Pick<DatabaseWork, 'insert'>,
  { merchantId, plan, at }: { merchantId: string; plan: PlanBody; at: Date },
): Promise<PlanRow> {
  const { code, name, interval, amount, active: isActive = true, merchantInitiated = false } = plan
  const set = {
    name,
    interval,
    ...amount,
    active: isActive,
    merchantInitiated,
    duration: plan.duration ?? null,
    description: plan.description ?? null,
    transaction: plan.transaction ?? null,
    settlementChain: plan.settlementChain ?? null,
  }
  const [row] = await work
    .insert(subscriptionPlans)
    .values({ planId: `plan_${randomUUID()}`, merchantId, code, createdAt: at, ...set })
    .onConflictDoUpdate({ target: [subscriptionPlans.merchantId, subscriptionPlans.code], set })
    .returning()
  if (row === undefined) throw new Error('The plan was not stored.')
  return row
}
