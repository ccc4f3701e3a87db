import {
  type Chain,
  type Client,
  createTestClient,
  defineChain,
  type Hex,
  type PublicActions,
  publicActions,
  type TestActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { EvmSigner } from '../../redeemkit/evm/signer/toSigner.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import { nodeTransport, type Pipe } from '../chains/anvil/connectPipe.ts'
import { multicall3 } from '../chains/anvil/prepareUsdc.ts'
import type { TestAccounts } from '../runningSandbox.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import type { WhitelistEntry } from '../start/sandbox.ts'
import type { Snapshot } from './snapshots.ts'

/** A local chain for a test, with the service's contracts and funded test accounts. Amounts are raw units: 1 USDC is `1_000_000n`. */
export type Fork = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  /** The forked block; `undefined` for a fresh chain. */
  forkBlockNumber: number | undefined
  /** JSON-RPC endpoint over HTTP, for other processes on this machine. */
  rpcUrl: string
  /** A client with viem's public, wallet and test actions, which does not use HTTP. */
  client: ForkClient
  /** USDC, at its real address. */
  usdc: Hex
  creditsContract: Hex
  creditSeed: string
  /** The account that sends redeems, as the service's operator does. */
  operator: Hex
  /** Test accounts alice, bob and carol, each with 1000 USDC and 1000 dollars of credits, and no native coin. */
  accounts: TestAccounts
  /** Whitelists one function, or all functions, of a contract. */
  whitelist: (entry: ForkWhitelistEntry) => Promise<void>
  /** Deploys a contract and returns its address. */
  deploy: (contract: ContractToDeploy) => Promise<Hex>
  /** Gives a wallet USDC, credits or native coin. */
  fund: (gift: ForkGift) => Promise<void>
  /** Simulates a redeem and returns a report. Does not change the chain. */
  simulateRedeem: (redeem: RedeemToSimulate) => Promise<RedeemReport>
  /** Signs a redeem as the customer, sends it as the operator without a gas fee, and returns a report, even if it reverts. */
  redeem: (redeem: RedeemToSend) => Promise<RedeemReport>
  /** Takes a snapshot of the chain, its clock and its mining mode. */
  snapshot: () => Promise<Snapshot>
  /** Reverts to a snapshot; may be called repeatedly. Drops pending transactions. */
  revert: (snapshot: Snapshot) => Promise<void>
  /** Advances the chain's clock and mines a block. */
  increaseTime: (seconds: number) => Promise<void>
  /** Returns and clears the error about data that the fork needed, but found neither in its record file nor at its endpoint. */
  takeMissing: () => Error | undefined
  /** Number of requests to the real endpoint; 0 for a fresh or fully recorded chain. */
  callsUpstream: () => number
  /** Stops the chain and writes new responses to the record file. */
  stop: () => Promise<void>
}

export type ForkWhitelistEntry = Pick<WhitelistEntry, 'target' | 'selector' | 'minimumGas' | 'allowed'>

/** An artifact of Hardhat or Foundry, and the constructor arguments. */
export type ContractToDeploy = {
  abi: readonly unknown[]
  bytecode: Hex | string | { object: string }
  args?: readonly unknown[] | undefined
}

export type ForkGift = {
  wallet: Hex
  usdc?: bigint | undefined
  credits?: bigint | undefined
  /** Native coin in wei. */
  coin?: bigint | undefined
}

export type RedeemToSimulate = {
  transactionData: TransactionData
  /** Price of the redeem. */
  amount: bigint
  /** The part of the price that the customer pays in USDC. Default 0. */
  usdcAmount?: bigint | undefined
  /** The customer. Default: alice. Without an account, a contract that accepts every signature replaces the wallet. */
  customer?: { address: Hex; account?: EvmSigner | undefined } | undefined
  /** ABIs that decode errors, calls and events. */
  abis?: readonly (readonly unknown[])[] | undefined
  /** Rules to check. Default `all`; `economic` is faster. */
  rules?: 'economic' | 'all' | undefined
}

export type RedeemToSend = Omit<RedeemToSimulate, 'customer'> & {
  /** The customer. Default: alice. */
  customer?: { address: Hex; account: EvmSigner } | undefined
}

/** A viem client for a local chain, with public, wallet and test actions. */
export type ForkClient = Client<
  Transport,
  Chain,
  undefined,
  undefined,
  TestActions & PublicActions<Transport, Chain> & WalletActions<Chain>
>

/** Does not use HTTP, and polls fast. */
export function createForkClient(
  node: Pick<Pipe, 'ask'>,
  { chainId, rpcUrl, name }: { chainId: number; rpcUrl: string; name: string },
): ForkClient {
  const chain: Chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: multicall3 } },
  })
  const transport = nodeTransport(node)
  return createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}
