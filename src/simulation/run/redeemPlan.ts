import type { Hex } from 'viem'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import type { RedeemRequest } from '../call/redeemRequest.ts'

/** A redeem, and the state of the chain on which it is tried. */
export type RedeemPlan = {
  client: EvmClient
  chainId: number
  creditsContract: Hex
  usdc: Hex
  relayer: Hex
  request: RedeemRequest
  /** `assumed`: the wallet is played by code that agrees to everything. */
  signatures: 'real' | 'assumed'
  blockNumber: bigint
  /** Of that block, unix seconds. */
  timestamp: bigint
}

/** What the state override of a plan is: the wallet, when it is played. */
export type Overrides = Readonly<Record<Hex, { code?: Hex; balance?: bigint }>>
