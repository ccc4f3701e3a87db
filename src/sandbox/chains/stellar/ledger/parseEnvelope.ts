import type { FeeBumpTransaction as FeeBump, Transaction, xdr } from '@stellar/stellar-sdk'
import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import {
  Address,
  encodeMuxedAccountToAddress,
  extractBaseAddress,
  FeeBumpTransaction,
  TransactionBuilder,
} from '../../../../redeemkit/stellar/sdk.ts'
import type { ContractCall } from './runHostFunction.ts'

/** Parses a transaction envelope. Rejects the format used before 2020, and preconditions that are not simulated. */
export function parseEnvelope(transactionXdr: string, networkPassphrase: string): Transaction | FeeBump {
  let parsed: Transaction | FeeBump
  try {
    parsed = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
    if (parsed.toEnvelope().switch().name === 'envelopeTypeTxV0')
      throw new Error('The envelope has the format used before 2020.')
  } catch (cause) {
    throw new LedgerError('The text is not a transaction envelope.', {
      field: 'transaction',
      cause,
      fix: 'Send base64 XDR of a TransactionEnvelope.',
    })
  }
  const inner = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
  if (transactionXdrOf(inner).cond().switch().name === 'precondV2')
    throw new LedgerError('The simulated ledger supports only time bounds as preconditions.', {
      field: 'transaction',
      fix: 'Omit ledger bounds, extra signers, and the minimum sequence number, sequence age and sequence ledger gap.',
    })
  return parsed
}

export function transactionXdrOf(transaction: Transaction): xdr.Transaction {
  return transaction.toEnvelope().v1().tx()
}

export function sorobanDataOf(transaction: Transaction): xdr.SorobanTransactionData | undefined {
  const ext = transactionXdrOf(transaction).ext()
  return ext.switch() === 1 ? ext.sorobanData() : undefined
}

/** Returns `undefined` for an operation that is no contract call. Wasm uploads and deployments are not simulated. */
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

/** Drops the muxed id. */
export function baseAddress(account: xdr.MuxedAccount): string {
  return extractBaseAddress(encodeMuxedAccountToAddress(account, true))
}

export class LedgerError extends BaseError {
  override readonly name = 'LedgerError'
}
