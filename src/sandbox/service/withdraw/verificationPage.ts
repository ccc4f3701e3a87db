import { and, asc, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { type VerificationStatus, verificationStatus } from '../../../redeemkit/schema/verification.ts'
import { availabilityStatus, type Withdrawer, withdrawer } from '../../../redeemkit/schema/withdrawal.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { bankAccounts, withdrawers } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, type Route, route } from '../http/route.ts'
import { readAnswer, sandboxPage } from '../http/sandboxPage.ts'
import type { Service } from '../service.ts'
import { moveVerification, type WithdrawerRow, withdrawerRecord } from './withdrawers.ts'

const path = '/sandbox/verifications/:reference'

const outcomes = {
  approve: 'approved',
  partial: 'partial-approval',
  reject: 'rejected',
} as const satisfies Record<string, VerificationStatus>

/**
 * The page behind a 451's `verificationLink` (PROTOCOL.md 10.7). The link is the only credential. Programs post
 * `{ "answer": "approve" }`, `partial` or `reject`; browsers continue to `redirectLink`.
 */
export const verificationPages: readonly Route[] = [
  route('GET', path, async (service, context) => {
    const row = await (await service.database()).transaction((work) => find(work, context))
    if (row.verification !== 'pending') return done(row)
    return unframed({
      title: 'Verify your business',
      text: `${row.merchantId} requests documents. This is a sandbox: no documents are checked. Choose the result.`,
      answers: [
        ['approve', 'Approve'],
        ['partial', 'Approve partially'],
        ['reject', 'Reject'],
      ],
    })
  }),
  route('POST', path, async (service, context) => {
    const { answer, isForm } = await readAnswer(context, ['approve', 'partial', 'reject'])
    const database = await service.database()
    const row = await database.transaction(async (work) =>
      moveVerification(work, {
        row: await find(work, context),
        to: outcomes[answer],
        at: new Date(service.now()),
        rejectionReasons: ['Your files do not prove that this business exists.'],
      }),
    )
    service.relayer.wake()
    if (isForm) return done(row)
    return {
      status: row.verification,
      ...(row.redirectLink !== null && { redirectLink: row.redirectLink }),
    }
  }),
]

function done({ redirectLink }: WithdrawerRow): Response {
  const page = unframed({
    title: 'Thank you',
    text: 'The verification is complete. You can return to the previous page.',
  })
  // The policy of the form forbids redirects to other sites, so the page redirects itself.
  if (redirectLink !== null) page.headers.set('refresh', `1; url=${redirectLink}`)
  return page
}

/** Other sites cannot embed the page, which prevents clickjacking. */
function unframed(page: Parameters<typeof sandboxPage>[0]): Response {
  const response = sandboxPage(page)
  // Both this policy and the page's own policy apply.
  response.headers.append('content-security-policy', "frame-ancestors 'none'")
  return response
}

async function find(work: DatabaseWork, context: Context<AppEnv>): Promise<WithdrawerRow> {
  const reference = context.req.param('reference') ?? ''
  const [row] = await work
    .select()
    .from(withdrawers)
    .where(eq(withdrawers.reference, reference))
    .for('update')
  if (row === undefined)
    throw problem('NOT_FOUND', 'The verification does not exist or was replaced by a newer one.')
  return row
}

const decisionBody = z.strictObject({
  status: verificationStatus,
  rejectionReasons: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20))),
})

const settingsBody = z.strictObject({
  availability: z.optional(z.strictObject({ status: availabilityStatus, reason: z.optional(z.string()) })),
  riskScoreOverride: z.optional(z.boolean()),
  blockCardReuseExempt: z.optional(z.boolean()),
  /** Null removes the exemption. */
  geoBlockOverride: z.optional(
    z.nullable(z.omit(withdrawer.shape.geoBlockOverride.def.innerType, { setAt: true })),
  ),
})

/** The service's staff decides about withdrawers. In the sandbox, the developer does so with these routes (PROTOCOL.md 2.10). */
export const withdrawerDecisions: readonly Route[] = [
  route('GET', '/sandbox/withdrawers', async (service, context) => {
    const { merchantId } = await authorizedMerchant(service, context)
    return listWithdrawers(service, merchantId)
  }),
  route('POST', '/sandbox/withdrawers/:withdrawerId/verification', async (service, context) => {
    const { status: to, rejectionReasons } = await readBody(context, decisionBody)
    const at = new Date(service.now())
    return decide(service, context, (work, row) => moveVerification(work, { row, to, at, rejectionReasons }))
  }),
  route('POST', '/sandbox/withdrawers/:withdrawerId/settings', async (service, context) => {
    const { availability, geoBlockOverride, ...flags } = await readBody(context, settingsBody)
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
  }),
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
    const [row] = await work.select().from(withdrawers).where(isIt).for('update')
    if (row === undefined) throw problem('NOT_FOUND', 'The merchant has no such withdrawer.')
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
