import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type KycValidateResponse, kycValidateBody } from '../../../redeemkit/schema/withdrawal.ts'
import { placePattern } from '../../merchantOptions.ts'
import { kycRecords, merchants } from '../../store/tables/index.ts'
import { maxUserIdLength, requiredUserId } from '../http/customer.ts'
import { authorizedMerchant, type Merchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody, readPrivateBody } from '../http/readBody.ts'
import { endpoint, type Route, route } from '../http/route.ts'
import { compareNames } from './compareNames.ts'
import { createIban } from './createIban.ts'
import { blockedPlaces, customerPlace } from './place.ts'
import { checkBirthDate, checkTextLength } from './readRegistration.ts'
import { registerBusiness } from './registerBusiness.ts'
import { verificationPages, withdrawerDecisions } from './verificationPage.ts'

const path = '/sandbox/withdrawal-rules'

const rulesBody = z.strictObject({
  banDuplicateAccounts: z.optional(z.boolean()),
  requestedAccountFields: z.optional(z.array(z.enum(['accountHolder', 'bic']))),
  blockedPlaces: z.optional(
    z.array(z.string().check(z.regex(placePattern, 'expected a country, or a state such as US-NY'))),
  ),
})

/** A merchant's rules for withdrawers and places, which a production service has in its dashboard (PROTOCOL.md 2.10). */
const withdrawalRules: readonly Route[] = [
  route('GET', path, async (service, context) => rulesOf(await authorizedMerchant(service, context))),
  route('POST', path, async (service, context) => {
    const changes = await readBody(context, rulesBody)
    const merchant = await authorizedMerchant(service, context)
    const database = await service.database()
    const [changed] = await database
      .update(merchants)
      // A single statement, so that concurrent changes are merged.
      .set({ settings: sql`${merchants.settings} || ${JSON.stringify(changes)}::jsonb` })
      .where(eq(merchants.merchantId, merchant.merchantId))
      .returning({ settings: merchants.settings })
    return rulesOf({ ...merchant, ...changed })
  }),
]

function rulesOf(merchant: Merchant) {
  const { banDuplicateAccounts = false, requestedAccountFields = [] } = merchant.settings
  return { banDuplicateAccounts, requestedAccountFields, blockedPlaces: blockedPlaces(merchant) }
}

const { firstName, lastName, dob, country } = kycValidateBody.shape
const kycRecordBody = z.strictObject({ userId: z.string(), firstName, lastName, dob, country })

/** `POST /sandbox/kyc-records`: stores the data that a KYC vendor would read from a person's documents (PROTOCOL.md 2.10). */
const kycRecord = route('POST', '/sandbox/kyc-records', async (service, context) => {
  const { userId, dob = null, country = null, ...names } = await readPrivateBody(context, kycRecordBody)
  if (userId.trim() === '' || userId.length > maxUserIdLength)
    throw invalid(
      'userId',
      `userId must be a text of 1 to ${maxUserIdLength} characters and must not be blank.`,
    )
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
})

/** `POST /api/withdraw/kyc/validate` (PROTOCOL.md 2.9, 10.7). A mismatch returns a 200. */
const validateKyc = endpoint('validateKyc', async (service, context): Promise<KycValidateResponse> => {
  const body = await readPrivateBody(context, kycValidateBody)
  const { firstName, lastName, dob, country, matchThreshold = 90 } = body
  checkTextLength(firstName, 'firstName')
  checkTextLength(lastName, 'lastName')
  if (dob !== undefined) checkBirthDate(service, dob, 'dob')
  const userId = requiredUserId(service, context)
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const [record] = await database
    .select()
    .from(kycRecords)
    .where(and(eq(kycRecords.merchantId, merchantId), eq(kycRecords.userId, userId)))
  if (record === undefined)
    throw problem('NOT_FOUND', 'This user has no KYC record, so nothing was compared.')
  const agree = await compareNames({ firstName, lastName }, record)
  const invalidFields = [
    ...(['firstName', 'lastName'] as const).filter((name) => agree[name] < matchThreshold),
    ...(dob !== undefined && dob !== record.dob ? ['dob'] : []),
    ...(country !== undefined && country !== record.country ? ['country'] : []),
  ]
  return { invalidFields, valid: invalidFields.length === 0 }
})

export const withdrawRoutes: readonly Route[] = [
  validateKyc,
  kycRecord,
  createIban,
  registerBusiness,
  ...verificationPages,
  ...withdrawerDecisions,
  ...withdrawalRules,
  customerPlace,
]
