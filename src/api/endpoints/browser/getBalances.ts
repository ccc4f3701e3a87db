import { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import { type BalancesResponse, balancesResponse } from '../../../schema/balances.ts'
import { loose } from '../../../schema/loose.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(balancesResponse)

/**
 * Reads what the customer has: credits with a merchant, and USDC. `GET /api/customer/balances/{merchantIdOrCreditSeed}`.
 *
 * @returns US cents
 * Source: PROTOCOL.md 2.5.
 * @example
 * ```ts
 * import { createPaymentsClient, getBalances } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const read = (wallet: string) => getBalances(client, { wallet })
 * ```
 */
export async function getBalances(
  client: PaymentsClient,
  options: getBalances.Options = {},
): Promise<BalancesResponse> {
  const { creditSeed = client.merchantId, ...rest } = options
  // "." and ".." would be taken out of the path, and another endpoint asked; half a surrogate pair cannot stand in one.
  if (typeof creditSeed !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(creditSeed))
    throw new InvalidOptionError('creditSeed cannot be used.', {
      field: 'creditSeed',
      fix: 'Give the credit seed or the merchant id as text, or leave it out.',
    })
  return client.request({
    ...rest,
    method: 'GET',
    path: `/api/customer/balances/${encodeURIComponent(creditSeed)}`,
    answer,
    repeatable: true,
  })
}

export declare namespace getBalances {
  type Options = CallOptions & {
    /** Credit seed, or merchant id. Default: the client's merchant id. */
    creditSeed?: string | undefined
  }
  type ReturnType = BalancesResponse
  type ErrorType = InvalidOptionError | send.ErrorType
}
