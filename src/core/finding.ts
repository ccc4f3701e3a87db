/** How much a finding weighs: `danger` must stop a signature, `warning` deserves a look, `info` is a fact. */
export type Severity = 'info' | 'warning' | 'danger'

/** One thing that an inspection noticed about a request. */
export type Finding = {
  severity: Severity
  /** Stable, upper snake case: `UNPINNED_CONTRACT`. For programs; the message is for people. */
  code: string
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
  /** What the request is, e.g. `creditPermit`, `usdcAuthorization`, `solanaTransaction`; `unknown` when nobody recognised it. */
  kind: string
  /** One sentence a person can decide on. */
  summary: string
  verdict: Verdict
  findings: readonly Finding[]
  /** The decoded request. */
  details: details
}

/** The verdict of a list of findings. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some((finding) => finding.severity === 'danger')) return 'refuse'
  return findings.some((finding) => finding.severity === 'warning') ? 'caution' : 'ok'
}
