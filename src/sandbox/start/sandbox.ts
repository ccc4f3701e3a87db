import type { Hex } from 'viem'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'

/** The service's HTTP side: a fetch handler, as every server of JavaScript takes one. */
export type SandboxApp = {
  /**
   * Answers a request, behind a server: `serve({ fetch: app.fetch })`. `env` is what the server hands over beside it: with Node's, the
   * `incoming` request, by whose socket the caller's address is known.
   */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  /** Answers a request without a server: `app.request('/api/…')`. */
  request: (input: string | URL | Request, init?: RequestInit) => Response | Promise<Response>
}

/** The service, not yet listening anywhere. */
export type Sandbox = {
  /** Answers requests: `app.request('/api/…')`, or `app.fetch` behind a server. */
  app: SandboxApp
  /** Opens the database and takes up what was left open. Requests do so by themselves. */
  start: () => Promise<void>
  /** Stops following transactions and closes the database. What is open stays in the journal. */
  stop: () => Promise<void>
  /** Puts a contract on a merchant's whitelist, and resolves when that is mined. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** From now on customers' wallets may be deployed through this factory (ERC-6492). */
  allowFactory: (options: { factory: Hex; blockchain?: EvmBlockchain | undefined }) => void
}

export type WhitelistEntry = {
  target: Hex
  /** The allowed function, by its 4 bytes or its signature: `buy(address,uint256)`. Any when absent. */
  selector?: string | undefined
  /** Default: the sandbox's first. */
  blockchain?: EvmBlockchain | undefined
  /** Default: the first merchant's. */
  creditSeed?: string | undefined
  /** Where `target` stands, when that is a decent destination. */
  chainId?: number | undefined
  minimumGas?: bigint | undefined
  /** False takes the entry off again. Default true. */
  allowed?: boolean | undefined
}
