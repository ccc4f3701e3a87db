import * as z from 'zod/mini'
import { kycValidateBody } from '../../../../redeemkit/schema/withdrawal.ts'
import { kycRecords } from '../../../store/tables/index.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { checkBirthDate } from '../checkBirthDate.ts'
import { checkTextLength } from '../checkTextLength.ts'

const { firstName, lastName, dob, country } = kycValidateBody.shape
const kycRecordBody = z.strictObject({ userId: z.string(), firstName, lastName, dob, country })

/** `POST /sandbox/kyc-records`: what a person's documents said, in the place of a vendor who read them (PROTOCOL.md 2.10). */
export const kycRecord: Route = {
  method: 'POST',
  path: '/sandbox/kyc-records',
  handle: async (service, context) => {
    const body = await readPrivateBody(context, kycRecordBody)
    checkStorable(body)
    const { userId, dob = null, country = null, ...names } = body
    if (userId.trim() === '' || userId.length > 256)
      throw problem('INVALID_REQUEST', 'userId is a text of 1 to 256 characters that is not blank.', {
        issues: ['userId'],
      })
    checkTextLength(names.firstName, 'firstName')
    checkTextLength(names.lastName, 'lastName')
    if (dob !== null) checkBirthDate(service, dob, 'dob')
    const { merchantId } = await authorizedMerchant(service, context)
    const record = { ...names, dob, country, updatedAt: new Date(service.now()) }
    const database = await service.database()
    await database
      .insert(kycRecords)
      .values({ merchantId, userId, ...record })
      .onConflictDoUpdate({ target: [kycRecords.merchantId, kycRecords.userId], set: record })
    return {}
  },
}
