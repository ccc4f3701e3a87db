import { randomBytes } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { ibanBody } from '../../../../redeemkit/schema/withdrawal.ts'
import type { DatabaseWork } from '../../../store/database.ts'
import { hashSecret } from '../../../store/hashSecret.ts'
import { lockIn } from '../../../store/lockIn.ts'
import { bankAccounts } from '../../../store/tables/index.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import type { Merchant } from '../../http/merchant.ts'
import { problem } from '../../http/problem.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { findWithdrawer } from '../business/findWithdrawer.ts'
import { checkTextLength } from '../checkTextLength.ts'
import { checkPlace } from '../place/checkPlace.ts'
import { type BankAccount, readBankAccount } from './readBankAccount.ts'

/** `POST /api/withdraw/iban` (PROTOCOL.md 2.9, 10.7): saves a bank account of a user, and answers its token. */
export const createIban: Route = {
  method: 'POST',
  path: '/api/withdraw/iban',
  handle: async (service, context) => {
    const body = await readPrivateBody(context, ibanBody)
    checkStorable(body)
    for (const name of ['accountHolder', 'alias'] as const) checkTextLength(body[name] ?? '', name)
    const account = await readBankAccount(body)
    const name = service.headers.merchantId
    const merchantId = context.req.header(name)
    if (merchantId === undefined)
      throw problem('INVALID_REQUEST', `Header ${name} is missing.`, { issues: [name] })
    const needs = ['wallet', 'userId', 'apiKey'] as const
    const customer = await checkoutCustomer(service, context, { merchantId, needs })
    await checkPlace(service, { customer })
    const { merchant, userId = '' } = customer
    const { alias } = body
    const at = new Date(service.now())
    // Two users who add one account at once come one after the other.
    const token = await lockIn(await service.database(), `bank accounts of ${merchantId}`, (work) =>
      saveAccount(work, { merchant, userId, account, alias, at }),
    )
    return context.json(token)
  },
}

type NewAccount = {
  merchant: Merchant
  userId: string
  account: BankAccount
  alias: string | undefined
  at: Date
}

/** @returns the account's token: that which it has, where the user saved it before */
async function saveAccount(work: DatabaseWork, wanted: NewAccount): Promise<string> {
  const { merchant, userId, account, alias, at } = wanted
  const { merchantId, settings } = merchant
  const withdrawer = await findWithdrawer(work, { merchantId, userId })
  if (withdrawer?.availability === 'Blocked')
    throw problem('CUSTOMER_BLOCKED', 'This withdrawer is blocked and adds no accounts.')
  const { country, lastFour, bic } = account
  // With the merchant in it: equal hashes of two merchants would tell that they pay the same person.
  const accountHash = hashSecret(`${merchantId} ${account.account}`)
  const isIt = and(eq(bankAccounts.merchantId, merchantId), eq(bankAccounts.accountHash, accountHash))
  const isOwn = and(isIt, eq(bankAccounts.userId, userId))
  const [own] = await work.select({ token: bankAccounts.token }).from(bankAccounts).where(isOwn)
  if (own !== undefined) {
    const change = { ...(alias !== undefined && { alias }), ...(bic !== undefined && { bic }) }
    if (Object.keys(change).length > 0) await work.update(bankAccounts).set(change).where(isOwn)
    return own.token
  }
  if (settings.banDuplicateAccounts && !withdrawer?.blockCardReuseExempt) {
    const isOthers = and(isIt, ne(bankAccounts.userId, userId))
    const [others] = await work.select({ token: bankAccounts.token }).from(bankAccounts).where(isOthers)
    if (others !== undefined)
      throw problem('PAYMENT_METHOD_IN_USE', 'Another withdrawer of this merchant uses this account.')
  }
  const token = `iban_${randomBytes(24).toString('base64url')}`
  await work.insert(bankAccounts).values({
    token,
    merchantId,
    userId,
    accountHash,
    country,
    lastFour,
    bic: bic ?? null,
    alias: alias ?? null,
    createdAt: at,
  })
  return token
}
