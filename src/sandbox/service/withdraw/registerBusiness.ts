import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type Blockchain, chainFamily } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { type KybResponse, kybBody } from '../../../redeemkit/schema/withdrawal.ts'
import { type DatabaseWork, lockIn } from '../../store/database.ts'
import { kycRecords, withdrawers, withdrawerWallets } from '../../store/tables/index.ts'
import { serviceOrigin } from '../http/checkCaller.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { invalid, problem } from '../http/problem.ts'
import { readPrivateBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import type { Service } from '../service.ts'
import { checkPlace, geoBlocked, isBlocked } from './place.ts'
import { type Registration, readRegistration } from './readRegistration.ts'
import { emitVerification, findWithdrawer, type WithdrawerRow, withdrawerRecord } from './withdrawers.ts'

type NamedWallet = { wallet: string; blockchain: Blockchain }

/** Maximum number of additional wallets. */
const most = 50

async function readWallets(
  service: Service,
  wallets: readonly NamedWallet[],
): Promise<readonly NamedWallet[]> {
  if (wallets.length > most) throw invalid('additionalWallets', `Pass at most ${most} additional wallets.`)
  const read: NamedWallet[] = []
  for (const [index, { wallet, blockchain }] of wallets.entries()) {
    if (blockchain === 'user') {
      read.push({ wallet, blockchain })
      continue
    }
    const field = `additionalWallets[${index}].wallet`
    const verifier = await service.authVerifier(chainFamily(blockchain))
    if (verifier === undefined)
      throw invalid(field, `This service does not support wallets on ${blockchain}.`)
    try {
      read.push({ wallet: verifier.parseWallet(wallet), blockchain })
    } catch (cause) {
      if (!(cause instanceof BaseError)) throw cause
      throw invalid(field, cause.shortMessage, cause)
    }
  }
  return read
}

/** `POST /api/withdraw/kyb` (PROTOCOL.md 2.9, 10.7). Even with a 451, the withdrawer is stored. Each call adds its wallets. */
export const registerBusiness = endpoint(
  'registerBusiness',
  async (service, context): Promise<KybResponse> => {
    const body = await readPrivateBody(context, kybBody)
    const registration = readRegistration(service, body)
    const additional = await readWallets(service, body.additionalWallets ?? [])
    const { merchantId } = registration
    const needs = ['wallet', 'userId', 'apiKey'] as const
    const customer = await checkoutCustomer(service, context, { merchantId, needs })
    const { merchant, userId, wallet, blockchain } = customer
    if (userId === undefined || wallet === undefined || blockchain === undefined)
      throw new Error('`needs` did not require the customer headers.')
    await checkPlace(service, { customer })
    for (const country of registration.countries) {
      const place = { country, state: null }
      if (isBlocked(merchant, place)) throw geoBlocked(place, 'kycAddress')
    }
    const wallets = [{ wallet, blockchain }, ...additional] as const
    const at = new Date(service.now())
    const database = await service.database()
    const { row, record } = await lockIn(database, `withdrawer ${merchantId} ${userId}`, async (work) => {
      const row = await register(work, { registration, userId, wallets, at })
      return { row, record: await withdrawerRecord(work, row) }
    })
    service.relayer.wake()
    if (row.verification !== 'pending') return { withdrawer: record }
    throw problem(
      'VERIFICATION_REQUIRED',
      'Redirect the user to verificationLink, then repeat the request.',
      {
        details: {
          verificationLink: `${serviceOrigin(service, context)}/sandbox/verifications/${row.reference}`,
          ...(row.redirectLink !== null && { redirectLink: row.redirectLink }),
          ...(row.rejectionReasons.length > 0 && { rejectionReasons: row.rejectionReasons }),
        },
      },
    )
  },
)

type New = {
  registration: Registration
  userId: string
  wallets: readonly [NamedWallet, ...NamedWallet[]]
  at: Date
}

async function register(work: DatabaseWork, wanted: New): Promise<WithdrawerRow> {
  const { registration, userId, wallets, at } = wanted
  const { merchantId } = registration
  const known = await findWithdrawer(work, { merchantId, userId })
  if (known?.availability === 'Blocked')
    throw problem('CUSTOMER_BLOCKED', 'This withdrawer is blocked and cannot be verified.')
  const isOver = known?.verification === 'rejected' || known?.verification === 'expired'
  // A passive registration, which has no documents, replaces a pending document check.
  const isDecided = known?.verification === 'pending' && registration.verification !== 'pending'
  const row =
    known === undefined
      ? await create(work, wanted)
      : isOver || isDecided
        ? await verifyAgain(work, known, wanted)
        : await keep(work, known, wanted)
  await work
    .insert(withdrawerWallets)
    .values(wallets.map((one) => ({ ...one, merchantId, withdrawerId: row.withdrawerId })))
    .onConflictDoNothing()
  const { person } = registration
  if (person !== undefined && row.verification !== 'rejected')
    await work
      .insert(kycRecords)
      .values({ merchantId, userId, ...person, updatedAt: at })
      .onConflictDoNothing()
  return row
}

function verified({ registration, at }: New) {
  const { email, country, currency, name, verification, vendor, ubos, redirectLink } = registration
  return {
    email,
    country,
    currency,
    name,
    verification,
    vendor,
    ubos,
    redirectLink,
    reference: `ver_${randomUUID()}`,
    ...(verification === 'rejected' && {
      rejectionReasons: ['The tax id does not belong to this business.'],
    }),
    updatedAt: at,
  }
}

async function create(work: DatabaseWork, wanted: New): Promise<WithdrawerRow> {
  const { registration, userId, wallets, at } = wanted
  const rows = await work
    .insert(withdrawers)
    .values({
      rejectionReasons: [],
      ...verified(wanted),
      withdrawerId: `wdr_${randomUUID()}`,
      merchantId: registration.merchantId,
      userId,
      wallet: wallets[0].wallet,
      blockchain: wallets[0].blockchain,
      business: true,
      availability: 'Functional',
      availabilityReason: '',
      availabilityEditor: 'sandbox',
      availabilityAt: at,
      riskScoreOverride: false,
      blockCardReuseExempt: false,
      createdAt: at,
    })
    .returning()
  return notified(work, rows, at)
}

/** Keeps the reasons of the last rejection until the next one, because the user sees them. */
async function verifyAgain(work: DatabaseWork, known: WithdrawerRow, wanted: New): Promise<WithdrawerRow> {
  const rows = await work
    .update(withdrawers)
    .set(verified(wanted))
    .where(eq(withdrawers.withdrawerId, known.withdrawerId))
    .returning()
  return notified(work, rows, wanted.at)
}

async function notified(work: DatabaseWork, rows: WithdrawerRow[], at: Date): Promise<WithdrawerRow> {
  const [row] = rows
  if (row === undefined) throw new Error('The withdrawer was not stored.')
  await emitVerification(work, row, at)
  return row
}

/** Keeps a pending or approved verification unchanged, except for the redirect link. */
async function keep(work: DatabaseWork, known: WithdrawerRow, wanted: New): Promise<WithdrawerRow> {
  const { redirectLink } = wanted.registration
  if (redirectLink === null || redirectLink === known.redirectLink) return known
  const change = { redirectLink, updatedAt: wanted.at }
  await work.update(withdrawers).set(change).where(eq(withdrawers.withdrawerId, known.withdrawerId))
  return { ...known, ...change }
}
