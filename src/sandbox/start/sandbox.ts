import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'

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
