import { zeroAddress } from 'viem'
import { networkOf } from '../../../redeemkit/evm/networks.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { isThisMachine } from '../../servers/isThisMachine.ts'
import { sandboxControlsOf } from '../controls/faultRoutes.ts'
import type { Route } from '../http/route.ts'

/** `GET /sandbox/chains`: the EVM chains that redeems happen on (PROTOCOL.md 2.10). */
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
    // The address of a node elsewhere may hold a key.
    ...(rpcUrl !== undefined && isThisMachine(new URL(rpcUrl).hostname) && { rpcUrl }),
    creditsContract,
    ...(usdc !== undefined && { usdc }),
    operator: operator.address,
    ...(bridgeAdapter !== zeroAddress && { bridgeAdapter }),
    ...(forkBlock !== undefined && { forked: forkBlock === null ? false : { blockNumber: forkBlock } }),
  }
}

/** The block that a local chain was forked at; null for one of its own, undefined where the node does not tell. */
async function forkBlockOf({ client }: EvmChain): Promise<number | null | undefined> {
  let info: unknown
  try {
    // A method of Anvil alone: viem's list of an ordinary client does not have it.
    info = await client.request({ method: 'anvil_nodeInfo' } as never)
  } catch {
    // Another node: whether it is a fork, it does not tell.
    return undefined
  }
  const { forkUrl, forkBlockNumber } = Object(Object(info).forkConfig)
  return typeof forkUrl === 'string' ? Number(forkBlockNumber) : null
}
