import type { FindingCode, Severity, SeverityOf } from './findingCatalogue.ts'

/** One thing that an inspection noticed about a request. */
export type Finding = {
  severity: Severity
  /** For programs: a row of `findingCatalogue`. The message is for people. */
  code: FindingCode
  /** One sentence with the offending value. */
  message: string
  /** Path of the field that it is about. */
  field?: string | undefined
  /** The way out. */
  fix?: string | undefined
}

/** What the findings amount to: `refuse` when there is a danger, `caution` when there is a warning. */
export type Verdict = 'ok' | 'caution' | 'refuse'

/** What a request really asks for, in words, with what is wrong with it. */
export type Inspection<details = unknown> = {
  /** What the request is: a row of `inspectionKinds`; `unknown` when it has no known form. */
  kind: InspectionKind
  /** One sentence a person can decide on. */
  summary: string
  verdict: Verdict
  findings: readonly Finding[]
  /** The decoded request. */
  details: details
}

/** A finding in one line. */
export function finding<code extends FindingCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  more: { field?: string | undefined; fix?: string | undefined } = {},
): Finding {
  return { severity, code, message, ...more }
}

/** The verdict of a list of findings. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'danger')) return 'refuse'
  return findings.some(({ severity }) => severity === 'warning') ? 'caution' : 'ok'
}

/** What a request can turn out to be, and what that is. One row for each `Inspection.kind`. */
export const inspectionKinds = {
  creditPermit: 'A credit permit (EIP-712 CreditsAuthorization).',
  creditPermitCancel: 'A cancellation of a credit permit.',
  usdcAuthorization: 'A USDC authorization (EIP-3009 transfer or receive).',
  usdcAuthorizationCancel: 'A cancellation of a USDC authorization.',
  signIn: 'A sign-in message or challenge.',
  text: 'A text of no known form.',
  tempoTransaction: 'A transaction of Tempo.',
  solanaTransaction: 'A transaction of Solana.',
  solanaUsdcTransfer: 'A transaction of Solana that was held against a USDC transfer.',
  stellarTransaction: 'A transaction of Stellar.',
  stellarAuthorization: 'An authorization of a Stellar contract call.',
  unknown: 'A request of no known form, or one that cannot be read.',
} as const

export type InspectionKind = keyof typeof inspectionKinds
