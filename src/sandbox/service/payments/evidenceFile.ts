import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { filledText } from '../../../redeemkit/schema/values.ts'
import { evidenceFiles } from '../../store/tables/index.ts'
import { checkStorable } from '../http/checkStorable.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'

const evidenceFileBody = z.strictObject({
  name: filledText,
  content: z.string().check(z.base64('expected base64'), z.minLength(1, 'expected base64 of a file')),
})

/** `POST /sandbox/evidence-files`: uploads a file, and answers the key that a chargeback response takes (PROTOCOL.md 2.10). */
export const evidenceFile: Route = {
  method: 'POST',
  path: '/sandbox/evidence-files',
  handle: async (service, context) => {
    const body = await readBody(context, evidenceFileBody)
    checkStorable(body)
    const { merchantId } = await authorizedMerchant(service, context)
    const fileKey = `file_${randomBytes(24).toString('base64url')}`
    const database = await service.database()
    await database
      .insert(evidenceFiles)
      .values({ ...body, fileKey, merchantId, createdAt: new Date(service.now()) })
    return { fileKey }
  },
}
