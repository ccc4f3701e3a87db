import type { Address, Hex } from 'viem'

/** The message of an EIP-3009 authorization. */
export type UsdcAuthorization = {
  /** Who pays. */
  from: Address
  /** Who gets it. */
  to: Address
  /** Raw units; 1 USDC is `1_000_000n`. */
  value: bigint
  /** Unix seconds, exclusive: valid only when the block's time is above it. */
  validAfter: bigint
  /** Unix seconds, exclusive: valid only when the block's time is below it. */
  validBefore: bigint
  /** 32 bytes, single use per `from`. */
  nonce: Hex
}

/** `TransferWithAuthorization` can be executed by anyone, `ReceiveWithAuthorization` only by `to`. */
export type UsdcAuthorizationType = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
