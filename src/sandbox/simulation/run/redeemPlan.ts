import type { Hex } from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import type { RedeemRequest } from '../call/redeemRequest.ts'

/** A redeem, and the state of the chain on which it is tried. */
export type RedeemPlan = {
  client: EvmClient
  chainId: number
  creditsContract: Hex
  usdc: Hex
  /** There for a decent redeem. */
  bridgeAdapter?: Hex | undefined
  relayer: Hex
  request: RedeemRequest
  /** `assumed`: the wallet is played by code that agrees to everything. */
  signatures: 'real' | 'assumed'
  blockNumber: bigint
  /** Of that block, unix seconds. */
  timestamp: bigint
  /** State that is not the chain's. */
  assumed?: Overrides | undefined
}

/** What is different of accounts while a call is tried. */
export type Overrides = Readonly<Record<Hex, Override>>

type Override = {
  code?: Hex | undefined
  balance?: bigint | undefined
  /** Words of storage, by their slots. */
  stateDiff?: Readonly<Record<Hex, Hex>> | undefined
}
