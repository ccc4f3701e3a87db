import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { getBalances } from '../../api/endpoints/customer.ts'
import { InvalidAnswerError } from '../../api/errors.ts'
import { isServiceError } from '../../api/serviceError.ts'
import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { checkFunds } from '../check/checkFunds.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'

/** What the customer has, by the service's word: where no chain is read, or the contract tells no balance. */
export async function checkBalances(
  client: PaymentsClient,
  prepared: PreparedRedeem,
  { publicClient, signal }: Pick<RedeemOptions, 'publicClient' | 'signal'>,
): Promise<void> {
  const { wallet, blockchain, pinned } = prepared
  let have: getBalances.ReturnType
  try {
    have = await getBalances(client, {
      creditSeed: pinned.creditSeed,
      wallet,
      blockchain,
      signal,
    })
  } catch (error) {
    // Not every service tells balances, or tells them to this caller; it refuses itself what cannot be paid.
    const tellsNone = isServiceError(error) ? error.status < 500 : error instanceof InvalidAnswerError
    if (pinned.intentBound === false && tellsNone) return
    throw error
  }
  // Whole cents, rounded down.
  const within = amountPerCent - 1n
  checkFunds(prepared, {
    credits: centsToAmount(have.credits.cents),
    // Where a chain is read, it tells the USDC.
    usdc: publicClient === undefined ? centsToAmount(have.usdc.cents) : undefined,
    within,
  })
}

export declare namespace checkBalances {
  type ErrorType = getBalances.ErrorType | checkFunds.ErrorType
}
