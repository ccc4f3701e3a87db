import type { FindingCode, Severity, SeverityOf } from './findingCatalogue.ts'

/** One observation of an inspection. */
export type Finding = {
  severity: Severity
  /** Key of `findingCatalogue`, for programs. The message is for people. */
  code: FindingCode
  /** One sentence with the offending value. */
  message: string
  /** Path of the field. */
  field?: string | undefined
  /** How to fix it. */
  fix?: string | undefined
}

/** The overall result: `refuse` if there is a danger, `caution` if there is a warning. */
export type Verdict = 'ok' | 'caution' | 'refuse'

/** What a request asks for, and what is wrong with it. */
export type Inspection<details = unknown> = {
  /** Key of `inspectionKinds`; `unknown` for an unrecognized request. */
  kind: InspectionKind
  /** One sentence for the user's decision. */
  summary: string
  verdict: Verdict
  findings: readonly Finding[]
  /** The decoded request. */
  details: details
}

/** Creates a finding. */
export function finding<code extends FindingCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  more: { field?: string | undefined; fix?: string | undefined } = {},
): Finding {
  return { severity, code, message, ...more }
}

/** Returns the verdict of a list of findings. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'danger')) return 'refuse'
  return findings.some(({ severity }) => severity === 'warning') ? 'caution' : 'ok'
}

/** The kinds of requests: one row for each `Inspection.kind`. */
export const inspectionKinds = {
  creditPermit: 'A credit permit (EIP-712 CreditsAuthorization).',
  creditPermitCancel: 'A cancellation of a credit permit.',
  usdcAuthorization: 'A USDC authorization (EIP-3009 transfer or receive).',
  usdcAuthorizationCancel: 'A cancellation of a USDC authorization.',
  signIn: 'A sign-in message or challenge.',
  text: 'A text in an unknown format.',
  tempoTransaction: 'A Tempo transaction.',
  solanaTransaction: 'A Solana transaction.',
  solanaUsdcTransfer: 'A Solana transaction that was compared with a USDC transfer.',
  stellarTransaction: 'A Stellar transaction.',
  stellarAuthorization: 'An authorization of a Stellar contract call.',
  unknown: 'A request in an unknown format, or one that cannot be read.',
} as const

export type InspectionKind = keyof typeof inspectionKinds
