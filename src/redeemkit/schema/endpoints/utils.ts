import { contractAddressQuery, contractAddressResponse } from '../contractAddress.ts'
import type { Endpoint } from './endpoint.ts'

export const getContractAddress = {
  id: 'getContractAddress',
  method: 'GET',
  path: '/api/utils/contract-address',
  headers: { required: [], optional: [] },
  query: contractAddressQuery as typeof contractAddressQuery,
  answer: contractAddressResponse as typeof contractAddressResponse,
  ofTheDocuments: true,
  summary: 'The credits contract of a chain, for discovery only',
} as const satisfies Endpoint

export const utilsEndpoints = [getContractAddress] as const
