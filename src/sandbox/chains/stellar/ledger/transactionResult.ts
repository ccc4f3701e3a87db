import { xdr } from '@stellar/stellar-sdk'
import type { Rejection } from './findRejection.ts'

/** The result of a rejected transaction. */
export function rejectedResult(rejection: Rejection): xdr.TransactionResult {
  return transactionResult(
    0n,
    rejection.code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed(rejection.results)
      : xdr.TransactionResultResult[rejection.code](),
  )
}

/** The result of a rejected transaction inside a fee bump. */
export function innerRejectedResult(rejection: Rejection, hash: Buffer): xdr.TransactionResult {
  const inner =
    rejection.code === 'txFailed'
      ? xdr.InnerTransactionResultResult.txFailed(rejection.results)
      : xdr.InnerTransactionResultResult[rejection.code]()
  return transactionResult(0n, xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, hash)))
}

/** The result of an applied transaction; `innerHash` for one inside a fee bump. */
export function appliedResult(
  { code, results }: { code: 'txSuccess' | 'txFailed' | 'txBadSponsorship'; results: xdr.OperationResult[] },
  innerHash: Buffer | undefined,
): xdr.TransactionResultResult {
  if (innerHash === undefined)
    return code === 'txBadSponsorship'
      ? xdr.TransactionResultResult.txBadSponsorship()
      : xdr.TransactionResultResult[code](results)
  const inner =
    code === 'txBadSponsorship'
      ? xdr.InnerTransactionResultResult.txBadSponsorship()
      : xdr.InnerTransactionResultResult[code](results)
  return code === 'txSuccess'
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(innerPair(inner, innerHash))
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, innerHash))
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

/** Combines a result with its fee. */
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
