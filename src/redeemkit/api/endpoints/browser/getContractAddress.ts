import { type ContractAddressResponse, contractAddressResponse } from '../../../schema/contractAddress.ts'
import { loose } from '../../../schema/loose.ts'
import { checkBlockchain } from '../../clientOptions.ts'
import type { CallOptions, PaymentsClient } from '../../paymentsClient.ts'
import type { send } from '../../send.ts'

const answer = loose(contractAddressResponse)

/**
 * Asks where the service's credits contract is: `GET /api/utils/contract-address`.
 *
 * Discovery only: it never makes an address trusted. What a redeem trusts is pinned by the caller.
 *
 * Source: PROTOCOL.md 2.5.
 * @example
 * ```ts
 * import { createPaymentsClient, getContractAddress } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const ask = () => getContractAddress(client)
 * ```
 */
export async function getContractAddress(
  client: PaymentsClient,
  options: getContractAddress.Options = {},
): Promise<ContractAddressResponse> {
  const { blockchain = client.blockchain, ...rest } = options
  checkBlockchain(blockchain)
  return client.request({
    ...rest,
    method: 'GET',
    path: `/api/utils/contract-address?blockchain=${blockchain}`,
    answer,
    headers: 'none',
    repeatable: true,
  })
}

export declare namespace getContractAddress {
  type Options = Omit<CallOptions, 'wallet'>
  type ReturnType = ContractAddressResponse
  type ErrorType = send.ErrorType
}
