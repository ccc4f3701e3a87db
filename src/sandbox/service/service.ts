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
import type { OrderClaim } from './orders/claimOrders.ts'
import type { HashedIntent } from './redeem/resolveIntent.ts'
import type { TransferChain } from './transfers/transferChain.ts'

export type RedeemQueue = {
  /** Resolves with the hash once the redeem is broadcast, or with the existing hash of a pending redeem. */
  send: (ready: ReadyRedeem) => Promise<Hex>
}

export type ReadyRedeem = {
  redeem: { chain: EvmChain; wallet: Hex; nonce: Hex; intent: HashedIntent }
  merchantId: string
  /** The ended claim that this attempt replaces, if there is one. */
  ended: OrderClaim | undefined
  request: RedeemRequest
  gas: bigint
  gasFee: bigint
  /** The wallet's counter of submitted redeems, before the checks. */
  turn: number
  /** Number of the attempt: 1, or one more than the attempt that reverted. */
  attempt: number
  price: gasPrice.ReturnType
}

/** The contract that settles payments on Stellar, and the account whose USDC it spends. */
export type StellarSettlementOptions = {
  /** Address of the contract, `C…`. */
  contract: string
  /** Secret key (`S…`) of the contract's operator, which also pays the fees. */
  operatorKey: string
}

export type StellarSettlement = {
  /** Address of the contract, `C…`, which gives merchant contracts their allowance. */
  contract: string
  /** Address of the operator, which can have only one pending transaction. */
  operator: string
  readCall: (transaction: string) => StellarCall
  /** Simulates a payment and signs its transaction; undefined if the payment is already settled. */
  prepare: (payment: StellarPayment) => Promise<{ raw: string; hash: string } | undefined>
  /** Submits the signed transaction and looks up its outcome. May be repeated. */
  send: (signed: { raw: string; hash: string }) => Promise<StellarOutcome>
}

/** The effect of a payment on Stellar. `amount` is in raw units of 7 decimals. */
export type StellarPayment = { paymentId: string; amount: bigint } & ({ to: string } | { call: StellarCall })

/** A call of a merchant contract. Each argument is base64 XDR. */
export type StellarCall = { contract: string; functionName: string; args: readonly string[] }

/** Outcome of a transaction. `dropped`: it can no longer be included. `unknown`: look it up again later. */
export type StellarOutcome = 'settled' | 'failed' | 'dropped' | 'unknown'

export type RateLimit = { perSecond: number; burst: number }

export type Service = {
  kind: ServiceKind
  /** Opened on first use. */
  database: () => Promise<Database>
  /** In the same database. */
  queue: () => Promise<JobQueue>
  now: Clock
  /** Advances the clock to the latest time that another process on the same database has set. */
  hearClock: () => Promise<void>
  headers: HeaderNames
  environment: Environment
  chains: ReadonlyMap<EvmBlockchain, EvmChain>
  relayer: Relayer
  redeemQueue: RedeemQueue
  /** Resolves to undefined for a chain family that is not supported. */
  authVerifier: (family: ChainFamily) => Promise<AuthVerifier | undefined>
  /** Resolves to undefined if the service does not have the chain. */
  transferChain: (blockchain: TransferBlockchain) => Promise<TransferChain | undefined>
  /** Resolves to undefined without a settlement contract on Stellar. */
  stellarSettlement: () => Promise<StellarSettlement | undefined>
  settings: {
    gasFeePayer: 'customer' | 'merchant'
    requireSignIn: boolean
    usdcAuthorizationType: 'ReceiveWithAuthorization' | 'TransferWithAuthorization'
    permitSeconds: number
    /** Public URL of the service, for sign-in messages. Default: the request's URL. */
    publicUrl: string | undefined
    /** Origins of pages that may call the service and appear in sign-in messages. */
    allowedOrigins: readonly string[]
    /** Host names of the service, in addition to this machine's. */
    allowedHosts: readonly string[]
    /** Per caller; undefined means unlimited. */
    rateLimit: RateLimit | undefined
  }
  /** Undefined disables the controls under `/sandbox`. */
  sandboxControls: SandboxControls | undefined
  onLog: ((entry: RequestLogEntry) => void) | undefined
  /** Called for each error before the response is sent. */
  onError: ((error: unknown, request?: { requestId: string }) => void) | undefined
}
