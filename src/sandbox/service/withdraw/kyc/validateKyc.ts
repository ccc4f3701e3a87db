import { and, eq } from 'drizzle-orm'
import { type KycValidateResponse, kycValidateBody } from '../../../../redeemkit/schema/withdrawal.ts'
import { kycRecords } from '../../../store/tables/index.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { userIdHeader } from '../../http/userIdHeader.ts'
import { checkBirthDate } from '../checkBirthDate.ts'
import { checkTextLength } from '../checkTextLength.ts'
import { compareNames } from './compareNames.ts'

/** `POST /api/withdraw/kyc/validate` (PROTOCOL.md 2.9, 10.7): compares a person's data with the record; a comparison that fails is a 200. */
export const validateKyc: Route = {
  method: 'POST',
  path: '/api/withdraw/kyc/validate',
  handle: async (service, context): Promise<KycValidateResponse> => {
    const body = await readPrivateBody(context, kycValidateBody)
    checkStorable(body)
    const { firstName, lastName, dob, country, matchThreshold = 90 } = body
    checkTextLength(firstName, 'firstName')
    checkTextLength(lastName, 'lastName')
    if (dob !== undefined) checkBirthDate(service, dob, 'dob')
    const userId = userIdHeader(service, context)
    const { userId: header } = service.headers
    if (userId === undefined)
      throw problem('INVALID_REQUEST', `Header ${header} is missing.`, { issues: [header] })
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const [record] = await database
      .select()
      .from(kycRecords)
      .where(and(eq(kycRecords.merchantId, merchantId), eq(kycRecords.userId, userId)))
    if (record === undefined)
      throw problem('NOT_FOUND', 'There is no KYC record of this user. This is no failed validation.')
    const agree = await compareNames({ firstName, lastName }, record)
    const invalidFields = [
      ...(['firstName', 'lastName'] as const).filter((name) => agree[name] < matchThreshold),
      ...(dob !== undefined && dob !== record.dob ? ['dob'] : []),
      ...(country !== undefined && country !== record.country ? ['country'] : []),
    ]
    return { invalidFields, valid: invalidFields.length === 0 }
  },
}
