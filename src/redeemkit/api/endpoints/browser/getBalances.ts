import type { InvalidOptionError } from '../../../core/errors/inputErrors.ts'
import type { BalancesResponse } from '../../../schema/balances.ts'
import { lightBalancesAnswer } from '../../../schema/light/records.ts'
import { pathPart } from '../../pathPart.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

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
  return client.request({
    ...rest,
    method: 'GET',
    path: `/api/customer/balances/${pathPart(creditSeed, 'creditSeed')}`,
    answer: lightBalancesAnswer,
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
