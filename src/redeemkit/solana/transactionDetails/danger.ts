import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'

/** A finding that must stop the signature. */
export function danger(code: FindingCode, message: string, field?: string): Finding {
  return { severity: 'danger', code, message, field, fix: 'Do not sign it.' }
}
