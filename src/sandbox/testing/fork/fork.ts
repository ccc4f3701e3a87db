import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/evmSigner.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { People } from '../../runningSandbox.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import type { ForkClient } from './forkClient.ts'
import type { Snapshot } from './snapshots.ts'

/** A chain of a test's own, with the service's contracts and funded people on it. Amounts are raw units: 1 USDC is `1_000_000n`. */
export type Fork = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  /** The block of the real chain that this is a copy of; `undefined` for a fresh chain. */
  forkBlockNumber: number | undefined
  /** JSON-RPC over HTTP, for other programs and processes of this machine. */
  rpcUrl: string
  /** viem's public, wallet and test actions in one, without HTTP between. */
  client: ForkClient
  /** USDC, at its real address. */
  usdc: Hex
  creditsContract: Hex
  creditSeed: string
  /** Sends redeems, as the service does. */
  operator: Hex
  /** alice, bob and carol, with 1000 USDC and 1000 dollars of credits each, and no coin for gas. */
  people: People
  /** Puts a contract on the whitelist: any function of it, or one. */
  whitelist: (entry: ForkWhitelistEntry) => Promise<void>
  /** Deploys a contract, and returns its address. */
  deploy: (contract: ContractToDeploy) => Promise<Hex>
  /** Gives a wallet USDC, credits, coin for gas, or several of them. */
  fund: (gift: ForkGift) => Promise<void>
  /** Runs a redeem without sending it, and reports. The chain stays as it was. */
  simulateRedeem: (redeem: RedeemToSimulate) => Promise<RedeemReport>
  /** Signs a redeem as the customer, sends it as the operator without a gas fee, and reports, also when it was reverted. */
  redeem: (redeem: RedeemToSend) => Promise<RedeemReport>
  /** Keeps the chain as it is now, with its clock and its way of mining. */
  snapshot: () => Promise<Snapshot>
  /** Goes back, as often as wanted. Transactions that wait are dropped. */
  revert: (snapshot: Snapshot) => Promise<void>
  /** Moves the chain's clock ahead, and mines a block. */
  increaseTime: (seconds: number) => Promise<void>
  /** What a test asked of a fork that is not in its file, or that its endpoint did not say, since this was last called: an error to throw. */
  takeMissing: () => Error | undefined
  /** How often the real endpoint was asked; 0 of a fresh chain, and of one whose file has all that was asked. */
  callsUpstream: () => number
  /** Ends it, and writes what was recorded. */
  stop: () => Promise<void>
}

export type ForkWhitelistEntry = {
  target: Hex
  /** The allowed function: `buy(address,uint256)` or its four bytes. Default: any. */
  selector?: string | undefined
  /** Gas that a relayer has to leave for the call. Default 100_000. */
  minimumGas?: bigint | undefined
  /** False takes the entry off again. Default true. */
  allowed?: boolean | undefined
}

/** A contract as its compiler puts it out: an artifact of Hardhat or Foundry, with the arguments of its constructor. */
export type ContractToDeploy = {
  abi: readonly unknown[]
  bytecode: Hex | string | { object: string }
  args?: readonly unknown[] | undefined
}

export type ForkGift = {
  wallet: Hex
  usdc?: bigint | undefined
  credits?: bigint | undefined
  /** In wei. */
  coin?: bigint | undefined
}

export type RedeemToSimulate = {
  transactionData: TransactionData
  /** What it spends in all. */
  amount: bigint
  /** The part of it that the customer pays in USDC. Default 0. */
  usdcAmount?: bigint | undefined
  /** Default: alice. Without an account that signs, the wallet is played by code that agrees to everything. */
  customer?: { address: Hex; account?: EvmSigner | undefined } | undefined
  /** ABIs that errors, calls and events are named by. */
  abis?: readonly (readonly unknown[])[] | undefined
  /** Which rules are judged. Default `all`; `economic` is quicker. */
  rules?: 'economic' | 'all' | undefined
}

export type RedeemToSend = Omit<RedeemToSimulate, 'customer' | 'rules'> & {
  /** Default: alice. */
  customer?: { address: Hex; account: EvmSigner } | undefined
}
