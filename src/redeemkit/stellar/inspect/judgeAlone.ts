import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { InspectionContext } from './context.ts'

/** What is wrong with the expected payment, and only unusual in a transaction of another service: its sentence, and what to do. */
const unusual: Partial<Record<FindingCode, readonly [message: string, fix: string]>> = {
  EXPIRED: ['It has expired, so it can no longer be executed.', 'Ask for a new one.'],
  EXPIRES_TOO_LATE: [
    'It can be executed for longer than usual.',
    'Sign it only if it may be executed later.',
  ],
  NOT_YET_VALID: ['It cannot be executed yet.', 'Sign it only if it may be executed later.'],
  NO_TIME_LIMIT: [
    'It does not expire: it can be executed at any later time.',
    'Sign it only if it may be executed later.',
  ],
  UNKNOWN_CONDITION: [
    'It has conditions that were not compared with anything.',
    'Sign it only if you trust the site that asks.',
  ],
  UNEXPECTED_RESOURCES: [
    'It has resources that were not compared with anything.',
    'Sign it only if you trust the site that asks.',
  ],
  FOREIGN_SIGNATURE: [
    'It carries the signature of another account.',
    'Sign it only if others are to sign it, too.',
  ],
  EXTRA_SIGNER: ['Another account would sign for it, too.', 'Sign it only if you know that account.'],
  FEE_TOO_HIGH: ['Its network fee may be more than 1 XLM.', 'Sign it only if you want to pay this fee.'],
}

/** The dangers that remain, in words. */
const wrong: Partial<Record<FindingCode, string>> = {
  FEE_TOO_HIGH: 'Its network fee may be more than 100 XLM.',
  WRONG_ASSET: 'Its USDC is not the USDC of this network.',
  WRONG_NETWORK: 'It is for another network.',
  WRONG_ACCOUNT: 'It is for another account.',
  WRONG_SEQUENCE: 'Its sequence number is invalid.',
}

/** More than the fee of any transaction that a person signs, in stroops: 100 XLM. */
const mostFee = 1_000_000_000n

/** The findings of a request that was compared with nothing: only what cannot be honest remains a danger. */
export function judgeAlone({ findings, maxFee }: InspectionContext, fee?: bigint): Finding[] {
  return findings.map((found) => {
    const { code, severity } = found
    const isOver = code === 'FEE_TOO_HIGH' && (maxFee !== undefined || (fee ?? 0n) > mostFee)
    const [message, fix] = isOver ? [] : (unusual[code] ?? [])
    if (severity !== 'danger') return found
    return message === undefined
      ? { ...found, message: wrong[code] ?? found.message }
      : { ...found, severity: 'warning', message, fix }
  })
}
