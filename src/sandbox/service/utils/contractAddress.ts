import { type ContractAddressResponse, contractAddressQuery } from '../../../schema/contractAddress.ts'
import { parseRecord } from '../../../schema/parseRecord.ts'
import { evmChain } from '../http/customer.ts'
import type { Route } from '../http/route.ts'

/** `GET /api/utils/contract-address?blockchain=`: discovery only, it makes no address trusted (PROTOCOL.md 2.5). */
export const contractAddress: Route = {
  method: 'GET',
  path: '/api/utils/contract-address',
  handle: (service, context): ContractAddressResponse => {
    const { blockchain } = parseRecord(contractAddressQuery, context.req.query(), { record: 'The query' })
    return { address: evmChain(service, blockchain, 'blockchain').creditsContract }
  },
}
