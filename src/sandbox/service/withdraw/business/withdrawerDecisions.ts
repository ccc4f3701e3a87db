import { and, asc, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { verificationStatus } from '../../../../redeemkit/schema/verification.ts'
import { availabilityStatus, type Withdrawer, withdrawer } from '../../../../redeemkit/schema/withdrawal.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { bankAccounts, withdrawers } from '../../../store/tables/index.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { readBody } from '../../http/readBody.ts'
import type { AppEnv, Route } from '../../http/route.ts'
import { isStorableText } from '../../http/storableText.ts'
import type { Service } from '../../service.ts'
import type { WithdrawerRow } from './findWithdrawer.ts'
import { moveVerification } from './moveVerification.ts'
import { withdrawerRecord } from './withdrawerRecord.ts'

const decisionBody = z.strictObject({
  status: verificationStatus,
  rejectionReasons: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20))),
})

const settingsBody = z.strictObject({
  availability: z.optional(z.strictObject({ status: availabilityStatus, reason: z.optional(z.string()) })),
  riskScoreOverride: z.optional(z.boolean()),
  blockCardReuseExempt: z.optional(z.boolean()),
  /** Null: no exemption any more. */
  geoBlockOverride: z.optional(
    z.nullable(z.omit(withdrawer.shape.geoBlockOverride.def.innerType, { setAt: true })),
  ),
})

/** What people at the service do with withdrawers. Here the developer does it (PROTOCOL.md 2.10). */
export const withdrawerDecisions: readonly Route[] = [
  {
    method: 'GET',
    path: '/sandbox/withdrawers',
    handle: async (service, context) => {
      const { merchantId } = await authorizedMerchant(service, context)
      return listWithdrawers(service, merchantId)
    },
  },
  {
    method: 'POST',
    path: '/sandbox/withdrawers/:withdrawerId/verification',
    handle: async (service, context) => {
      const body = await readBody(context, decisionBody)
      checkStorable(body)
      const { status: to, rejectionReasons } = body
      const at = new Date(service.now())
      return decide(service, context, (work, row) =>
        moveVerification(work, { row, to, at, rejectionReasons }),
      )
    },
  },
  {
    method: 'POST',
    path: '/sandbox/withdrawers/:withdrawerId/settings',
    handle: async (service, context) => {
      const body = await readBody(context, settingsBody)
      checkStorable(body)
      const { availability, geoBlockOverride, ...flags } = body
      const at = new Date(service.now())
      return decide(service, context, (work, row) =>
        change(work, row, {
          ...flags,
          ...(availability !== undefined && {
            availability: availability.status,
            availabilityReason: availability.reason ?? '',
            availabilityEditor: 'sandbox',
            availabilityAt: at,
          }),
          ...(geoBlockOverride !== undefined && {
            geoBlockOverride: geoBlockOverride && { ...geoBlockOverride, setAt: at.toISOString() },
          }),
          updatedAt: at,
        }),
      )
    },
  },
]

async function listWithdrawers(service: Service, merchantId: string) {
  const database = await service.database()
  const rows = await database
    .select()
    .from(withdrawers)
    .where(eq(withdrawers.merchantId, merchantId))
    .orderBy(asc(withdrawers.createdAt), asc(withdrawers.withdrawerId))
  const accounts = await database
    .select()
    .from(bankAccounts)
    .where(eq(bankAccounts.merchantId, merchantId))
    .orderBy(asc(bankAccounts.createdAt), asc(bankAccounts.token))
  return {
    withdrawers: await Promise.all(
      rows.map(async (row) => ({ userId: row.userId, ...(await withdrawerRecord(database, row)) })),
    ),
    accounts: accounts.map(({ userId, token, country, lastFour, alias }) => ({
      userId,
      token,
      country,
      lastFour,
      ...(alias !== null && { alias }),
    })),
  }
}

async function decide(
  service: Service,
  context: Context<AppEnv>,
  run: (work: DatabaseWork, row: WithdrawerRow) => Promise<WithdrawerRow>,
): Promise<{ withdrawer: Withdrawer }> {
  const { merchantId } = await authorizedMerchant(service, context)
  const withdrawerId = context.req.param('withdrawerId') ?? ''
  const isIt = and(eq(withdrawers.merchantId, merchantId), eq(withdrawers.withdrawerId, withdrawerId))
  const database = await service.database()
  const record = await database.transaction(async (work) => {
    const [row] = isStorableText(withdrawerId)
      ? await work.select().from(withdrawers).where(isIt).for('update')
      : []
    if (row === undefined) throw problem('NOT_FOUND', 'There is no such withdrawer.')
    return withdrawerRecord(work, await run(work, row))
  })
  service.relayer.wake()
  return { withdrawer: record }
}

async function change(
  work: DatabaseWork,
  { withdrawerId }: WithdrawerRow,
  values: { [name in keyof WithdrawerRow]?: WithdrawerRow[name] | undefined },
): Promise<WithdrawerRow> {
  const [row] = await work
    .update(withdrawers)
    .set(values)
    .where(eq(withdrawers.withdrawerId, withdrawerId))
    .returning()
  if (row === undefined) throw new Error('The withdrawer was not changed.')
  return row
}
