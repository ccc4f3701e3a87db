import { and, eq } from 'drizzle-orm'
import { chargebackResponseBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { chargebackResponses, evidenceFiles } from '../../store/tables/index.ts'
import { checkStorable } from '../http/checkStorable.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { findPayment } from './findPayment.ts'
import { paymentWork } from './paymentWork.ts'

/** `POST /api/merchant/chargebacks/{paymentId}/respond` (PROTOCOL.md 2.7): words or a file, as often as the dispute is open. */
export const respondToChargeback: Route = {
  method: 'POST',
  path: '/api/merchant/chargebacks/:paymentId/respond',
  handle: async (service, context) => {
    const body = await readBody(context, chargebackResponseBody)
    checkStorable(body)
    const { merchantId } = await authorizedMerchant(service, context)
    const paymentId = context.req.param('paymentId') ?? ''
    await paymentWork(service, async (work) => {
      const { status } = await findPayment(work, { merchantId, paymentId })
      if (status !== 'disputed')
        throw problem('PAYMENT_STATE', `The payment is ${status}: there is no dispute to answer.`, {
          details: { paymentId, status },
        })
      const answer = 'fileKey' in body ? { fileKey: body.fileKey } : { response: body.response }
      if (answer.fileKey !== undefined) await checkFile(work, { merchantId, fileKey: answer.fileKey })
      await work
        .insert(chargebackResponses)
        .values({ paymentId, ...answer, createdAt: new Date(service.now()) })
    })
    return {}
  },
}

async function checkFile(work: DatabaseWork, file: { merchantId: string; fileKey: string }): Promise<void> {
  const { merchantId, fileKey } = file
  const [row] = await work
    .select({ fileKey: evidenceFiles.fileKey })
    .from(evidenceFiles)
    .where(and(eq(evidenceFiles.fileKey, fileKey), eq(evidenceFiles.merchantId, merchantId)))
  if (row === undefined)
    throw problem(
      'INVALID_REQUEST',
      'There is no such file. Upload it first: POST /sandbox/evidence-files.',
      {
        issues: ['fileKey'],
      },
    )
}
