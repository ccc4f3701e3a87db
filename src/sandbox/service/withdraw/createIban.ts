import { randomBytes } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { electronicFormatIBAN, isSEPACountry, isValidBIC, validateIBAN } from 'ibantools'
import { type IbanBody, ibanBody } from '../../../redeemkit/schema/withdrawal.ts'
import { type DatabaseWork, lockIn } from '../../store/database.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { bankAccounts } from '../../store/tables/index.ts'
import { checkoutCustomer } from '../http/checkoutCustomer.ts'
import { missingHeader } from '../http/customer.ts'
import type { Merchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readPrivateBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import { checkPlace } from './place.ts'
import { checkTextLength } from './readRegistration.ts'
import { findWithdrawer } from './withdrawers.ts'

type BankAccount = {
  /** Equal for the same account in every notation. */
  account: string
  country: string
  lastFour: string
  bic: string | undefined
}

/** Reads an IBAN of a SEPA country, or a UK sort code and account number, which a British IBAN also contains (PROTOCOL.md 10.7). */
async function readBankAccount(body: IbanBody): Promise<BankAccount> {
  const { sortCode } = body
  const bic = body.bic?.replace(/\s/g, '').toUpperCase()
  const number = body.number.replace(/[\s-]/g, '').toUpperCase()
  if (bic !== undefined && !isValidBIC(bic))
    throw invalid('bic', 'The BIC is invalid. It must have 8 or 11 characters.')
  if (/^\d+$/.test(number)) {
    if (sortCode === undefined)
      throw invalid('sortCode', 'A UK account number requires sortCode. In other countries, pass the IBAN.')
    if (bic !== undefined) throw invalid('bic', 'UK accounts use a sort code. Omit bic.')
    return readUkAccount(sortCode, number)
  }
  if (sortCode !== undefined)
    throw invalid('sortCode', 'A sort code requires a UK account number. Omit sortCode.')
  return readIban(number, bic)
}

async function readIban(number: string, bic: string | undefined): Promise<BankAccount> {
  const iban = electronicFormatIBAN(number)
  if (iban === null || !validateIBAN(iban).valid)
    throw invalid(
      'number',
      'The IBAN is invalid: its length, format or check digits are wrong for its country.',
    )
  const country = iban.slice(0, 2)
  if (!isSEPACountry(country) && !newInSepa.includes(country))
    throw invalid('number', `Accounts in ${country} are not supported: the country is not in SEPA.`)
  if (country === 'GB') return { ...(await readUkAccount(iban.slice(8, 14), iban.slice(14))), bic }
  if (bic === undefined && outsideEea.includes(country))
    throw invalid('bic', `An account in ${country} requires bic: the country is in SEPA but not in the EEA.`)
  return { account: `IBAN ${iban}`, country, lastFour: iban.slice(-4), bic }
}

/** Countries that joined SEPA in 2024 or later, which the library does not know (EPC409-09, the EPC's list of SEPA countries). */
const newInSepa = ['AL', 'MD', 'ME', 'MK', 'RS']

/** SEPA countries outside the European Economic Area, for which the EPC requires the BIC. */
const outsideEea = ['AD', 'CH', 'GI', 'MC', 'SM', 'VA', ...newInSepa]

async function readUkAccount(sortCode: string, number: string): Promise<BankAccount> {
  if (!/^\d{8}$/.test(number)) throw invalid('number', 'A UK account number has 8 digits.')
  // Loaded on first use, because its sort codes take up half a megabyte.
  const { validateAccountDetails } = await import('uk-modulus-check')
  if (!validateAccountDetails(sortCode, number))
    throw invalid('number', 'The account number is wrong for this sort code: the modulus check fails.')
  return { account: `GB ${sortCode} ${number}`, country: 'GB', lastFour: number.slice(-4), bic: undefined }
}

/** `POST /api/withdraw/iban` (PROTOCOL.md 2.9, 10.7): saves a user's bank account, and returns its token. */
export const createIban = endpoint('createIban', async (service, context) => {
  const body = await readPrivateBody(context, ibanBody)
  for (const name of ['accountHolder', 'alias'] as const) checkTextLength(body[name] ?? '', name)
  const account = await readBankAccount(body)
  const name = service.headers.merchantId
  const merchantId = context.req.header(name)
  if (merchantId === undefined) throw missingHeader(name)
  const needs = ['wallet', 'userId', 'apiKey'] as const
  const customer = await checkoutCustomer(service, context, { merchantId, needs })
  await checkPlace(service, { customer })
  const { merchant, userId = '' } = customer
  checkRequested(merchant, { body, account })
  const { alias } = body
  const at = new Date(service.now())
  // With the lock, the second of two concurrent requests with the same account finds the first one's row.
  const token = await lockIn(await service.database(), `bank accounts of ${merchantId}`, (work) =>
    saveAccount(work, { merchant, userId, account, alias, at }),
  )
  return context.json(token)
})

/** `bic` is never requested for a UK account, which has none. */
function checkRequested({ settings }: Merchant, { body, account }: { body: IbanBody; account: BankAccount }) {
  const issues = (settings.requestedAccountFields ?? []).filter(
    (field) => body[field] === undefined && (field !== 'bic' || account.country !== 'GB'),
  )
  if (issues.length > 0)
    throw problem('INVALID_REQUEST', `This merchant requests ${issues.join(' and ')} for bank accounts.`, {
      issues,
    })
}

type NewAccount = {
  merchant: Merchant
  userId: string
  account: BankAccount
  alias: string | undefined
  at: Date
}

/** Returns the existing token if the user has saved the account before. */
async function saveAccount(work: DatabaseWork, wanted: NewAccount): Promise<string> {
  const { merchant, userId, account, alias, at } = wanted
  const { merchantId, settings } = merchant
  const withdrawer = await findWithdrawer(work, { merchantId, userId })
  if (withdrawer?.availability === 'Blocked')
    throw problem('CUSTOMER_BLOCKED', 'This withdrawer is blocked and cannot add accounts.')
  const { country, lastFour, bic } = account
  // Hashed with the merchant id, so that equal hashes cannot reveal that two merchants share an account.
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
