import type { ChainFamily, Environment } from '../../../redeemkit/core/blockchains.ts'
import type { AuthVerifier } from '../../chains/authVerifier.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { evmAuthVerifier } from './evmAuthVerifier.ts'

/**
 * Sign-in on every family of chains, each loaded when somebody first signs in there: Stellar's needs its SDK, which is an
 * optional package.
 *
 * @returns the verifier of a family; undefined where its package is not installed
 */
export function authVerifiers(options: {
  environment: Environment
  chains: ReadonlyMap<string, EvmChain>
  own: Partial<Record<ChainFamily, AuthVerifier>>
}): (family: ChainFamily) => Promise<AuthVerifier | undefined> {
  const { environment, chains, own } = options
  const load: Record<ChainFamily, () => Promise<AuthVerifier | undefined>> = {
    evm: async () => evmAuthVerifier(chains),
    solana: async () => (await import('../../chains/solana/solanaAuth.ts')).solanaAuth({ environment }),
    stellar: async () => (await import('../../chains/stellar/stellarAuth.ts')).stellarAuth({ environment }),
  }
  const loaded = new Map<ChainFamily, Promise<AuthVerifier | undefined>>()
  return async (family) => {
    const mine = own[family]
    if (mine !== undefined) return mine
    const known = loaded.get(family)
    if (known !== undefined) return known
    const loading = load[family]().catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
      loaded.delete(family)
      throw error
    })
    loaded.set(family, loading)
    return loading
  }
}
