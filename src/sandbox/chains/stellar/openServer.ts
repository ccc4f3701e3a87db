import type { rpc as Rpc } from '@stellar/stellar-sdk'
import { rpc } from '../../../redeemkit/stellar/sdk.ts'
import { requestMs } from '../connectEvmChain.ts'

/** The SDK's default is no timeout. */
export function openServer(rpcUrl: string): Rpc.Server {
  const server = new rpc.Server(rpcUrl, { allowHttp: rpcUrl.startsWith('http:') })
  server.httpClient.defaults.timeout = requestMs
  return server
}
