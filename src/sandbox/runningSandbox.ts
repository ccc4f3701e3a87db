import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../redeemkit/core/blockchains.ts'
import type { Clock } from '../redeemkit/core/time/clock.ts'
import type { SandboxSolana } from './chains/solana/startSandboxSolana.ts'
import type { SandboxStellar } from './chains/stellar/startSandboxStellar.ts'
import type { TempoPeople } from './chains/tempo/tempoPeople.ts'
import type { DevAccount } from './devAccounts.ts'
import type { ServiceKind } from './serviceKind.ts'
import type { Sandbox, SandboxApp, WhitelistEntry } from './start/sandbox.ts'

/** A sandbox that listens. */
export type RunningSandbox<service extends ServiceKind = 'bound'> = {
  /** The client's `baseUrl`. */
  url: string
  /** Which kind of payments service this plays. */
  service: service
  /** Beginning of the service's header names. */
  headerPrefix: string
  merchantId: string
  creditSeed: string
  apiKey: string
  /** Signs the merchant's JWTs, such as a `destinationAuthKey` (HS256). */
  jwtSecret: string
  /** This merchant first, then those of the option `merchants`. */
  merchants: readonly SandboxMerchantKeys[]
  environment: Environment
  /**
   * People with 1000 USDC and, at each merchant, 1000 dollars of credits on every EVM chain, and no coin for gas; on Tempo with the credits,
   * and 5 pathUSD for fees.
   */
  people: People
  chains: Partial<Record<EvmBlockchain, SandboxChain<service>>>
  /** When `blockchains` names it. */
  solana?: SandboxSolana<keyof People>
  /** When `blockchains` names it. */
  stellar?: SandboxStellar<keyof People>
  /** When `blockchains` names it. */
  tempo?: SandboxTempo<service>
  /** Puts a contract on the merchant's whitelist. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** From now on customers' wallets may be deployed through this factory (ERC-6492). */
  allowFactory: Sandbox['allowFactory']
  /** The same service without the socket. */
  app: SandboxApp
  stop: () => Promise<void>
} & SandboxControls

/** What the process that started a sandbox does with it, in a test for example. */
export type SandboxControls = {
  /** The service's clock in milliseconds: the `now` of a client that is to go by the sandbox's time. */
  now: Clock
  /**
   * Puts the service's clock and all local chains forward together, as `POST /sandbox/clock` does (PROTOCOL.md 2.10). Time never
   * runs back, but by `revert`.
   *
   * @param seconds whole seconds, from 0
   */
  increaseTime: (seconds: number) => Promise<void>
  /**
   * Keeps the EVM chains, the service's rows, its clock and all that it remembers, as they are now. What is on its way ends before; a
   * transaction that waits for a block is no part of the chain yet.
   *
   * @returns a name for `revert`
   * @throws SnapshotUnavailableError with a local Solana or Stellar ledger, which cannot be put back, and on a database that others may
   * share; SandboxBusyError when what is on its way does not end
   */
  snapshot: () => Promise<string>
  /**
   * Puts all of it back, as often as wanted. Snapshots that were taken after this one are gone. Time goes on: from then on it is as
   * late as it would be, had nothing been put forward since the snapshot.
   *
   * @param id what `snapshot` returned
   * @throws UnknownSnapshotError; ChainSnapshotGoneError when a chain was put back at its own address meanwhile
   */
  revert: (id: string) => Promise<void>
  /** Gives a wallet USDC, credits and the chain's coin, on top of what it has. */
  fund: (options: Funds) => Promise<void>
  /** Gives a wallet credits, paid for by the sandbox. */
  mintCredits: (options: CreditsGift) => Promise<void>
  /** Gives a wallet USDC. */
  mintUsdc: (options: Gift) => Promise<void>
  /**
   * Deploys a contract, and resolves with its address when it is mined. It is on no whitelist yet.
   *
   * @throws InvalidSandboxOptionsError for what cannot be deployed; DeploymentFailedError when the constructor reverts
   */
  deploy: (options: Deployable) => Promise<Hex>
}

/** A contract to be deployed: `bytecode` and, where the constructor takes something, `abi`; or an artifact, which has both. */
export type Deployable = {
  abi?: readonly unknown[] | undefined
  /** Code that makes the contract, in hex. */
  bytecode?: string | undefined
  /** What Foundry (`out/Shop.sol/Shop.json`) or Hardhat (`artifacts/…/Shop.json`) wrote, as it was read: `JSON.parse(file)`. */
  artifact?: object | undefined
  /** What the constructor takes. */
  args?: readonly unknown[] | undefined
  /** Default: the sandbox's first. */
  blockchain?: EvmBlockchain | undefined
}

/** At least one of the three amounts. */
export type Funds = {
  wallet: Hex
  /** USDC in whole US cents. */
  usdcCents?: number | undefined
  /** Credits in whole US cents. */
  creditsCents?: number | undefined
  /** The chain's coin in wei. */
  coin?: bigint | undefined
  /** Default: the sandbox's first. */
  blockchain?: EvmBlockchain | undefined
  /** Whose credits. Default: the first merchant's. */
  creditSeed?: string | undefined
}

export type Gift = { wallet: Hex; cents: number; blockchain?: EvmBlockchain | undefined }

export type CreditsGift = Gift & {
  /** Default: the first merchant's. */
  creditSeed?: string | undefined
}

/** What a program of a merchant needs. */
export type SandboxMerchantKeys = {
  merchantId: string
  creditSeed: string
  apiKey: string
  /** Signs the merchant's JWTs. */
  jwtSecret: string
}

export type Person = DevAccount & { address: Hex }
export const peopleNames = ['alice', 'bob', 'carol'] as const
export type People = Record<(typeof peopleNames)[number], Person>

/** One local chain. */
export type SandboxChain<service extends ServiceKind = 'bound'> = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  rpcUrl: string
  /** The block of the real chain that this is a copy of; false for a chain of its own. */
  forked: false | { blockNumber: number }
  usdc: Hex
  creditsContract: Hex
  bridgeAdapter: Hex
  /** Settles payments: who a checkout's USDC authorization pays. */
  paymentSettlement: Hex
  /** Account that sends the redeems. */
  operator: Hex
  feeRecipient: Hex
  /** What a client of this chain has to be given (PROTOCOL.md 3.2). */
  pinned: SandboxPins<service>
}

/** Every chain that a sandbox can start. */
export type SandboxBlockchain = EvmBlockchain | 'solana' | 'stellar'

/** The local Tempo chain: credits, no USDC. */
export type SandboxTempo<service extends ServiceKind = 'bound'> = {
  blockchain: 'tempo'
  environment: Environment
  chainId: number
  rpcUrl: string
  creditsContract: Hex
  /** pathUSD: backs the credits and pays fees. 6 decimals. */
  token: Hex
  /** Account that sends the redeems. */
  operator: Hex
  /** What a client of this chain has to be given (PROTOCOL.md 3.2). */
  pinned: SandboxPins<service>
  /** One for each kind of signature, with 1000 dollars of credits each. */
  people: TempoPeople
}

export type SandboxPins<service extends ServiceKind = 'bound'> = {
  creditsContract: Hex
  domainName: string
  creditSeed: string
} & (service extends 'unbound' ? { intentBound: false } : { intentBound?: true })
