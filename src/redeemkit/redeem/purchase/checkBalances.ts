import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { getBalances } from '../../api/endpoints/customer.ts'
import { InvalidAnswerError } from '../../api/errors.ts'
import { isServiceError } from '../../api/serviceError.ts'
import { amountPerCent, centsToAmount } from '../../core/amount.ts'
import { checkFunds } from '../check/checkFunds.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'

/** Asks the service. Used if no chain is read, or the contract exposes no balances. */
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
    // Some services report no balances, and reject unpayable redeems themselves.
    const hasNoBalance = isServiceError(error) ? error.status < 500 : error instanceof InvalidAnswerError
    if (pinned.intentBound === false && hasNoBalance) return
    throw error
  }
  // The service rounds down to whole cents.
  const within = amountPerCent - 1n
  checkFunds(prepared, {
    credits: centsToAmount(have.credits.cents),
    // With a publicClient, the USDC balance was read from the chain.
    usdc: publicClient === undefined ? centsToAmount(have.usdc.cents) : undefined,
    within,
  })
}

export declare namespace checkBalances {
  type ErrorType = getBalances.ErrorType | checkFunds.ErrorType
}
