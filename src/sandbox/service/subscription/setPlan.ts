import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { subscriptionPlan } from '../../../schema/subscription.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptionPlans } from '../../store/tables/index.ts'
import { planEffect } from './planEffect.ts'
import type { PlanRow } from './subscriptionRow.ts'

const periods = 'expected a whole number from 1 to 10000'

const { id: _, active, ...fields } = subscriptionPlan.shape

/** A plan as a merchant makes it: the record without its id (PROTOCOL.md 2.10). */
export const planBody = z
  .strictObject({
    ...fields,
    amount: subscriptionPlan.shape.amount.check(
      z.refine(({ cents }) => cents > 0, { path: ['cents'], error: 'expected more than 0 cents' }),
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
