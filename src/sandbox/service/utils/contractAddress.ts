import {
  type ContractAddressResponse,
  contractAddressQuery,
} from '../../../redeemkit/schema/contractAddress.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { evmChain } from '../http/customer.ts'
import type { Route } from '../http/route.ts'

/** `GET /api/utils/contract-address?blockchain=`: discovery only, it makes no address trusted (PROTOCOL.md 2.5). */
export const contractAddress: Route = {
  method: 'GET',
  path: '/api/utils/contract-address',
  handle: async (service, context): Promise<ContractAddressResponse> => {
    const { blockchain } = parseRecord(contractAddressQuery, context.req.query(), { record: 'The query' })
    // Where merchant contracts have their allowance from: there are no credits on Stellar.
    const stellar = blockchain === 'stellar' ? await service.stellarSettlement() : undefined
    if (stellar !== undefined) return { address: stellar.contract }
    return { address: evmChain(service, blockchain, 'blockchain').creditsContract }
  },
}
