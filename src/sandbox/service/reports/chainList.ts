import { zeroAddress } from 'viem'
import { networkOf } from '../../../redeemkit/evm/networks.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { isThisMachine } from '../../servers/findRefusal.ts'
import { sandboxControlsOf } from '../controls/faultRoutes.ts'
import type { Route } from '../http/route.ts'

/** `GET /sandbox/chains`: the EVM chains with redeems (PROTOCOL.md 2.10). */
export const chainList: Route = {
  method: 'GET',
  path: '/sandbox/chains',
  handle: async (service) => {
    sandboxControlsOf(service)
    return { chains: await Promise.all([...service.chains.values()].map(chainRecord)) }
  },
}

async function chainRecord(chain: EvmChain): Promise<object> {
  const { blockchain, environment, chainId, creditsContract, usdc, operator } = chain
  const [rpcUrl] = chain.client.chain.rpcUrls.default.http
  const [bridgeAdapter, forkBlock] = await Promise.all([readBridgeAdapter(chain), forkBlockOf(chain)])
  return {
    blockchain,
    environment,
    chainId,
    name: networkOf({ chainId }).name,
    // The URL of a remote node may contain a key.
    ...(rpcUrl !== undefined && isThisMachine(new URL(rpcUrl).hostname) && { rpcUrl }),
    creditsContract,
    ...(usdc !== undefined && { usdc }),
    operator: operator.address,
    ...(bridgeAdapter !== zeroAddress && { bridgeAdapter }),
    ...(forkBlock !== undefined && { forked: forkBlock === null ? false : { blockNumber: forkBlock } }),
  }
}

/** The fork block of a local chain; null if it is not a fork, undefined if the node does not report it. */
async function forkBlockOf({ client }: EvmChain): Promise<number | null | undefined> {
  let info: unknown
  try {
    // A method of Anvil; viem's ordinary client type lacks it.
    info = await client.request({ method: 'anvil_nodeInfo' } as never)
  } catch {
    // Other nodes do not report whether they are a fork.
    return undefined
  }
  const { forkUrl, forkBlockNumber } = Object(Object(info).forkConfig)
  return typeof forkUrl === 'string' ? Number(forkBlockNumber) : null
}
