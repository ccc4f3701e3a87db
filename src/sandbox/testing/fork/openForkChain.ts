import type { Hex } from 'viem'
import { anvilRpc, dropBlockHashHistory } from '../../chains/anvil/anvilRpc.ts'
import { nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { findDeployment } from '../../chains/anvil/deployCredits.ts'
import { type OpenAnvil, openAnvil } from '../../chains/anvil/openAnvil.ts'
import { ChainSetupError } from '../../chains/errors.ts'
import type { Closers } from '../../start/createClosers.ts'
import { type Origin, openOrigin } from '../record/openOrigin.ts'
import { genesisFile } from './genesisFile.ts'
import { prepareChain } from './prepareChain.ts'

/** A chain with the service's contracts and funded people on it: fresh, or a copy of another. What was opened is in `closers`. */
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
    // What is not in the file, or the endpoint did not say, is the reason, whatever failed by it.
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
 * The same node; what it sends is its own, and what its origin lacked is told.
 *
 * Anvil tells of an answer that it did not get when it needs it for a call, and not when it needs it for a block: the
 * transaction waits then. So the next answer tells, whatever it is of.
 */
function watched(node: OpenAnvil, origin: Origin): OpenAnvil {
  return {
    ...node,
    ask: async (method, params) => {
      const tail = await node.ask(method, params).catch((cause) => {
        // What it lacks may have ended it.
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
  const deployment = await findDeployment(anvilRpc(nodeTransport(node)), 'bound')
  if (deployment === undefined)
    throw new ChainSetupError('The chain began without the contracts.', {
      fix: `Delete ${genesis}; it is made anew.`,
    })
  return { node, origin: undefined, creditsContract: deployment.creditsContract }
}

/** Anvil's own accounts, whose keys everybody knows, have code on real chains; to make them takes a moment, and calls of the origin. */
const withoutAccounts = ['--accounts', '0']
