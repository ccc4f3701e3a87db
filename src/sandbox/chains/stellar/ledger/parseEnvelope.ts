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
