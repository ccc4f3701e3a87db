import type { Hex } from 'viem'
import type { ChainFamily, Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../redeemkit/core/clock.ts'
import type { HeaderNames } from '../../redeemkit/core/headerNames.ts'
import type { AuthVerifier } from '../chains/authVerifier.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Relayer } from '../relayer/createRelayer.ts'
import type { gasPrice } from '../relayer/relayerChain.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { RedeemRequest } from '../simulation/redeemRequest.ts'
import type { Database } from '../store/database.ts'
import type { JobQueue } from '../store/openJobQueue.ts'
import type { TransferBlockchain } from '../store/states.ts'
import type { SandboxControls } from './controls/sandboxControls.ts'
import type { RateLimit } from './http/rateLimiter.ts'
import type { OrderClaim } from './orders/claimOrders.ts'
import type { HashedIntent } from './redeem/resolveIntent.ts'
import type { TransferChain } from './transfers/transferChain.ts'

export type RedeemQueue = {
  /** Resolves with the hash when the redeem is broadcast, or with the existing hash of a pending one. */
  send: (ready: ReadyRedeem) => Promise<Hex>
}

/** A redeem that passed all checks. */
export type ReadyRedeem = {
  redeem: { chain: EvmChain; wallet: Hex; nonce: Hex; intent: HashedIntent }
  merchantId: string
  /** The ended claim that this attempt replaces. */
  ended: OrderClaim | undefined
  request: RedeemRequest
  /** Estimated gas. */
  gas: bigint
  gasFee: bigint
  /** The wallet's counter before the checks. */
  turn: number
  /** 1, or one more than the attempt that was reverted. */
  attempt: number
  price: gasPrice.ReturnType
}

/** The contract that settles payments on Stellar, and the account whose USDC it spends. */
export type StellarSettlementOptions = {
  /** `C…` */
  contract: string
  /** Secret key (`S…`) of the contract's operator, which also pays the fees. */
  operatorKey: string
}

/** Settles payments on Stellar (PROTOCOL.md 10.2). */
export type StellarSettlement = {
  /** `C…`: gives merchant contracts their allowance. */
  contract: string
  /** The operator's address: it has one pending transaction at a time. */
  operator: string
  /** The call that a checkout's `stellarTransaction` names. */
  readCall: (transaction: string) => StellarCall
  /** Simulates a payment and signs it; undefined if it is already settled. */
  prepare: (payment: StellarPayment) => Promise<{ raw: string; hash: string } | undefined>
  /** Sends the signed transaction and looks up its outcome; may be repeated. */
  send: (signed: { raw: string; hash: string }) => Promise<StellarOutcome>
}

/** The effect of a payment on Stellar. `amount` is in raw units of 7 decimals. */
export type StellarPayment = { paymentId: string; amount: bigint } & ({ to: string } | { call: StellarCall })

/** A call of a merchant contract. Each argument is base64 XDR. */
export type StellarCall = { contract: string; functionName: string; args: readonly string[] }

/** Outcome of a transaction. `dropped`: it can no longer be included. `unknown`: look it up again. */
export type StellarOutcome = 'settled' | 'failed' | 'dropped' | 'unknown'

export type Service = {
  kind: ServiceKind
  /** The database, opened on first use. */
  database: () => Promise<Database>
  /** The job queue, in the same database. */
  queue: () => Promise<JobQueue>
  now: Clock
  /** Advances the clock to the latest time set by another process on the same database. */
  hearClock: () => Promise<void>
  headers: HeaderNames
  environment: Environment
  chains: ReadonlyMap<EvmBlockchain, EvmChain>
  relayer: Relayer
  redeemQueue: RedeemQueue
  /** Sign-in on a chain family; undefined if unsupported. */
  authVerifier: (family: ChainFamily) => Promise<AuthVerifier | undefined>
  /** Sponsored USDC transfers; undefined if the service has no such chain. */
  transferChain: (blockchain: TransferBlockchain) => Promise<TransferChain | undefined>
  /** Settles payments on Stellar; undefined if the service has no settlement contract there. */
  stellarSettlement: () => Promise<StellarSettlement | undefined>
  settings: {
    gasFeePayer: 'customer' | 'merchant'
    requireSignIn: boolean
    usdcAuthorizationType: 'ReceiveWithAuthorization' | 'TransferWithAuthorization'
    /** How long a message can be signed. */
    permitSeconds: number
    /** URL of the service, for sign-in texts. Default: the request's. */
    publicUrl: string | undefined
    /** Pages that may call the service and appear in sign-in texts. */
    allowedOrigins: readonly string[]
    /** Host names of the service, in addition to this machine's. */
    allowedHosts: readonly string[]
    /** Limit per caller; undefined means unlimited. */
    rateLimit: RateLimit | undefined
  }
  /** The controls under `/sandbox`; undefined disables them. */
  sandboxControls: SandboxControls | undefined
  onLog: ((entry: RequestLogEntry) => void) | undefined
  /** Called for each error before the response. */
  onError: ((error: unknown, request?: { requestId: string }) => void) | undefined
}
