import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment, EvmBlockchain } from '../../core/blockchains.ts'
import { networkOf } from '../../evm/networks.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { type AnvilRpc, anvilRpc } from '../chains/anvil/anvilRpc.ts'
import { type Deployment, deployCredits, findDeployment } from '../chains/anvil/deployCredits.ts'
import { placeMulticall3 } from '../chains/anvil/placeMulticall3.ts'
import { prepareUsdc, type UsdcMint } from '../chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../chains/anvil/startAnvil.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { allOrNone } from './allOrNone.ts'
import type { Closers } from './createClosers.ts'

/** A local EVM chain with USDC and the service's contracts. */
export type StartedChain = {
  blockchain: EvmBlockchain
  chainId: number
  url: string
  rpc: AnvilRpc
  mintUsdc: UsdcMint
  deployment: Deployment
  /** Made now, not found from a former run. */
  fresh: boolean
  stop: () => Promise<void>
}

/** Starts the EVM chains at once. Those that did start are in `closers`, also when another one fails. */
export function startEvmChains(
  names: readonly EvmBlockchain[],
  options: startEvmChains.Options,
): Promise<StartedChain[]> {
  const { forkUrl, closers } = options
  return allOrNone(
    names.map(async (blockchain) => {
      const chain = await startEvmChain(blockchain, {
        ...options,
        // One address without a name is that of the chain that was asked for, not of its bridge destination.
        forkUrl:
          typeof forkUrl !== 'string' ? forkUrl?.[blockchain] : blockchain === names[0] ? forkUrl : undefined,
      })
      closers.add(chain.stop)
      return chain
    }),
  )
}

export declare namespace startEvmChains {
  type Options = {
    service: ServiceKind
    environment: Environment
    dataDir?: string | undefined
    forkUrl?: string | Partial<Record<EvmBlockchain, string>> | undefined
    closers: Closers
  }
}

async function startEvmChain(
  blockchain: EvmBlockchain,
  options: {
    service: ServiceKind
    environment: Environment
    dataDir?: string | undefined
    forkUrl: string | undefined
  },
): Promise<StartedChain> {
  const { service, environment, dataDir, forkUrl } = options
  const { chainId } = networkOf({ blockchain, environment })
  const statePath = dataDir === undefined ? undefined : await stateFile(dataDir, chainId)
  if (forkUrl !== undefined) await checkOrigin(forkUrl, chainId)
  const anvil = await startAnvil({ chainId, forkUrl, statePath })
  try {
    const rpc = anvilRpc(anvil.url)
    await placeMulticall3(rpc)
    const mintUsdc = await prepareUsdc(rpc, { chainId })
    const found = forkUrl === undefined ? await findDeployment(rpc, service) : undefined
    const deployment = found ?? (await deployCredits(rpc, { service, usdc: usdcToken({ chainId }).address }))
    const fresh = found === undefined
    return { blockchain, chainId, url: anvil.url, rpc, mintUsdc, deployment, fresh, stop: anvil.stop }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

async function stateFile(dataDir: string, chainId: number): Promise<string> {
  const folder = join(dataDir, 'chains')
  await mkdir(folder, { recursive: true })
  return join(folder, `${chainId}.json`)
}

async function checkOrigin(forkUrl: string, chainId: number): Promise<void> {
  const found = await anvilRpc(forkUrl)
    .client.getChainId()
    .catch((cause) => {
      // The address may carry an API key, so it is not shown.
      throw new InvalidSandboxOptionsError('The fork origin does not answer.', {
        field: 'forkUrl',
        fix: 'Give the address of a JSON-RPC endpoint that answers eth_chainId.',
        cause,
      })
    })
  if (found !== chainId)
    throw new InvalidSandboxOptionsError(`The fork origin is chain ${found}, not ${chainId}.`, {
      field: 'forkUrl',
      fix: 'Give an endpoint of the chain that "blockchain" and "environment" name.',
    })
}
