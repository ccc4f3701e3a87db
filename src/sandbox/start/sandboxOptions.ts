import type { ChainFamily, Environment } from '../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../redeemkit/core/time/clock.ts'
import type { AuthVerifier } from '../chains/authVerifier.ts'
import type { connectEvmChain } from '../chains/connectEvmChain.ts'
import type { SandboxMerchant } from '../merchantOptions.ts'
import type { RelayerStep } from '../relayer/relayerStep.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import type { SandboxStore } from '../sandboxStore.ts'
import type { StellarSettlementOptions } from '../service/service.ts'
import type { SolanaSponsor, StellarSponsors } from '../service/transfers/transferChain.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { Reference } from '../store/reference.ts'

/** Options of a service; see `createSandbox`. */
export type SandboxOptions = {
  chains: readonly connectEvmChain.Options[]
  merchants: readonly SandboxMerchant[]
  /**
   * Which kind of payments service is played (PROTOCOL.md 4.6). For `unbound` the chains have its contract, too. Default
   * `bound`.
   */
  service?: ServiceKind | undefined
  /** Default `sandbox`. */
  environment?: Environment | undefined
  /** Folder for the database. Default: memory. */
  dataDir?: string | undefined
  /**
   * PostgreSQL server for the rows, `postgresql://user:password@host:port/database`, in the schema `redeemkit`. Several
   * services on the same chains, with the same merchants, may share it.
   */
  databaseUrl?: string | undefined
  /** Opens the database, in place of both: called at the first use, and again when it failed. */
  store?: (() => Promise<SandboxStore>) | undefined
  /** The service's clock in milliseconds. Default `Date.now`. */
  now?: Clock | undefined
  /** Beginning of the service's header names. Default `x-svc-`. */
  headerPrefix?: string | undefined
  /** Who pays for gas: `merchant` means that customers are charged nothing. Default `customer`. */
  gasFeePayer?: 'customer' | 'merchant' | undefined
  /** Redeem calls need a session key or a signed message. Default false: the signed permit is the proof. */
  requireSignIn?: boolean | undefined
  /** Which USDC authorization customers are asked for. Default `ReceiveWithAuthorization`; the other with `unbound` only. */
  usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
  /** How long a message to sign is good for. Default 1800; at most 3600. */
  permitSeconds?: number | undefined
  /** Where the service is reached. Without it, wallets sign in on this machine only: at localhost and 127.0.0.1. */
  publicUrl?: string | undefined
  /**
   * Origins of the pages that may call the service, such as `https://shop.example`; their own address stands in the sign-in
   * texts that they ask for, since wallets compare it with the page. Pages on this machine may always call. Default: none.
   */
  allowedOrigins?: readonly string[] | undefined
  /**
   * Names under which the service is reached, as `pay.test` or `pay.test:8080`, beside those of this machine and `publicUrl`.
   * Requests for another host are refused: a page could have its own name point here. Default: none.
   */
  allowedHosts?: readonly string[] | undefined
  /** Requests of one address, and of one key: so many a second, so many at once. Default: 2000 and 10,000; false: no limit. */
  rateLimit?: { perSecond: number; burst: number } | false | undefined
  /**
   * Whether a developer on this machine may move the clock and the like, under `/sandbox`. Default true; in `prod` with
   * `startSandbox` only, whose chains are all on this machine.
   */
  sandboxControls?: boolean | undefined
  /** A Solana node, and who sponsors USDC transfers there. Default: none are settled. */
  solana?: (SolanaSponsor & FreshChain) | undefined
  /**
   * A Stellar RPC server, and who sponsors USDC transfers there. Default: none are settled. `settlement`: the contract that
   * settles payments (PROTOCOL.md 10.2); without it those that need Stellar are refused.
   */
  stellar?: (StellarSponsors & { settlement?: StellarSettlementOptions | undefined } & FreshChain) | undefined
  /** Sign-in of your own for a family of chains. Default: all three. */
  authVerifiers?: Partial<Record<ChainFamily, AuthVerifier>> | undefined
  /**
   * Told of every error before it is answered, and of those in the background. Of one that is not ours its name, its code and
   * where it came from are told, since it may quote what was sent.
   */
  onError?: ((error: unknown, request?: { requestId: string }) => void) | undefined
  /** Told of every request that was answered, but for what the dashboard reads; without headers, query and body: no secret is in it. */
  onLog?: ((entry: RequestLogEntry) => void) | undefined
  /**
   * For tests of crashes only: called after the relayer has journalled a transaction, and after it has broadcast it. The
   * reference says what it is for.
   */
  probe?: ((step: RelayerStep, transaction: { reference: Reference }) => void | Promise<void>) | undefined
}

type FreshChain = {
  /** The chain was started just now: what the database knows of transfers there is from an earlier chain. */
  fresh?: boolean | undefined
}
