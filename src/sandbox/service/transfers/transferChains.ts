import type { Blockchain, Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { loadOnce } from '../../concurrency.ts'
import { type TransferBlockchain, transferBlockchains } from '../../store/states.ts'
import { invalid } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { SolanaSponsor, StellarSponsors, TransferChain } from './transferChain.ts'

/** Loads a chain on first use, because Stellar's SDK is optional. */
export function transferChains(options: {
  solana: SolanaSponsor | undefined
  stellar: StellarSponsors | undefined
  environment: Environment
  now: Clock
}): (blockchain: TransferBlockchain) => Promise<TransferChain | undefined> {
  const { solana, stellar, environment, now } = options
  const load: Record<TransferBlockchain, () => Promise<TransferChain | undefined>> = {
    solana: loadOnce(async () => {
      if (solana === undefined) return undefined
      const { solanaTransfers } = await import('./solanaTransfers.ts')
      return solanaTransfers({ ...solana, environment, now })
    }),
    stellar: loadOnce(async () => {
      if (stellar === undefined) return undefined
      const { stellarTransfers } = await import('./stellarTransfers.ts')
      return stellarTransfers({ ...stellar, environment, now })
    }),
  }
  return (blockchain) => load[blockchain]()
}

export async function servedChain(service: Service, blockchain: Blockchain): Promise<TransferChain> {
  const name = transferBlockchains.find((known) => known === blockchain)
  const chain = name === undefined ? undefined : await service.transferChain(name)
  if (chain !== undefined) return chain
  throw invalid(service.headers.blockchain, `This service does not settle USDC transfers on ${blockchain}.`)
}
