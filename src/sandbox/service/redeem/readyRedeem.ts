import type { Hex } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { gasPrice } from '../../relayer/gasPrice.ts'
import type { RedeemRequest } from '../../simulation/redeemRequest.ts'
import type { OrderClaim } from '../orders/claimOrders.ts'
import type { HashedIntent } from './resolveIntent.ts'

export type RedeemQueue = {
  /** Resolves with the hash when the redeem is broadcast; one that is on its way already is answered with its own. */
  send: (ready: ReadyRedeem) => Promise<Hex>
}

/** A redeem that nothing speaks against. */
export type ReadyRedeem = {
  redeem: { chain: EvmChain; wallet: Hex; nonce: Hex; intent: HashedIntent }
  merchantId: string
  /** The claim of the order that this attempt replaces: it has ended. */
  ended: OrderClaim | undefined
  request: RedeemRequest
  /** As estimated. */
  gas: bigint
  gasFee: bigint
  /** Of the wallet, when this was checked. */
  turn: number
  /** 1, or one more than the attempt that was reverted. */
  attempt: number
  price: gasPrice.ReturnType
}
