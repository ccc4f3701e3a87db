import type { ChainFamily, Environment, EvmBlockchain } from '../../core/blockchains.ts'
import type { HeaderNames } from '../../core/headerNames.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { AuthVerifier } from '../chains/authVerifier.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Relayer } from '../relayer/createRelayer.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { Database } from '../store/database.ts'
import type { TransferBlockchain } from '../store/states.ts'
import type { RedeemQueue } from './redeem/readyRedeem.ts'
import type { TransferChain } from './transfers/transferChain.ts'

/** What every handler is given. */
export type Service = {
  kind: ServiceKind
  /** The database, opened by the first who asks. */
  database: () => Promise<Database>
  now: Clock
  headers: HeaderNames
  environment: Environment
  /** EVM chains that credits are redeemed on. */
  chains: ReadonlyMap<EvmBlockchain, EvmChain>
  relayer: Relayer
  /** Where redeems go that are to be sent. */
  redeemQueue: RedeemQueue
  /** Sign-in on a family of chains; undefined where this service has none. */
  authVerifier: (family: ChainFamily) => Promise<AuthVerifier | undefined>
  /** USDC transfers that the service sponsors; undefined where it has no such chain. */
  transferChain: (blockchain: TransferBlockchain) => Promise<TransferChain | undefined>
  settings: {
    gasFeePayer: 'customer' | 'merchant'
    requireSignIn: boolean
    usdcAuthorizationType: 'ReceiveWithAuthorization' | 'TransferWithAuthorization'
    /** How long a message to sign is good for. */
    permitSeconds: number
    /** Where the service is reached, for sign-in texts. Default: as the request says. */
    publicUrl: string | undefined
    /** Pages whose own origin stands in the sign-in texts that they ask for. */
    allowedOrigins: readonly string[]
  }
  /** Told of every error before it is answered. */
  onError: ((error: unknown, request?: { requestId: string }) => void) | undefined
}
