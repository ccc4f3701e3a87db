import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, type OperationOutcome, outcomeOf } from './operationOutcome.ts'
import { keepReserve, releaseReserve } from './reserves.ts'

/** Adds, changes or removes a data entry of the source. */
export function applyManageData(operation: xdr.ManageDataOp, context: OperationContext): OperationOutcome {
  const { source } = context
  const fail = (result: xdr.ManageDataResult) => outcomeOf(xdr.OperationResultTr.manageData(result), false)
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
