import { type Finding, finding } from '../../core/finding/finding.ts'

/** The finding of a dry run that says nothing of the redeem. */
export function notTried(reason: string): Finding {
  return finding('warning', 'NOT_TRIED', `The redeem could not be tried before it is signed: ${reason}.`, {
    field: 'dryRun',
  })
}
