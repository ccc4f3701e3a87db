import {
  Address,
  type FeeBumpTransaction,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import type { HostFunction } from '../host/runHostFunction.ts'
import { LedgerError } from './errors.ts'

/**
 * Reads a transaction envelope of today; the SDK has written no other since 2020.
 *
 * @throws {@link LedgerError}
 */
export function parseEnvelope(
  transactionXdr: string,
  networkPassphrase: string,
): Transaction | FeeBumpTransaction {
  try {
    const parsed = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
    if (parsed.toEnvelope().switch().name === 'envelopeTypeTxV0')
      throw new Error('An envelope of before 2020.')
    return parsed
  } catch (cause) {
    throw new LedgerError('The text is not a transaction.', {
      field: 'transaction',
      cause,
      fix: 'Send base64 XDR of a TransactionEnvelope.',
    })
  }
}

/** The XDR of the transaction inside an envelope. */
export function transactionXdrOf(transaction: Transaction): xdr.Transaction {
  return transaction.toEnvelope().v1().tx()
}

/** The resources that a contract call declares. */
export function sorobanDataOf(transaction: Transaction): xdr.SorobanTransactionData | undefined {
  const ext = transactionXdrOf(transaction).ext()
  return ext.switch() === 1 ? ext.sorobanData() : undefined
}

/** The conditions of a transaction beside its bounds (CAP-21). */
export type Preconditions = {
  /** The least sequence number that its source may be at; undefined for the one before its own. */
  minSequence: bigint | undefined
  /** How old the source's sequence number has to be: seconds, and ledgers. */
  minAge: bigint
  minGap: number
  extraSigners: readonly xdr.SignerKey[]
}

/** Reads the conditions of a transaction. */
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

/** What an operation asks of the contract host; undefined when that is nothing that is simulated. */
export function hostFunctionOf(operation: xdr.Operation): HostFunction | undefined {
  const body = operation.body()
  if (body.switch().name !== 'invokeHostFunction') return undefined
  const hostFunction = body.invokeHostFunctionOp().hostFunction()
  switch (hostFunction.switch().name) {
    case 'hostFunctionTypeInvokeContract': {
      const call = hostFunction.invokeContract()
      return {
        kind: 'invoke',
        contract: Address.fromScAddress(call.contractAddress()).toString(),
        functionName: call.functionName().toString(),
        args: call.args(),
      }
    }
    case 'hostFunctionTypeUploadContractWasm':
      return { kind: 'upload', code: hostFunction.wasm() }
    case 'hostFunctionTypeCreateContractV2':
      return { kind: 'create', creation: hostFunction.createContractV2() }
    default:
      return undefined
  }
}
