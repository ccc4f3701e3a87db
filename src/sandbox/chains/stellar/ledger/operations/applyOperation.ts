import { xdr } from '@stellar/stellar-sdk'
import { applyCreateAccount } from './applyCreateAccount.ts'
import { applyManageData } from './applyManageData.ts'
import { applyPayment } from './applyPayment.ts'
import { applySetOptions } from './applySetOptions.ts'
import { applyBeginSponsoring, applyEndSponsoring } from './applySponsorship.ts'
import { applyChangeTrust, applySetTrustLineFlags } from './applyTrustline.ts'
import { notSupported, type OperationContext, type OperationOutcome, outcomeOf } from './operationOutcome.ts'

/** Applies one classic operation to a state. Contract calls are not for here. */
export function applyOperation(operation: xdr.Operation, context: OperationContext): OperationOutcome {
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
  operation: xdr.BumpSequenceOp,
  { source, sequence, closedAt }: OperationContext,
): OperationOutcome {
  const to = operation.bumpTo().toBigInt()
  if (to > source.sequence) source.sequence = to
  source.sequenceLedger = sequence
  source.sequenceTime = closedAt
  return outcomeOf(xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()), true)
}
