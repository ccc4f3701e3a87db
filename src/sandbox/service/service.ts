import type { Chain, Hex, PrivateKeyAccount, PublicClient, Transport } from 'viem'
import type { ChainFamily, Environment, EvmBlockchain } from '../../core/blockchains.ts'
import type { HeaderNames } from '../../core/headerNames.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Relayer } from '../relayer/createRelayer.ts'
import type { Database } from '../store/database.ts'
import type { AuthVerifier } from './auth/authVerifier.ts'
import type { TransferBlockchain, TransferChain } from './transfers/transferChain.ts'

/** What every handler is given. */
export type Service = {
  /** The database, opened by the first who asks. */
  database: () => Promise<Database>
  now: Clock
  headers: HeaderNames
  environment: Environment
  /** EVM chains that credits are redeemed on. */
  chains: ReadonlyMap<EvmBlockchain, EvmChain>
  relayer: Relayer
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
  }
  /** Told of every error before it is answered. */
  onError: ((error: unknown, request?: { requestId: string }) => void) | undefined
}

/** One EVM chain as the service works with it. */
export type EvmChain = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  client: PublicClient<Transport, Chain>
  creditsContract: Hex
  /** USDC of the chain; undefined where there is none that takes authorizations (Tempo). */
  usdc: Hex | undefined
  /** Operator of the credits contract: sends redeems, charges gas, mints. */
  operator: PrivateKeyAccount
  /** Sets the whitelist when a merchant's request is approved; without it nothing can be approved here. */
  whitelister: PrivateKeyAccount | undefined
  /** Factories that may deploy a customer's wallet (ERC-6492). */
  walletFactories: Set<Hex>
  /** Price of one whole native coin in US cents. */
  nativePriceCents: () => Promise<bigint> | bigint
  /** Most that the relayer pays on top of the base fee, wei per gas. */
  maxPriorityFeePerGas: bigint | undefined
  /** Where decent redeems are executed, by chain id. */
  destinations: ReadonlyMap<number, Destination>
}

/** The other end of the bridge adapter. */
export type Destination = {
  chainId: number
  client: PublicClient<Transport, Chain>
  bridgeAdapter: Hex
  /** Relayer of the adapter there. */
  operator: PrivateKeyAccount
}
