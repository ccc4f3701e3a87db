import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Currency } from '../../../redeemkit/schema/currency.ts'
import { subscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptionPlans } from '../../store/tables/index.ts'
import { convertRatedCents } from '../checkout/totals/convertCents.ts'
import { planEffect } from './planEffect.ts'
import type { PlanRow } from './subscriptionRow.ts'

/** What a period could settle: with less than a US cent nothing, and above 2^53 - 1 it would be rounded. */
function canSettle({ cents, currency }: { cents: number; currency: Currency }): boolean {
  if (cents === 0) return false
  const usdCents = convertRatedCents(BigInt(cents), { from: currency, to: 'USD', round: 'down' })
  // A currency without a rate is told apart by who reads the body.
  return usdCents === undefined || (usdCents > 0n && usdCents <= BigInt(Number.MAX_SAFE_INTEGER))
}

const periods = 'expected a whole number from 1 to 10000'

const { id: _, active, ...fields } = subscriptionPlan.shape

/** A plan as a merchant makes it: the record without its id (PROTOCOL.md 2.10). */
export const planBody = z
  .strictObject({
    ...fields,
    amount: subscriptionPlan.shape.amount.check(
      z.refine(canSettle, {
        path: ['cents'],
        error: 'expected what comes to one US cent or more, and to 2^53 - 1 at most',
      }),
    ),
    duration: z.optional(z.int(periods).check(z.minimum(1, periods), z.maximum(10_000, periods))),
    /** Whether it can be bought. Default true. */
    active: z.optional(active),
  })
  .check(
    z.refine((plan) => planEffect(plan) !== undefined, {
      path: ['transaction'],
      error:
        'expected with a settlementChain: on EVM chains transactionData as JSON, on stellar base64 XDR; on solana the local service settles none',
    }),
  )
export type PlanBody = z.infer<typeof planBody>

/**
 * Makes a merchant's plan, or changes the one of the same code. Who has bought it keeps the terms of then.
 */
export async function setPlan(
  work: Pick<DatabaseWork, 'insert'>,
  options: { merchantId: string; plan: PlanBody; at: Date },
): Promise<PlanRow> {
  const { merchantId, plan, at } = options
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
  if (row === undefined) throw new Error('The plan was not written.')
  return row
}
