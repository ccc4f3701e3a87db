import { randomUUID } from 'node:crypto'
import { countrySpecs } from 'ibantools'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import { dateText } from '../../../redeemkit/schema/values.ts'
import type { Owner, VerificationStatus } from '../../../redeemkit/schema/verification.ts'
import type { KybBody } from '../../../redeemkit/schema/withdrawal.ts'
import { invalid } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { statusOfTin } from './withdrawers.ts'

const most = 200

/** Names are compared letter by letter, so overlong texts are rejected. */
export function checkTextLength(text: string, field: string): void {
  if (text.length > most) throw invalid(field, `${field} has more than ${most} characters.`)
}

/** Rejects birth dates in the future or too far in the past. `day` is an existing date, `YYYY-MM-DD`. */
export function checkBirthDate(service: Service, day: string, field: string): void {
  const now = new Date(service.now())
  const age = now.getUTCFullYear() - Number(day.slice(0, 4))
  if (day > now.toISOString().slice(0, 10) || age > 130)
    throw invalid(field, `${field} is not a plausible birth date.`)
}

/** A business registration in either body format, without tax ids and documents. */
export type Registration = {
  merchantId: string
  email: string
  country: string
  currency: Currency
  name: string | null
  /** The decision that is made automatically. */
  verification: VerificationStatus
  /** A verification vendor that deployed services use. */
  vendor: string
  ubos: readonly Owner[]
  redirectLink: string | null
  /** The main contact, if the body has one. */
  person: { firstName: string; lastName: string; dob: string | null; country: string | null } | undefined
  countries: readonly string[]
}

/** Reads a registration (PROTOCOL.md 10.7) and checks countries, tax id format, dates and link. */
export function readRegistration(service: Service, body: KybBody): Registration {
  const redirectLink = body.redirectLink === undefined ? null : readLink(body.redirectLink)
  if (!('info' in body)) {
    const country = readCountry(body.country, 'country')
    checkTextLength(body.email, 'email')
    return {
      merchantId: body.merchantId,
      email: body.email,
      country,
      currency: currencyOf(country),
      name: null,
      verification: 'pending',
      vendor: 'sumsub_docv',
      ubos: [],
      redirectLink,
      person: undefined,
      countries: [country],
    }
  }
  const { merchantId, info, ubos = [] } = body
  if (info.merchantId !== undefined && info.merchantId !== merchantId)
    throw invalid('info.merchantId', 'info.merchantId differs from merchantId. Omit info.merchantId.')
  const country = readCountry(info.business.country, 'info.business.country')
  const verification = statusOfTin(readTin(info.tin, country))
  for (const [field, text] of Object.entries({ 'info.name': info.name, ...namesOf(info.person) }))
    checkTextLength(text, field)
  if (info.dateFormed !== undefined) checkDayFormed(service, info.dateFormed)
  ubos.forEach((owner, index) => {
    const place = `ubos[${index}]`
    readCountry(owner.country, `${place}.country`)
    checkBirthDate(service, owner.dob, `${place}.dob`)
    checkTextLength(owner.firstName, `${place}.firstName`)
    checkTextLength(owner.surName, `${place}.surName`)
  })
  const { firstName, lastName } = info.person
  const contact = ubos.find((owner) => owner.firstName === firstName && owner.surName === lastName)
  return {
    merchantId,
    email: info.person.email,
    country,
    currency: currencyOf(country),
    name: info.name,
    verification,
    vendor: 'persona_kyb',
    ubos: ubos.map((owner) => ({
      reference: `ver_${randomUUID()}`,
      // While a business is only partially approved, its owners are still pending.
      status: verification === 'partial-approval' ? 'pending' : verification,
      vendor: 'persona_kyb',
      name: `${owner.firstName} ${owner.surName}`,
    })),
    redirectLink,
    person: { firstName, lastName, dob: contact?.dob ?? null, country: contact?.country ?? null },
    countries: [...new Set([country, ...ubos.map((owner) => owner.country)])],
  }
}

function namesOf({ email, firstName, lastName }: { email: string; firstName: string; lastName: string }) {
  return { 'info.person.email': email, 'info.person.firstName': firstName, 'info.person.lastName': lastName }
}

function readCountry(country: string, field: string): string {
  // The table contains every country of ISO 3166-1.
  if (Object.hasOwn(countrySpecs, country)) return country
  throw invalid(field, `${field} must be a country code of two capital letters (ISO 3166-1).`)
}

/** Reads a tax id: nine digits in the US and Canada, without common separators; elsewhere any national format. */
function readTin(tin: string, country: string): string {
  const plain = tin.replace(/[\s.-]/g, '')
  const isRight = country === 'US' || country === 'CA' ? /^\d{9}$/.test(plain) : /^[\w/]{2,30}$/.test(plain)
  if (!isRight) throw invalid('info.tin', `info.tin is not a valid tax id in ${country}.`)
  return plain
}

function checkDayFormed(service: Service, day: string): void {
  const today = new Date(service.now()).toISOString().slice(0, 10)
  if (!dateText.safeParse(day).success || day > today)
    throw invalid('info.dateFormed', 'info.dateFormed must be a past date as YYYY-MM-DD.')
}

/** Reads the page to which the browser returns: http or https, without credentials. */
function readLink(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : undefined
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    link.length <= 2048
  )
    return url.href
  throw invalid('redirectLink', 'redirectLink must be http or https, without user name and password.')
}

const currencies: Partial<Record<string, Currency>> = { US: 'USD', GB: 'GBP', BR: 'BRL', CA: 'CAD' }
const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

function currencyOf(country: string): Currency {
  return currencies[country] ?? (euroCountries.includes(country) ? 'EUR' : 'USD')
}
