import type { ChainFamily, Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { HeaderNames } from '../../redeemkit/core/headerNames.ts'
import type { Clock } from '../../redeemkit/core/time/clock.ts'
import type { AuthVerifier } from '../chains/authVerifier.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Relayer } from '../relayer/createRelayer.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { Database } from '../store/database.ts'
import type { JobQueue } from '../store/openJobQueue.ts'
import type { TransferBlockchain } from '../store/states.ts'
import type { Affordances } from './controls/affordances.ts'
import type { RateLimit } from './http/rateLimiter.ts'
import type { RedeemQueue } from './redeem/readyRedeem.ts'
import type { StellarSettlement } from './settlement/stellarSettlement.ts'
import type { TransferChain } from './transfers/transferChain.ts'

/** What every handler is given. */
export type Service = {
  kind: ServiceKind
  /** The database, opened by the first who asks. */
  database: () => Promise<Database>
  /** Work for later, in the same database. */
  queue: () => Promise<JobQueue>
  now: Clock
  /** Puts the clock as far forward as another process on the same database has put it. */
  hearClock: () => Promise<void>
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
  /** What settles payments on Stellar; undefined where this service has nothing there that does. */
  stellarSettlement: () => Promise<StellarSettlement | undefined>
  settings: {
    gasFeePayer: 'customer' | 'merchant'
    requireSignIn: boolean
    usdcAuthorizationType: 'ReceiveWithAuthorization' | 'TransferWithAuthorization'
    /** How long a message to sign is good for. */
    permitSeconds: number
    /** Where the service is reached, for sign-in texts. Default: as the request says. */
    publicUrl: string | undefined
    /** Pages that may call, and whose own origin stands in the sign-in texts that they ask for. */
    allowedOrigins: readonly string[]
    /** Names under which this service is reached, beside those of this machine. */
    allowedHosts: readonly string[]
    /** Requests of one caller; undefined: without end. */
    rateLimit: RateLimit | undefined
  }
  /** What a developer does in the place of the world, under `/sandbox`; undefined: nothing. */
  affordances: Affordances | undefined
  /** Told of every request that was answered. */
  onLog: ((entry: RequestLogEntry) => void) | undefined
  /** Told of every error before it is answered. */
  onError: ((error: unknown, request?: { requestId: string }) => void) | undefined
}
