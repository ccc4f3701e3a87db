import type { Address, Hex } from 'viem'

/** One call of a Tempo transaction. A call without `to` creates a contract. */
export type TempoCall = { to?: Address | undefined; value: bigint; data: Hex }

/** The content of an RLP item: bytes or a list. */
export type RlpTree = Hex | readonly RlpTree[]

/** A Tempo transaction (type 0x76), unsigned or signed. */
export type TempoTransaction = {
  chainId: number
  /** Attodollars (10^-18 USD) per unit of gas. */
  maxPriorityFeePerGas: bigint
  /** Attodollars (10^-18 USD) per unit of gas. */
  maxFeePerGas: bigint
  gas: bigint
  /** The calls, which are executed atomically. */
  calls: readonly TempoCall[]
  nonceKey: bigint
  nonce: bigint
  /** Unix seconds, exclusive. */
  validBefore?: bigint | undefined
  /** Unix seconds before which the transaction is not valid. */
  validAfter?: bigint | undefined
  /** The TIP-20 token in which the fee is paid. In a sponsored transaction, the sponsor chooses it. */
  feeToken?: Address | undefined
  /** Whether a sponsor pays the fee. If so, the sender's digest has a placeholder for the sponsor. */
  sponsored: boolean
  /** The sponsor's signature, 65 bytes. */
  feePayerSignature?: Hex | undefined
  /** The sender's signature: the bytes of any Tempo signature. */
  signature?: Hex | undefined
  /** The sender's address. Present only in the handoff form (0x78), with which a sender gives a signed transaction to the sponsor. */
  sender?: Address | undefined
  /** redeemkit never sets it. It is part of the type so that an inspection can refuse it. */
  accessList?: readonly RlpTree[] | undefined
  authorizationList?: readonly RlpTree[] | undefined
  keyAuthorization?: readonly RlpTree[] | undefined
}

export const withoutAbsent = <fields extends object>(fields: fields): fields =>
  // only fields that may be absent are removed
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as fields
