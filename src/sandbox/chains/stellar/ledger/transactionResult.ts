import { xdr } from '@stellar/stellar-sdk'
import type { Rejection } from './findRejection.ts'

/** The result of a transaction that the ledger does not take. */
export function rejectedResult(rejection: Rejection): xdr.TransactionResult {
  return transactionResult(
    0n,
    rejection.code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed(rejection.results)
      : xdr.TransactionResultResult[rejection.code](),
  )
}

/** The same for one inside of a fee bump. */
export function innerRejectedResult(rejection: Rejection, hash: Buffer): xdr.TransactionResult {
  const inner =
    rejection.code === 'txFailed'
      ? xdr.InnerTransactionResultResult.txFailed(rejection.results)
      : xdr.InnerTransactionResultResult[rejection.code]()
  return transactionResult(0n, xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, hash)))
}

/** The result of a transaction that was applied inside of a fee bump. */
export function innerResult(
  isSuccessful: boolean,
  results: xdr.OperationResult[],
  hash: Buffer,
): xdr.TransactionResultResult {
  return isSuccessful
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(
        innerPair(xdr.InnerTransactionResultResult.txSuccess(results), hash),
      )
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(
        innerPair(xdr.InnerTransactionResultResult.txFailed(results), hash),
      )
}

function innerPair(result: xdr.InnerTransactionResultResult, hash: Buffer): xdr.InnerTransactionResultPair {
  return new xdr.InnerTransactionResultPair({
    transactionHash: hash,
    result: new xdr.InnerTransactionResult({
      feeCharged: new xdr.Int64(0n),
      result,
      ext: new xdr.InnerTransactionResultExt(0),
    }),
  })
}

/** A result with its fee. */
export function transactionResult(
  feeCharged: bigint,
  result: xdr.TransactionResultResult,
): xdr.TransactionResult {
  return new xdr.TransactionResult({
    feeCharged: new xdr.Int64(feeCharged),
    result,
    ext: new xdr.TransactionResultExt(0),
  })
}
