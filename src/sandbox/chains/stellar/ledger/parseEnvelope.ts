import type { FeeBumpTransaction, Transaction, xdr } from '@stellar/stellar-sdk'
import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import {
  Address,
  encodeMuxedAccountToAddress,
  extractBaseAddress,
  TransactionBuilder,
} from '../../../../redeemkit/stellar/sdk.ts'
import type { ContractCall } from '../host/runHostFunction.ts'

/** Parses a transaction envelope. Rejects the format used before 2020. */
export function parseEnvelope(
  transactionXdr: string,
  networkPassphrase: string,
): Transaction | FeeBumpTransaction {
  try {
    const parsed = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
    if (parsed.toEnvelope().switch().name === 'envelopeTypeTxV0')
      throw new Error('The envelope has the format used before 2020.')
    return parsed
  } catch (cause) {
    throw new LedgerError('The text is not a transaction envelope.', {
      field: 'transaction',
      cause,
      fix: 'Send base64 XDR of a TransactionEnvelope.',
    })
  }
}

export function transactionXdrOf(transaction: Transaction): xdr.Transaction {
  return transaction.toEnvelope().v1().tx()
}

export function sorobanDataOf(transaction: Transaction): xdr.SorobanTransactionData | undefined {
  const ext = transactionXdrOf(transaction).ext()
  return ext.switch() === 1 ? ext.sorobanData() : undefined
}

/** A transaction's preconditions apart from its bounds (CAP-21). */
export type Preconditions = {
  /** Minimum current sequence number of the source; undefined: exactly one less than the transaction's. */
  minSequence: bigint | undefined
  /** Minimum age of the source's sequence number, in seconds and in ledgers. */
  minAge: bigint
  minGap: number
  extraSigners: readonly xdr.SignerKey[]
}

export function preconditionsOf(transaction: Transaction): Preconditions {
  const condition = transactionXdrOf(transaction).cond()
  if (condition.switch().name !== 'precondV2')
    return { minSequence: undefined, minAge: 0n, minGap: 0, extraSigners: [] }
  const v2 = condition.v2()
  return {
    minSequence: v2.minSeqNum()?.toBigInt(),
    minAge: v2.minSeqAge().toBigInt(),
    minGap: v2.minSeqLedgerGap(),
    extraSigners: v2.extraSigners(),
  }
}

/** An operation's contract call; undefined for any other operation. Wasm uploads and deployments are not simulated. */
export function contractCallOf(operation: xdr.Operation): ContractCall | undefined {
  const body = operation.body()
  if (body.switch().name !== 'invokeHostFunction') return undefined
  const hostFunction = body.invokeHostFunctionOp().hostFunction()
  if (hostFunction.switch().name !== 'hostFunctionTypeInvokeContract') return undefined
  const call = hostFunction.invokeContract()
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args(),
  }
}

/** The address of an account without its muxed id. */
export function baseAddress(account: xdr.MuxedAccount): string {
  return extractBaseAddress(encodeMuxedAccountToAddress(account, true))
}

/** Invalid input to the local Stellar ledger. */
export class LedgerError extends BaseError {
  override readonly name = 'LedgerError'
}
