import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../redeemkit/core/blockchains.ts'
import type { Clock } from '../redeemkit/core/clock.ts'
import type { SandboxSolana } from './chains/solana/startSandboxSolana.ts'
import type { SandboxStellar } from './chains/stellar/startSandboxStellar.ts'
import type { TempoAccounts } from './chains/tempo/tempoAccounts.ts'
import type { DevAccount } from './devAccounts.ts'
import type { ServiceKind } from './serviceKind.ts'
import type { Sandbox, SandboxApp, WhitelistEntry } from './start/sandbox.ts'

/** A running sandbox. */
export type RunningSandbox<service extends ServiceKind = 'intentBound'> = {
  /** URL of the service, for the client's `baseUrl`. */
  url: string
  /** The kind of payments service that it emulates. */
  service: service
  /** Prefix of the header names of the service. */
  headerPrefix: string
  merchantId: string
  creditSeed: string
  apiKey: string
  /** Secret that signs the merchant's JWTs, such as a `destinationAuthKey` (HS256). */
  jwtSecret: string
  /** All merchants: this one first, then those of the option `merchants`. */
  merchants: readonly SandboxMerchantKeys[]
  environment: Environment
  /**
   * Test accounts, each with 1000 USDC and, at each merchant, 1000 dollars of credits on every EVM chain, and no
   * native coin. On Tempo they have the same credits, and 5 pathUSD for fees.
   */
  accounts: TestAccounts
  chains: Partial<Record<EvmBlockchain, SandboxChain<service>>>
  /** The Solana chain, if the option `blockchains` contains it. */
  solana?: SandboxSolana<keyof TestAccounts>
  /** The Stellar ledger, if the option `blockchains` contains it. */
  stellar?: SandboxStellar<keyof TestAccounts>
  /** The Tempo chain, if the option `blockchains` contains it. */
  tempo?: SandboxTempo<service>
  /** Adds a contract to the merchant's whitelist. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** Allows a factory to deploy customers' wallets (ERC-6492). Pin it too, in `walletFactories`. */
  allowFactory: Sandbox['allowFactory']
  /** The same service as an app, to call without a port. */
  app: SandboxApp
  stop: () => Promise<void>
} & SandboxControls

/** Controls for the process that started a sandbox, such as a test. */
export type SandboxControls = {
  /** The service's clock in milliseconds: pass it as `now` to a client that follows the time of the sandbox. */
  now: Clock
  /**
   * Advances the clocks of the service and of all local chains together, like `POST /sandbox/clock` (PROTOCOL.md 2.10). Only
   * `revert` sets them back.
   *
   * @param seconds whole seconds, from 0
   */
  increaseTime: (seconds: number) => Promise<void>
  /**
   * Takes a snapshot of the EVM chains, the database, the clock and the memory of the service, once pending work has finished.
   * A transaction that waits for a block is not included.
   *
   * @returns an id for `revert`
   */
  snapshot: () => Promise<string>
  /**
   * Reverts to a snapshot; may be called repeatedly. Deletes later snapshots. The clock continues as if it had not been
   * advanced since the snapshot.
   *
   * @param id the id that `snapshot` returned
   */
  revert: (id: string) => Promise<void>
  /** Adds USDC, credits or native coin to a wallet. */
  fund: (options: Funds) => Promise<void>
  /** Mints credits for a wallet, backed by the sandbox. */
  mintCredits: (options: CreditsGift) => Promise<void>
  /** Mints USDC for a wallet. */
  mintUsdc: (options: Gift) => Promise<void>
  /** Deploys a contract and resolves to its address. It is not whitelisted. */
  deploy: (options: Deployable) => Promise<Hex>
}

/** A contract to deploy: either `bytecode`, with `abi` if the constructor has arguments, or an artifact that contains both. */
export type Deployable = {
  abi?: readonly unknown[] | undefined
  /** Creation code in hex. */
  bytecode?: string | undefined
  /** Parsed artifact of Foundry (`out/Shop.sol/Shop.json`) or Hardhat (`artifacts/…/Shop.json`): `JSON.parse(file)`. */
  artifact?: object | undefined
  /** Constructor arguments. */
  args?: readonly unknown[] | undefined
  /** Chain to deploy on. Default: the sandbox's first chain. */
  blockchain?: EvmBlockchain | undefined
}

/** The funds for a wallet. Pass at least one of the three amounts. */
export type Funds = {
  wallet: Hex
  /** USDC in whole US cents. */
  usdcCents?: number | undefined
  /** Credits in whole US cents. */
  creditsCents?: number | undefined
  /** Native coin in wei. */
  coin?: bigint | undefined
  /** Chain of the funds. Default: the sandbox's first chain. */
  blockchain?: EvmBlockchain | undefined
  /** Credit seed of the credits. Default: the first merchant's. */
  creditSeed?: string | undefined
}

export type Gift = { wallet: Hex; cents: number; blockchain?: EvmBlockchain | undefined }

export type CreditsGift = Gift & {
  /** Credit seed of the credits. Default: the first merchant's. */
  creditSeed?: string | undefined
}

/** Credentials of a merchant. */
export type SandboxMerchantKeys = {
  merchantId: string
  creditSeed: string
  apiKey: string
  /** Secret that signs the merchant's JWTs. */
  jwtSecret: string
}

export type TestAccount = DevAccount & { address: Hex }
export const testAccountNames = ['alice', 'bob', 'carol'] as const
export type TestAccounts = Record<(typeof testAccountNames)[number], TestAccount>

/** One local chain. */
export type SandboxChain<service extends ServiceKind = 'intentBound'> = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  rpcUrl: string
  /** The forked block; false for a fresh chain. */
  forked: false | { blockNumber: number }
  usdc: Hex
  creditsContract: Hex
  bridgeAdapter: Hex
  /** The contract that settles payments, which is the receiver of a checkout's USDC authorization. */
  paymentSettlement: Hex
  /** The account that sends the redeems. */
  operator: Hex
  feeRecipient: Hex
  /** Pinned values for a client of this chain (PROTOCOL.md 3.2). */
  pinned: SandboxPins<service>
}

/** Every chain that a sandbox can start. */
export type SandboxBlockchain = EvmBlockchain | 'solana' | 'stellar'

/** The local Tempo chain, which has credits but no USDC. */
export type SandboxTempo<service extends ServiceKind = 'intentBound'> = Pick<
  SandboxChain<service>,
  'environment' | 'chainId' | 'rpcUrl' | 'creditsContract' | 'operator' | 'pinned'
> & {
  blockchain: 'tempo'
  /** pathUSD, the token that backs the credits and pays fees. 6 decimals. */
  token: Hex
  /** One test account per signature type, each with 1000 dollars of credits. */
  accounts: TempoAccounts
}

export type SandboxPins<service extends ServiceKind = 'intentBound'> = {
  creditsContract: Hex
  domainName: string
  creditSeed: string
  /** The sandbox's option `walletFactories`. */
  walletFactories?: readonly Hex[] | undefined
} & (service extends 'randomNonce' ? { intentBound: false } : { intentBound?: true })
