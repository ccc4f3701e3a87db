import { Address, xdr } from '@stellar/stellar-sdk'
import { type OperationContext, type OperationOutcome, outcomeOf } from './operationOutcome.ts'

/** From here on the source keeps the reserves of another account's new entries (CAP-33). */
export function applyBeginSponsoring(
  operation: xdr.BeginSponsoringFutureReservesOp,
  { source, sponsorships }: OperationContext,
): OperationOutcome {
  const results = xdr.BeginSponsoringFutureReservesResult
  const end = (result: xdr.BeginSponsoringFutureReservesResult, ok = false) =>
    outcomeOf(xdr.OperationResultTr.beginSponsoringFutureReserves(result), ok)
  const sponsored = Address.account(operation.sponsoredId().ed25519()).toString()
  if (sponsored === source.address) return end(results.beginSponsoringFutureReservesMalformed())
  if (sponsorships.has(sponsored)) return end(results.beginSponsoringFutureReservesAlreadySponsored())
  // Who is sponsored sponsors nobody.
  if (sponsorships.has(source.address) || [...sponsorships.values()].includes(sponsored))
    return end(results.beginSponsoringFutureReservesRecursive())
  sponsorships.set(sponsored, source.address)
  return end(results.beginSponsoringFutureReservesSuccess(), true)
}

/** The source, which was sponsored, keeps its own reserves again. */
export function applyEndSponsoring({ source, sponsorships }: OperationContext): OperationOutcome {
  const isSponsored = sponsorships.delete(source.address)
  return outcomeOf(
    xdr.OperationResultTr.endSponsoringFutureReserves(
      isSponsored
        ? xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesSuccess()
        : xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesNotSponsored(),
    ),
    isSponsored,
  )
}
