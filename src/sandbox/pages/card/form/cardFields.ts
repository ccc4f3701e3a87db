import { passesLuhn } from '../../../../redeemkit/core/passesLuhn.ts'

export type Card = { number: string; expMonth: string; expYear: string; cvv: string }

export type FieldProblem =
  | 'emailMissing'
  | 'emailWrong'
  | 'numberMissing'
  | 'numberWrong'
  | 'expiryMissing'
  | 'expiryWrong'
  | 'expiryPast'
  | 'cvvMissing'
  | 'cvvWrong'
  | 'nameMissing'

export const fieldNames = ['email', 'number', 'expiry', 'cvv', 'name'] as const
export type FieldName = (typeof fieldNames)[number]

/** Groups digits as printed on cards: 4-6-5 for numbers that start with 34 or 37, otherwise in fours. */
export function formatNumber(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 19)
  const groups = isFifteen(digits)
    ? /^(\d{0,4})(\d{0,6})(\d{0,5})/
    : /(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,3})/
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

/** Formats typed, pasted or autofilled text as `MM / YY`, including `12/2030`, `2030-12` and `1230`. */
export function formatExpiry(typed: string): string {
  const [, year, month] = /^\s*20(\d\d)\D+(\d{1,2})\s*$/.exec(typed) ?? []
  const text = year === undefined ? typed : `${month}/${year}`
  const [first = '', ...rest] = text.split(/\D+/).filter(Boolean)
  const digits = first.length === 1 && (rest.length > 0 || Number(first) > 1) ? `0${first}` : first
  const whole = (digits + rest.join('')).replace(/^(\d\d)20(\d\d)$/, '$1$2').slice(0, 4)
  const isOpen = whole.length === 2 && /\D\s*$/.test(typed)
  return whole.length > 2 || isOpen ? `${whole.slice(0, 2)} / ${whole.slice(2)}` : whole
}

export function formatCvv(typed: string): string {
  return typed.replace(/\D/g, '').slice(0, 4)
}

export function findProblems(
  fields: Record<FieldName, string>,
  { now, asksEmail }: { now: number; asksEmail: boolean },
): Partial<Record<FieldName, FieldProblem>> {
  const number = fields.number.replace(/\D/g, '')
  const cvvLength = isFifteen(number) ? /^\d{4}$/ : /^\d{3,4}$/
  const isNumber = number.length >= 12 && number.length <= 19 && passesLuhn(number)
  const problems: Partial<Record<FieldName, FieldProblem | undefined>> = {
    email: asksEmail ? emailProblem(fields.email.trim()) : undefined,
    number: number === '' ? 'numberMissing' : isNumber ? undefined : 'numberWrong',
    expiry: expiryProblem(fields.expiry, now),
    cvv: fields.cvv === '' ? 'cvvMissing' : cvvLength.test(fields.cvv) ? undefined : 'cvvWrong',
    name: fields.name.trim() === '' ? 'nameMissing' : undefined,
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

export function cardOf({ number, expiry, cvv }: Record<FieldName, string>): Card {
  const [expMonth = '', expYear = ''] = expiry.split(/\D+/)
  return { number: number.replace(/\D/g, ''), expMonth, expYear, cvv }
}

function emailProblem(email: string): FieldProblem | undefined {
  if (email === '') return 'emailMissing'
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : 'emailWrong'
}

function expiryProblem(expiry: string, now: number): FieldProblem | undefined {
  if (expiry.trim() === '') return 'expiryMissing'
  const [, month = '', year = ''] = /^(\d\d) \/ (\d\d)$/.exec(expiry) ?? []
  if (Number(month) < 1 || Number(month) > 12) return 'expiryWrong'
  // Accepts the card until its month has ended in every time zone; the service's clock decides.
  const end = Date.UTC(2000 + Number(year), Number(month)) + 12 * 3_600_000
  return now >= end ? 'expiryPast' : undefined
}

function isFifteen(digits: string): boolean {
  return /^3[47]/.test(digits)
}
