import type { FindingCode, Severity, SeverityOf } from './findingCatalogue.ts'

/** A fact or problem that an inspection reports. */
export type Finding = {
  severity: Severity
  /** A key of `findingCatalogue`. Programs should use it; the message is for people. */
  code: FindingCode
  /** One sentence that includes the offending value. */
  message: string
  /** Path of the field in the request. */
  field?: string | undefined
  /** How to fix the problem. */
  fix?: string | undefined
}

/** The overall result: `refuse` if there is a danger, `caution` if there is a warning. */
export type Verdict = 'ok' | 'caution' | 'refuse'

/** A movement of an asset from one account to another. */
export type Move = {
  /** The direction, as seen by the account that signs. */
  direction: 'out' | 'in' | 'other'
  /** Address of the token contract; `native` for the native coin. */
  asset: string
  /** Raw units. */
  amount: bigint
  /** `undefined` for an unknown token. */
  decimals: number | undefined
  /** Empty if the request does not name the account, as in an offer or a swap. */
  from: string
  /** Empty if the request does not name the account, as in an offer or a swap. */
  to: string
}

/** A right to take tokens or credits later. */
export type Grant = {
  /** Address of the token contract, or of the credits contract. */
  asset: string
  /** Maximum amount that may be taken, in raw units. */
  amount: bigint | 'unlimited'
  /** `undefined` for an unknown token. */
  decimals: number | undefined
  from: string
  /** The account that may take the asset. */
  to: string
  /** Unix seconds; `undefined` if the right does not expire. */
  until: bigint | undefined
}

export function finding<code extends FindingCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  more: { field?: string | undefined; fix?: string | undefined } = {},
): Finding {
  return { severity, code, message, ...more }
}

/** An approval is a danger if it is unlimited, the wallet can lose tokens, and the spender is unknown. */
export function approvalFinding(
  { spender, isAll, isLoss }: { spender: string; isAll: boolean; isLoss: boolean },
  field?: string,
): Finding {
  return isAll
    ? finding(
        isLoss ? 'danger' : 'warning',
        'UNLIMITED_APPROVAL',
        `The request lets ${spender} take everything.`,
        { field, fix: 'Approve only the amount that is needed.' },
      )
    : finding('warning', 'DELEGATE_APPROVAL', `The request lets ${spender} take tokens.`, {
        field,
        fix: 'Sign it only if you know this spender.',
      })
}

export const notCompared: Finding = {
  severity: 'warning',
  code: 'NOT_COMPARED',
  message: 'The request was not compared with an expected payment.',
  field: 'expected',
  fix: 'Pass `expected`, the payment that the transaction must make.',
}

export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'danger')) return 'refuse'
  return findings.some(({ severity }) => severity === 'warning') ? 'caution' : 'ok'
}

/** The kinds of requests, with their meanings: the values of an inspection's `kind`. */
export const inspectionKinds = {
  creditPermit: 'A credit permit (EIP-712 CreditsAuthorization).',
  creditPermitCancel: 'A cancellation of a credit permit.',
  usdcAuthorization: 'A USDC authorization (EIP-3009 transfer or receive).',
  usdcAuthorizationCancel: 'A cancellation of a USDC authorization.',
  tokenPermit: 'A permit to spend tokens (ERC-2612 or Permit2).',
  transaction: 'An Ethereum transaction.',
  calls: 'A batch of calls (EIP-5792).',
  signIn: 'A sign-in message or challenge.',
  text: 'Text in an unknown format.',
  tempoTransaction: 'A Tempo transaction.',
  solanaTransaction: 'A Solana transaction.',
  solanaUsdcTransfer: 'A Solana transaction that was compared with a USDC transfer.',
  stellarTransaction: 'A Stellar transaction.',
  stellarAuthorization: 'An authorization of a Stellar contract call.',
  unknown: 'A request in an unknown format, or one that cannot be read.',
} as const

export type InspectionKind = keyof typeof inspectionKinds
