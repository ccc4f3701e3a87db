import { Address, xdr } from '@stellar/stellar-sdk'
import { availableBalance, baseReserve, createAccount } from '../../entries/state.ts'
import { type OperationContext, type OperationOutcome, outcomeOf } from './operationOutcome.ts'

/** Creates an account; one whose reserves somebody keeps needs no XLM (CAP-33). */
export function applyCreateAccount(
  operation: xdr.CreateAccountOp,
  { state, source, sequence, sponsorships }: OperationContext,
): OperationOutcome {
  const fail = (result: xdr.CreateAccountResult) =>
    outcomeOf(xdr.OperationResultTr.createAccount(result), false)
  const address = Address.account(operation.destination().ed25519()).toString()
  const balance = operation.startingBalance().toBigInt()
  const reserve = 2n * baseReserve
  const sponsor = sponsorships.get(address)
  if (balance < 0n) return fail(xdr.CreateAccountResult.createAccountMalformed())
  if (state.accounts.has(address)) return fail(xdr.CreateAccountResult.createAccountAlreadyExist())
  const account = createAccount(address, balance, BigInt(sequence) << 32n)
  if (sponsor === undefined) {
    if (balance < reserve) return fail(xdr.CreateAccountResult.createAccountLowReserve())
  } else {
    const keeper = state.accounts.get(sponsor)
    if (keeper === undefined || availableBalance(keeper) < reserve)
      return fail(xdr.CreateAccountResult.createAccountLowReserve())
    keeper.sponsoring += 2
    account.sponsored = 2
  }
  if (availableBalance(source) < balance) return fail(xdr.CreateAccountResult.createAccountUnderfunded())
  source.balance -= balance
  state.accounts.set(address, account)
  return outcomeOf(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()), true)
}
