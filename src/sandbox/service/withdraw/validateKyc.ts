import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type KycValidateResponse, kycValidateBody } from '../../../redeemkit/schema/withdrawal.ts'
import { kycRecords } from '../../store/tables/index.ts'
import { userIdHeader } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { checkStorable, readPrivateBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import { compareNames } from './compareNames.ts'
import { checkBirthDate, checkTextLength } from './readRegistration.ts'

const { firstName, lastName, dob, country } = kycValidateBody.shape
const kycRecordBody = z.strictObject({ userId: z.string(), firstName, lastName, dob, country })

/** `POST /sandbox/kyc-records`: stores what a KYC vendor would read from a person's documents (PROTOCOL.md 2.10). */
export const kycRecord: Route = {
  method: 'POST',
  path: '/sandbox/kyc-records',
  handle: async (service, context) => {
    const body = await readPrivateBody(context, kycRecordBody)
    checkStorable(body)
    const { userId, dob = null, country = null, ...names } = body
    if (userId.trim() === '' || userId.length > 256)
      throw problem('INVALID_REQUEST', 'userId must be a non-blank text of 1 to 256 characters.', {
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

/** `POST /api/withdraw/kyc/validate` (PROTOCOL.md 2.9, 10.7): compares a person's data with the record; a mismatch is a 200. */
export const validateKyc: Route = {
  ...endpoint('validateKyc'),
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
      throw problem('NOT_FOUND', 'This user has no KYC record. This is not a failed validation.')
    const agree = await compareNames({ firstName, lastName }, record)
    const invalidFields = [
      ...(['firstName', 'lastName'] as const).filter((name) => agree[name] < matchThreshold),
      ...(dob !== undefined && dob !== record.dob ? ['dob'] : []),
      ...(country !== undefined && country !== record.country ? ['country'] : []),
    ]
    return { invalidFields, valid: invalidFields.length === 0 }
  },
}
