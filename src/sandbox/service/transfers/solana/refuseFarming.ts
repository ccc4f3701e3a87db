import { MissingTokenAccountError } from '../../../../redeemkit/solana/usdcTransfer/errors.ts'
import type { PaidCreations } from '../transferChain.ts'

/** Token accounts that one customer's transfers, and that all of them, may have paid for within a day. */
const creationsPerWallet = 5
const creationsPerDay = 1000

/**
 * Throws when the rent of the receiver's token account is not the service's to pay any more.
 *
 * @throws {@link MissingTokenAccountError}
 */
export function refuseFarming(to: string, { toDestination, byWallet, byService }: PaidCreations): void {
  const reason =
    toDestination > 0
      ? 'the service has paid for one before'
      : byWallet >= creationsPerWallet
        ? `the service has paid for ${byWallet} of this wallet's receivers within a day`
        : byService >= creationsPerDay
          ? 'the service has paid for enough of them today'
          : undefined
  if (reason !== undefined)
    throw new MissingTokenAccountError(`${to} has no token account for USDC, and ${reason}.`, {
      field: 'to',
      fix: 'The receiver creates its own token account first; then prepare the transfer again.',
    })
}
