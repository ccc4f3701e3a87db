import { http } from 'viem'
import type { EvmNetwork } from '../../src/redeemkit/evm/index.ts'
import { type AnvilRpc, anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc, type UsdcMint } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'

/** A copy of a network that tests may change. */
export type Fork = {
  url: string
  rpc: AnvilRpc
  /** Hands out USDC by impersonating the token's own `masterMinter`, whatever contract stands there. */
  giveUsdc: UsdcMint
  /** Where it was forked from: a real endpoint, or a local chain with a token of the same behaviour. */
  origin: 'real' | 'local'
  stop: () => Promise<void>
}

/** The variable that names a real endpoint of a network: `FORK_URL_BASE`, and `FORK_URL_BASE_SANDBOX` for its test network. */
export function forkVariable({ blockchain, environment }: EvmNetwork): string {
  return `FORK_URL_${blockchain.toUpperCase()}${environment === 'prod' ? '' : '_SANDBOX'}`
}

/**
 * Forks a network: the real one when its variable names an endpoint, else a local chain of the same chain id with a
 * USDC at the network's own address.
 */
export async function startFork(network: EvmNetwork): Promise<Fork> {
  const { chainId } = network
  const realUrl = process.env[forkVariable(network)]
  const origin = realUrl === undefined ? await startAnvil({ chainId }) : undefined
  const forkUrl = origin?.url ?? realUrl ?? '' // one of them is there
  try {
    if (origin !== undefined) await prepareUsdc(anvilRpc(http(origin.url)), { chainId })
    const fork = await startAnvil({ chainId, forkUrl })
    try {
      const rpc = anvilRpc(http(fork.url))
      return {
        url: fork.url,
        rpc,
        giveUsdc: await prepareUsdc(rpc, { chainId }),
        origin: origin === undefined ? 'real' : 'local',
        stop: async () => {
          await fork.stop()
          await origin?.stop()
        },
      }
    } catch (error) {
      await fork.stop()
      throw error
    }
  } catch (error) {
    await origin?.stop()
    throw error
  }
}
