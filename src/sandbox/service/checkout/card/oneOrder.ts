import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { problem } from '../../http/problem.ts'

/**
 * The order that is paid (PROTOCOL.md 10.8): the card form's, the checkout JWT's, or that of both.
 *
 * @throws ServiceProblem `FORBIDDEN` when they name two
 */
export function oneOrder(ofForm: string | null, pinned: string | undefined): string | undefined {
  if (ofForm !== null && pinned !== undefined && ofForm !== pinned)
    throw problem(
      'FORBIDDEN',
      `The card form is for the order ${showValue(ofForm)}, and the checkout JWT for ${showValue(pinned)}.`,
      { issues: ['purchaseId'], details: { field: 'purchaseId' } },
    )
  return ofForm ?? pinned
}
