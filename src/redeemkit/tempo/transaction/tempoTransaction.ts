import type { Address, Hex } from 'viem'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'

/** One call of a Tempo transaction. Without `to` it creates a contract. */
export type TempoCall = { to?: Address | undefined; value: bigint; data: Hex }

/** Nested bytes in RLP. */
export type RlpTree = Hex | readonly RlpTree[]

/** A Tempo transaction (type 0x76), unsigned or signed. */
export type TempoTransaction = {
  chainId: number
  /** Attodollars (10^-18 USD) per unit of gas. */
  maxPriorityFeePerGas: bigint
  /** Attodollars (10^-18 USD) per unit of gas. */
  maxFeePerGas: bigint
  gas: bigint
  /** Executed atomically. */
  calls: readonly TempoCall[]
  nonceKey: bigint
  nonce: bigint
  /** Unix seconds, exclusive. */
  validBefore?: bigint | undefined
  /** Unix seconds. */
  validAfter?: bigint | undefined
  /** TIP-20 token that pays the fee. In a sponsored transaction the sponsor chooses it. */
  feeToken?: Address | undefined
  /** Whether a sponsor pays the fee. If so, the sender signs a placeholder in the sponsor's place. */
  sponsored: boolean
  /** The sponsor's 65 bytes. */
  feePayerSignature?: Hex | undefined
  /** The sender's envelope. */
  signature?: Hex | undefined
  /** Present in the handoff form (0x78), which passes a signed transaction to the sponsor. */
  sender?: Address | undefined
  /** Never part of redeemkit's requests; present so that an inspection can refuse it. */
  accessList?: readonly RlpTree[] | undefined
  authorizationList?: readonly RlpTree[] | undefined
  keyAuthorization?: readonly RlpTree[] | undefined
}

/** The error for a Tempo transaction that differs from the expectation and was not signed. */
export function refusedTransaction(findings: readonly Finding[], message?: string): RefusedTransactionError {
  const dangers = findings.filter((finding) => finding.severity === 'danger')
  return new RefusedTransactionError(message ?? dangers.map((finding) => finding.message).join(' '), {
    field: dangers[0]?.field ?? 'transaction',
    fix: 'Do not sign it; ask for the transaction again.',
    source: 'Tempo Transactions',
    findings,
  })
}
