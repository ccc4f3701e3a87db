import { join } from 'node:path'
import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { type Clock, unixSeconds } from '../../redeemkit/core/clock.ts'
import { hasCode } from '../../redeemkit/evm/client.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { type AnvilRpc, anvilRpc, dropBlockHashHistory } from '../chains/anvil/anvilRpc.ts'
import { catchUpTime } from '../chains/anvil/chainTime.ts'
import { nodeRequest, nodeTransport } from '../chains/anvil/connectPipe.ts'
import { type Deployment, deployService, firstContractsOf } from '../chains/anvil/deployCredits.ts'
import { type OpenAnvil, openAnvil } from '../chains/anvil/openAnvil.ts'
import { placeMulticall3, prepareUsdc, type UsdcMint } from '../chains/anvil/prepareUsdc.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { makeFolder } from '../store/lockFolder.ts'
import type { ForkOrigin } from './chainsToStart.ts'
import { allOrNone, type Closers } from './createClosers.ts'

export type StartedChain = {
  blockchain: EvmBlockchain
  chainId: number
  url: string
  node: OpenAnvil
  rpc: AnvilRpc
  mintUsdc: UsdcMint
  deployment: Deployment
  paymentSettlement: Hex
  /** Whether the chain was just created, and not loaded from an earlier run. */
  fresh: boolean
}

/** Chains that have started are in `closers`, even if another chain fails. */
export function startEvmChains(
  names: readonly EvmBlockchain[],
  options: startEvmChains.Options,
): Promise<StartedChain[]> {
  return allOrNone(names.map((blockchain) => startEvmChain(blockchain, options)))
}

export declare namespace startEvmChains {
  type Options = {
    service: ServiceKind
    environment: Environment
    dataDir?: string | undefined
    forks: ReadonlyMap<EvmBlockchain, ForkOrigin>
    closers: Closers
    /** The service's clock. Chains that are behind are advanced to its time. */
    now: Clock
    urlOf: (blockchain: EvmBlockchain) => string
    onWarning: (text: string) => void
  }
}

async function startEvmChain(
  blockchain: EvmBlockchain,
  options: startEvmChains.Options,
): Promise<StartedChain> {
  const { service, environment, dataDir, forks, closers, now, urlOf, onWarning } = options
  const fork = forks.get(blockchain)
  const { chainId } = networkOf({ blockchain, environment })
  const statePath = dataDir === undefined ? undefined : await stateFile(dataDir, chainId)
  const node = await openAnvil({
    chainId,
    ...fork,
    statePath,
    onStarted: (chain) => catchUpTime({ request: nodeRequest(chain) }, unixSeconds(now)),
    onWarning,
  })
  closers.add(node.stop)
  const rpc = anvilRpc(nodeTransport(node))
  await dropBlockHashHistory(rpc)
  await placeMulticall3(rpc)
  const mintUsdc = await prepareUsdc(rpc, { chainId })
  const usdc = usdcToken({ chainId }).address
  const first = firstContractsOf(service)
  // This contract is deployed last: if it has code, the chain has all contracts.
  const fresh = fork !== undefined || !(await hasCode(rpc.client, first.paymentSettlement))
  const { paymentSettlement, ...deployment } = fresh
    ? await deployService(rpc, { service, usdc, mintUsdc })
    : first
  const url = urlOf(blockchain)
  return { blockchain, chainId, url, node, rpc, mintUsdc, deployment, paymentSettlement, fresh }
}

async function stateFile(dataDir: string, chainId: number): Promise<string> {
  const folder = join(dataDir, 'chains')
  await makeFolder(folder)
  return join(folder, `${chainId}.json`)
}
