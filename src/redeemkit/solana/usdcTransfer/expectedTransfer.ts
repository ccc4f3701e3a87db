import type { Environment } from '../../core/blockchains.ts'
import type { AddressLike } from '../address/parseAddress.ts'

/**
 * The transfer that was asked for. What is left out is not pinned; what `usdcTransfer` answers pins
 * everything.
 */
export type ExpectedTransfer = {
  environment: Environment
  /** The customer: owner of the USDC. */
  from: AddressLike
  /** The receiving owner (not its token account). */
  to: AddressLike
  /** Raw units; 1 USDC = 1_000_000n. */
  amount: bigint
  /**
   * Who pays fee and rent. Left out: anybody but the customer. The customer's own address: the customer, and
   * no one else.
   */
  sponsor?: AddressLike | undefined
  /** Text of the memo. Left out: no memo. */
  paymentId?: string | undefined
  /**
   * Takes one memo that was not named, without accounts, of at most 256 characters, and no sign-in: x402's
   * clients put a random one in. Counts only without `paymentId`. Default false.
   */
  anyMemo?: boolean | undefined
  /**
   * Read-only keys that a payment request may hang on the transfer (Solana Pay's `reference`). Each has to be
   * on it.
   */
  references?: readonly AddressLike[] | undefined
  /** Known rent of the receiver's token account (`"0"` when it is there): its creation must be in it. */
  rent?: { lamports: string | number | bigint } | undefined
  blockhash?: string | undefined
  computeUnitLimit?: number | undefined
  /** Micro-lamports a unit. */
  computeUnitPrice?: bigint | undefined
  /** The highest fee, in lamports, priority fee included. Rent comes on top of it. Default 100_000n. */
  maxFeeLamports?: bigint | undefined
  /**
   * The most, in lamports, that the creation of the receiver's token account may cost the sponsor. Default:
   * `rent`; with neither, the sponsor accepts no creation, and the customer, who never pays it, any. A
   * creation for which no rent is expected (`"0"`) still costs rent if the account is gone by then: look for
   * it before you sign as sponsor.
   */
  maxRentLamports?: bigint | undefined
}
