import { http } from 'viem'
import type { EvmNetwork } from '../../src/redeemkit/evm/index.ts'
import { type AnvilRpc, anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc, type UsdcMint } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import { placeUsdc } from './placeUsdc.ts'

export type Fork = {
  url: string
  rpc: AnvilRpc
  /** Impersonates the token's `masterMinter`, so it works for any token contract. */
  giveUsdc: UsdcMint
  origin: 'real' | 'local'
  stop: () => Promise<void>
}

/** `FORK_URL_BASE`, or `FORK_URL_BASE_SANDBOX` for the test network. */
export function forkVariable({ blockchain, environment }: EvmNetwork): string {
  return `FORK_URL_${blockchain.toUpperCase()}${environment === 'prod' ? '' : '_SANDBOX'}`
}

/** Forks the real network if its variable is set, otherwise a local chain with the issuer's token at its real address. */
export async function startFork(network: EvmNetwork): Promise<Fork> {
  const { chainId } = network
  const realUrl = process.env[forkVariable(network)]
  const origin = realUrl === undefined ? await startAnvil({ chainId }) : undefined
  const forkUrl = origin?.url ?? realUrl ?? '' // without a real URL, `origin` is set
  try {
    if (origin !== undefined) await placeUsdc(anvilRpc(http(origin.url)), { chainId })
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
