import { xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { innerRejectedResult, rejectedResult } from '../../ledger/transactionResult.ts'
import { resultCodes } from './resultCodes.ts'

const inner = (result: xdr.OperationResultTr) => xdr.OperationResult.opInner(result)
const { OperationResultTr } = xdr

/** Origin of the words: `services/horizon/internal/codes/main.go` of github.com/stellar/go. */
describe('codes in the words of Horizon', () => {
  test.each([
    ['txBadSeq', 'tx_bad_seq'],
    ['txBadAuthExtra', 'tx_bad_auth_extra'],
    ['txNoAccount', 'tx_no_source_account'],
    ['txInsufficientBalance', 'tx_insufficient_balance'],
    ['txBadMinSeqAgeOrGap', 'tx_bad_minseq_age_or_gap'],
    ['txSorobanInvalid', 'tx_soroban_invalid'],
  ] as const)('%s', (code, word) => {
    expect(resultCodes(rejectedResult({ code }))).toEqual({ transaction: word })
  })
  test.each<[string, xdr.OperationResult, string]>([
    ['a success', inner(OperationResultTr.payment(xdr.PaymentResult.paymentSuccess())), 'op_success'],
    ['no trustline', inner(OperationResultTr.payment(xdr.PaymentResult.paymentNoTrust())), 'op_no_trust'],
    [
      'an account that exists',
      inner(OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountAlreadyExist())),
      'op_already_exists',
    ],
    [
      'too little reserve',
      inner(OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustLowReserve())),
      'op_low_reserve',
    ],
    [
      'a call that trapped',
      inner(OperationResultTr.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())),
      'function_trapped',
    ],
    ['no signature', xdr.OperationResult.opBadAuth(), 'op_bad_auth'],
    ['no source', xdr.OperationResult.opNoAccount(), 'op_no_source_account'],
  ])('an operation: %s', (_, result, word) => {
    const failed = rejectedResult({ code: 'txFailed', results: [result] })
    expect(resultCodes(failed)).toEqual({ transaction: 'tx_failed', operations: [word] })
  })
  test('of the transaction inside of a fee bump', () => {
    const result = innerRejectedResult(
      { code: 'txFailed', results: [xdr.OperationResult.opBadAuth()] },
      Buffer.alloc(32),
    )
    expect(resultCodes(result)).toEqual({
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_bad_auth'],
    })
  })
})
