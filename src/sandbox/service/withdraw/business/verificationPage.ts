import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { VerificationStatus } from '../../../../redeemkit/schema/verification.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { withdrawers } from '../../../store/tables/index.ts'
import { problem } from '../../http/problem.ts'
import { readAnswer } from '../../http/readAnswer.ts'
import type { AppEnv, Route } from '../../http/route.ts'
import { isStorableText } from '../../http/storableText.ts'
import { sandboxPage } from '../../payments/sandboxPage.ts'
import type { WithdrawerRow } from './findWithdrawer.ts'
import { moveVerification } from './moveVerification.ts'

const path = '/sandbox/verifications/:reference'

const outcomes = {
  approve: 'approved',
  partial: 'partial-approval',
  reject: 'rejected',
} as const satisfies Record<string, VerificationStatus>

/**
 * The page of a 451's `verificationLink` (PROTOCOL.md 10.7), in the place of a vendor who reads documents. Whoever has the link is the
 * user. A program posts `{ "answer": "approve" }`, `partial` or `reject` to it; a browser goes on to `redirectLink`.
 */
export const verificationPages: readonly Route[] = [
  {
    method: 'GET',
    path,
    handle: async (service, context) => {
      const row = await (await service.database()).transaction((work) => find(work, context))
      if (row.verification !== 'pending') return done(row)
      return unframed({
        title: 'Verify your business',
        text: `${row.merchantId} asks for documents. This is the sandbox: nobody looks at any, and you say what comes of it.`,
        answers: [
          ['approve', 'Approve'],
          ['partial', 'Approve in part'],
          ['reject', 'Reject'],
        ],
      })
    },
  },
  {
    method: 'POST',
    path,
    handle: async (service, context) => {
      const { answer, isForm } = await readAnswer(context, ['approve', 'partial', 'reject'])
      const database = await service.database()
      const row = await database.transaction(async (work) =>
        moveVerification(work, {
          row: await find(work, context),
          to: outcomes[answer],
          at: new Date(service.now()),
          rejectionReasons: ['What was sent does not show that this business exists.'],
        }),
      )
      service.relayer.wake()
      if (isForm) return done(row)
      return {
        status: row.verification,
        ...(row.redirectLink !== null && { redirectLink: row.redirectLink }),
      }
    },
  },
]

function done({ redirectLink }: WithdrawerRow): Response {
  const page = unframed({
    title: 'Thank you',
    text: 'That is all. You can go back to where you came from.',
  })
  // The page's own form may lead nowhere else, so it is the page that goes on.
  if (redirectLink !== null) page.headers.set('refresh', `1; url=${redirectLink}`)
  return page
}

/** No page of another site may show it and have its buttons pressed unseen. */
function unframed(page: Parameters<typeof sandboxPage>[0]): Response {
  const response = sandboxPage(page)
  // Beside the page's own policy: both count.
  response.headers.append('content-security-policy', "frame-ancestors 'none'")
  return response
}

async function find(work: DatabaseWork, context: Context<AppEnv>): Promise<WithdrawerRow> {
  const reference = context.req.param('reference') ?? ''
  const [row] = isStorableText(reference)
    ? await work.select().from(withdrawers).where(eq(withdrawers.reference, reference)).for('update')
    : []
  if (row === undefined)
    throw problem('NOT_FOUND', 'There is no such verification, or a newer one was begun.')
  return row
}
