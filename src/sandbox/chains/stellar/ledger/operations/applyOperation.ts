import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, xdr } from '../../../../../redeemkit/stellar/sdk.ts'
import { availableBalance, baseReserve, createAccount } from '../../entries/state.ts'
import { applyPayment } from './applyPayment.ts'
import { applySetOptions } from './applySetOptions.ts'
import { applyChangeTrust, applySetTrustLineFlags } from './applyTrustline.ts'
import {
  applyBeginSponsoring,
  applyEndSponsoring,
  keepReserve,
  notSupported,
  type OperationContext,
  type OperationOutcome,
  outcomeOf,
  releaseReserve,
} from './sponsorship.ts'

/** Applies one classic operation to a state. */
export function applyOperation(operation: Xdr.Operation, context: OperationContext): OperationOutcome {
  const body = operation.body()
  switch (body.switch().name) {
    case 'createAccount':
      return applyCreateAccount(body.createAccountOp(), context)
    case 'payment':
      return applyPayment(body.paymentOp(), context)
    case 'changeTrust':
      return applyChangeTrust(body.changeTrustOp(), context)
    case 'setTrustLineFlags':
      return applySetTrustLineFlags(body.setTrustLineFlagsOp(), context)
    case 'setOptions':
      return applySetOptions(body.setOptionsOp(), context)
    case 'manageData':
      return applyManageData(body.manageDataOp(), context)
    case 'beginSponsoringFutureReserves':
      return applyBeginSponsoring(body.beginSponsoringFutureReservesOp(), context)
    case 'endSponsoringFutureReserves':
      return applyEndSponsoring(context)
    case 'bumpSequence':
      return applyBumpSequence(body.bumpSequenceOp(), context)
    default:
      return notSupported()
  }
}

function applyBumpSequence(
  operation: Xdr.BumpSequenceOp,
  { source, sequence, closedAt }: OperationContext,
): OperationOutcome {
  const to = operation.bumpTo().toBigInt()
  if (to > source.sequence) source.sequence = to
  source.sequenceLedger = sequence
  source.sequenceTime = closedAt
  return outcomeOf(xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()), true)
}

/** Creates an account; with sponsored reserves it needs no XLM (CAP-33). */
function applyCreateAccount(
  operation: Xdr.CreateAccountOp,
  { state, source, sequence, sponsorships }: OperationContext,
): OperationOutcome {
  const fail = (result: Xdr.CreateAccountResult) =>
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

/** Adds, changes or removes a data entry. */
function applyManageData(operation: Xdr.ManageDataOp, context: OperationContext): OperationOutcome {
  const { source } = context
  const fail = (result: Xdr.ManageDataResult) => outcomeOf(xdr.OperationResultTr.manageData(result), false)
  const name = operation.dataName().toString()
  const sponsorName = `data/${name}`
  const value = operation.dataValue()
  if (value === null || value === undefined) {
    if (!source.data.delete(name)) return fail(xdr.ManageDataResult.manageDataNameNotFound())
    releaseReserve(context, source, source.entrySponsors.get(sponsorName))
    source.entrySponsors.delete(sponsorName)
  } else {
    if (!source.data.has(name)) {
      const kept = keepReserve(context, source)
      if (kept === 'tooLittle') return fail(xdr.ManageDataResult.manageDataLowReserve())
      if (kept.sponsor !== undefined) source.entrySponsors.set(sponsorName, kept.sponsor)
    }
    source.data.set(name, value.toString('hex'))
  }
  return outcomeOf(xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess()), true)
}
