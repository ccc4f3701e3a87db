import type { Hex } from 'viem'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import { anvilRpc, dropBlockHashHistory } from '../../chains/anvil/anvilRpc.ts'
import { nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { firstContractsOf } from '../../chains/anvil/deployCredits.ts'
import { type OpenAnvil, openAnvil } from '../../chains/anvil/openAnvil.ts'
import { ChainSetupError } from '../../chains/errors.ts'
import type { Closers } from '../../start/createClosers.ts'
import { genesisFile } from './genesisFile.ts'
import { type Origin, openOrigin } from './openOrigin.ts'
import { prepareChain } from './prepareChain.ts'

/** Opens a fresh or forked chain with the service's contracts and funded test accounts. Adds the opened parts to `closers`. */
export async function openForkChain(
  options: openForkChain.Options,
  closers: Closers,
): Promise<{ node: OpenAnvil; origin: Origin | undefined; creditsContract: Hex }> {
  const { chainId, creditSeed, forkUrl, record, forkBlockNumber } = options
  if (forkUrl === undefined && record === undefined) return openFresh({ chainId, creditSeed }, closers)
  const origin = await openOrigin({ chainId, forkUrl, record, forkBlockNumber })
  closers.add(origin.close)
  try {
    const anvil = await openAnvil({
      chainId,
      forkUrl: origin.url,
      forkBlockNumber: Number(origin.blockNumber),
      isOwnOrigin: true,
      extraArguments: [...withoutAccounts, '--retries', '0', '--no-rate-limit'],
    })
    closers.add(anvil.stop)
    const node = watched(anvil, origin)
    const rpc = anvilRpc(nodeTransport(node))
    await dropBlockHashHistory(rpc)
    const { creditsContract } = await prepareChain(rpc, { chainId, creditSeed })
    origin.addOwn(creditsContract)
    return { node, origin, creditsContract }
  } catch (cause) {
    // If data is missing, the error about it is the cause of this failure.
    throw origin.takeMissing() ?? cause
  }
}

export declare namespace openForkChain {
  type Options = {
    chainId: number
    creditSeed: string
    forkUrl?: string | undefined
    forkBlockNumber?: number | undefined
    record?: string | undefined
  }
  type ErrorType = openAnvil.ErrorType | openOrigin.ErrorType | genesisFile.ErrorType | ChainSetupError
}

/**
 * If a call needs missing data, Anvil returns an error. If a block needs missing data, the transaction stays pending without an error, so
 * the error replaces the node's next response.
 */
function watched(node: OpenAnvil, origin: Origin): OpenAnvil {
  return {
    ...node,
    ask: async (method, params) => {
      const tail = await node.ask(method, params).catch((cause) => {
        // The node may have crashed because data is missing.
        throw origin.takeMissing() ?? cause
      })
      const [, hash] = method.startsWith('eth_send') ? (/^"result":"(0x[0-9a-f]{64})"/.exec(tail) ?? []) : []
      if (hash !== undefined) origin.addOwn(hash)
      const missing = origin.takeMissing()
      if (missing === undefined) return tail
      const code = missing.name === 'NotRecordedError' ? -32001 : -32603
      return `"error":${JSON.stringify({ code, message: missing.message })}}`
    },
  }
}

async function openFresh(options: genesisFile.Options, closers: Closers) {
  const genesis = await genesisFile(options)
  const node = await openAnvil({
    chainId: options.chainId,
    extraArguments: [
      ...withoutAccounts,
      ...['--init', genesis, '--timestamp', String(Math.floor(Date.now() / 1000))],
    ],
  })
  closers.add(node.stop)
  const { client } = anvilRpc(nodeTransport(node))
  const { creditsContract } = firstContractsOf('intentBound')
  if (!(await hasCode(client, creditsContract)))
    throw new ChainSetupError('The chain started without the contracts.', {
      fix: `Delete ${genesis}. It will be recreated.`,
    })
  // On a genesis block, Anvil runs calls and estimates at time 0 until it restores a snapshot. viem's types do not list these methods.
  const snapshot = await client.request({ method: 'evm_snapshot' } as never)
  await client.request({ method: 'evm_revert', params: [snapshot] } as never)
  return { node, origin: undefined, creditsContract }
}

/** Anvil's default accounts have code on real chains, because their keys are public. Creating them needs requests to the origin. */
const withoutAccounts = ['--accounts', '0']
