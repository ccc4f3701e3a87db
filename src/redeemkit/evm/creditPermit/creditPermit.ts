import type { Address, Hex } from 'viem'
import type { TypedDataDomain } from '../eip712/typedDataDomain.ts'

/** The domain of a credits contract. Ours has name `Credits` and version `1`. */
export type CreditPermitDomain = TypedDataDomain

/** The EIP-712 message `CreditsAuthorization` (PROTOCOL.md 3). */
export type CreditPermit = {
  /** Who pays. */
  customerWallet: Address
  /** Name of the merchant's credit balance. */
  creditSeed: string
  /** The most that may be charged to credits, gas fee included. Raw units; 1 USD is `1_000_000n`. */
  amount: bigint
  /** Unix seconds from which on the permit is dead. */
  validBefore: bigint
  /** 32 bytes, single use per wallet. Bit 255 set means bound to an intent. */
  nonce: Hex
}
