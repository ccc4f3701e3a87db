import type { Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'

/**
 * Merchants with chargeback protection say what is in the cart.
 *
 * @throws ServiceProblem, 400
 */
export function checkCart(
  { settings }: Merchant,
  body: { chargebackProtectionData?: readonly unknown[] | undefined },
): void {
  if (settings.chargebackProtection === true && !body.chargebackProtectionData?.length)
    throw problem('INVALID_REQUEST', 'This merchant uses chargeback protection: say what is in the cart.', {
      issues: ['chargebackProtectionData'],
    })
}
