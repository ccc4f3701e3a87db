import { RedeemWouldFailError } from '../errors.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'

/** @throws {@link RedeemWouldFailError} when the dry run found a danger */
export function refuseByDryRun({ dryRun = [] }: PreparedRedeem): void {
  const dangers = dryRun.filter(({ severity }) => severity === 'danger')
  if (dangers.length > 0) throw new RedeemWouldFailError(dangers)
}

export declare namespace refuseByDryRun {
  type ErrorType = RedeemWouldFailError
}
