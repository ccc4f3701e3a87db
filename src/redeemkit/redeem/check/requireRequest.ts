import { PinsRequiredError } from '../errors.ts'
import type { RedeemRequest } from '../preparedRedeem.ts'

/**
 * The caller's own request: what was stored cannot vouch for what it pays for.
 *
 * @throws {@link PinsRequiredError}
 */
export function requireRequest(request: RedeemRequest | undefined): RedeemRequest {
  if (request === undefined)
    throw new PinsRequiredError('A prepared redeem cannot vouch for what it pays for.', {
      field: 'request',
      fix: 'Pass the request again: subtotal, transactionData, usdcAmount, from the same place as for prepareRedeem.',
    })
  return request
}

export declare namespace requireRequest {
  type ErrorType = PinsRequiredError
}
