import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../redeemkit/core/clock.ts'
import type { connectEvmChain } from '../chains/connectEvmChain.ts'
import type { SandboxMerchant } from '../merchantOptions.ts'
import type { RelayerStep } from '../relayer/relayerChain.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import type { SandboxStore } from '../sandboxStore.ts'
import type { StellarSettlementOptions } from '../service/service.ts'
import type { SolanaSponsor, StellarSponsors } from '../service/transfers/transferChain.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { Reference } from '../store/columns.ts'

/** The service's fetch handler, for any JavaScript server. */
export type SandboxApp = {
  /**
   * Handles a request from a server: `serve({ fetch: app.fetch })`. The server passes `env`; with Node.js, `env.incoming` is the
   * request whose socket has the caller's address.
   */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  /** Handles a request without a server: `app.request('/api/…')`. */
  request: (input: string | URL | Request, init?: RequestInit) => Response | Promise<Response>
}

/** The service as an app, without a server. */
export type Sandbox = {
  /** Handles requests: `app.request('/api/…')`, or `app.fetch` behind a server. */
  app: SandboxApp
  /** Opens the database and resumes pending work. The first request does the same. */
  start: () => Promise<void>
  /** Stops tracking transactions and closes the database. Pending transactions stay in the journal. */
  stop: () => Promise<void>
  /** Adds a contract to a merchant's whitelist, and resolves when the transaction is mined. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** Allows this factory to deploy customers' wallets (ERC-6492). */
  allowFactory: (options: { factory: Hex; blockchain?: EvmBlockchain | undefined }) => void
}

export type WhitelistEntry = {
  target: Hex
  /** The allowed function: its 4-byte selector, or a signature such as `buy(address,uint256)`. Default: all functions. */
  selector?: string | undefined
  /** Chain of the whitelist. Default: the sandbox's first chain. */
  blockchain?: EvmBlockchain | undefined
  /** Credit seed of the merchant. Default: the first merchant's. */
  creditSeed?: string | undefined
  /** Chain of `target`, if `target` is on a destination chain of `decent` redeems. */
  chainId?: number | undefined
  /** Gas that a relayer must provide for the call. Default: the service's default (PROTOCOL.md 6.3). */
  minimumGas?: bigint | undefined
  /** False removes the entry. Default true. */
  allowed?: boolean | undefined
}

/** Options of a service; see `createSandbox`. */
export type SandboxOptions = {
  chains: readonly connectEvmChain.Options[]
  merchants: readonly SandboxMerchant[]
  /**
   * The kind of payments service to simulate (PROTOCOL.md 4.6). With `randomNonce`, the chains have the matching contract. Default
   * `intentBound`.
   */
  service?: ServiceKind | undefined
  /** Environment, which determines chain ids and USDC addresses. Default `sandbox`. */
  environment?: Environment | undefined
  /** Folder of the database. Default: the database is in memory. */
  dataDir?: string | undefined
  /**
   * PostgreSQL server, `postgresql://user:password@host:port/database`; tables are in the schema `redeemkit`. Several
   * services with the same chains and merchants may share it.
   */
  databaseUrl?: string | undefined
  /** Opens the database. Replaces `dataDir` and `databaseUrl`. Called on first use, and again after a failure. */
  store?: (() => Promise<SandboxStore>) | undefined
  /** The service's clock in milliseconds. Default `Date.now`. */
  now?: Clock | undefined
  /** Prefix of the service's header names. Default `x-svc-`. */
  headerPrefix?: string | undefined
  /** Who pays for gas. With `merchant`, customers pay no gas fee. Default `customer`. */
  gasFeePayer?: 'customer' | 'merchant' | undefined
  /** Whether redeem calls require a session key or a signed message. Default false: the signed permit suffices. */
  requireSignIn?: boolean | undefined
  /** Type of the USDC authorization that customers sign. Default `ReceiveWithAuthorization`; the other type requires `randomNonce`. */
  usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
  /** Lifetime of a permit in seconds. Default and maximum: PROTOCOL.md 3.3. */
  permitSeconds?: number | undefined
  /** The service's public URL. Without it, wallets can sign in on this machine only (localhost, 127.0.0.1). */
  publicUrl?: string | undefined
  /**
   * Origins of pages that may call the service, such as `https://shop.example` or `chrome-extension://ID`. Sign-in messages for such a page
   * contain the page's own URL, because wallets compare it with the page. Local pages may always call. Default: none.
   */
  allowedOrigins?: readonly string[] | undefined
  /**
   * Host names of the service, such as `pay.test` or `pay.test:8080`, in addition to this machine's and `publicUrl`'s. Requests for
   * other hosts are rejected, which prevents DNS rebinding. Default: none.
   */
  allowedHosts?: readonly string[] | undefined
  /** Rate limit per IP address and per key. Default: 2000 per second with a burst of 10,000. False: no limit. */
  rateLimit?: { perSecond: number; burst: number } | false | undefined
  /**
   * Whether this machine can use the sandbox controls under `/sandbox`. Default true. In `prod`, they are available only with
   * `startSandbox`, whose chains are all local.
   */
  sandboxControls?: boolean | undefined
  /** A Solana node, and the sponsor of USDC transfers. Without this option, the service does not settle USDC transfers on Solana. */
  solana?: (SolanaSponsor & FreshChain) | undefined
  /**
   * A Stellar RPC server, and the sponsors of USDC transfers. Without this option, the service does not settle transfers on Stellar.
   * `settlement` is the contract that settles payments (PROTOCOL.md 10.2). Without it, payments that settle on Stellar are rejected.
   */
  stellar?: (StellarSponsors & { settlement?: StellarSettlementOptions | undefined } & FreshChain) | undefined
  /**
   * Called with each error before the response is sent, and with errors of background work. Errors of other libraries are reduced to
   * name, code and stack, because they may quote the request.
   */
  onError?: ((error: unknown, request?: { requestId: string }) => void) | undefined
  /** Called after the response to every request, except the dashboard's. Entries contain no headers, query or body. */
  onLog?: ((entry: RequestLogEntry) => void) | undefined
  /** For crash tests only. Called after the relayer has journaled a transaction, and after it has broadcast the transaction. */
  probe?: ((step: RelayerStep, transaction: { reference: Reference }) => void | Promise<void>) | undefined
}

type FreshChain = {
  /** Whether the chain was just started. Then the transfers in the database belong to an earlier chain. */
  fresh?: boolean | undefined
}

export const serviceOptionKinds = {
  service: 'string?',
  environment: 'string?',
  dataDir: 'string?',
  databaseUrl: 'string?',
  now: 'any',
  headerPrefix: 'string?',
  gasFeePayer: 'string?',
  requireSignIn: 'boolean?',
  usdcAuthorizationType: 'string?',
  permitSeconds: 'any',
  publicUrl: 'any',
  allowedOrigins: 'any',
  allowedHosts: 'any',
  rateLimit: 'any',
  sandboxControls: 'boolean?',
  onError: 'function?',
  onLog: 'function?',
  probe: 'function?',
} as const
