import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import type { StellarSettlement, StellarSettlementOptions } from './stellarSettlement.ts'

/** Loads what settles on Stellar when it is first needed: its SDK is an optional package. */
export function loadStellarSettlement(
  options: (StellarSettlementOptions & { rpcUrl: string; environment: Environment; now: Clock }) | undefined,
): () => Promise<StellarSettlement | undefined> {
  let loading: Promise<StellarSettlement> | undefined
  return async () => {
    if (options === undefined) return undefined
    loading ??= import('./stellar/createStellarSettlement.ts').then(({ createStellarSettlement }) =>
      createStellarSettlement(options),
    )
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
}
