import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import {
  type AccountState,
  availableBalance,
  baseReserve,
  type LedgerState,
  outsideSponsor,
} from '../entries/state.ts'

export type OperationOutcome = { ok: boolean; result: Xdr.OperationResult }

export type OperationContext = {
  state: LedgerState
  source: AccountState
  /** Number of the closing ledger. */
  sequence: number
  /** The account that currently sponsors the reserves of an account's new entries (CAP-33), by sponsored account. */
  sponsorships: Map<string, string>
}

export function outcomeOf(result: Xdr.OperationResultTr, ok: boolean): OperationOutcome {
  return { ok, result: xdr.OperationResult.opInner(result) }
}

export function notSupported(): OperationOutcome {
  return { ok: false, result: xdr.OperationResult.opNotSupported() }
}

/** Sponsors the reserves of another account's new entries (CAP-33). */
export function applyBeginSponsoring(
  operation: Xdr.BeginSponsoringFutureReservesOp,
  { source, sponsorships }: OperationContext,
): OperationOutcome {
  const results = xdr.BeginSponsoringFutureReservesResult
  const end = (result: Xdr.BeginSponsoringFutureReservesResult, ok = false) =>
    outcomeOf(xdr.OperationResultTr.beginSponsoringFutureReserves(result), ok)
  const sponsored = Address.account(operation.sponsoredId().ed25519()).toString()
  if (sponsored === source.address) return end(results.beginSponsoringFutureReservesMalformed())
  if (sponsorships.has(sponsored)) return end(results.beginSponsoringFutureReservesAlreadySponsored())
  // A sponsored account cannot sponsor.
  if (sponsorships.has(source.address) || [...sponsorships.values()].includes(sponsored))
    return end(results.beginSponsoringFutureReservesRecursive())
  sponsorships.set(sponsored, source.address)
  return end(results.beginSponsoringFutureReservesSuccess(), true)
}

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

/**
 * Reserves XLM of the account's current sponsor or, without one, of the account itself. Returns the sponsor, or `tooLittle` if the balance
 * is insufficient.
 */
export function keepReserve(
  { state, sponsorships }: OperationContext,
  owner: AccountState,
): { sponsor: string | undefined } | 'tooLittle' {
  const sponsor = sponsorships.get(owner.address)
  const keeper = sponsor === undefined ? owner : state.accounts.get(sponsor)
  if (keeper === undefined || availableBalance(keeper) < baseReserve) return 'tooLittle'
  owner.subEntries += 1
  if (sponsor !== undefined) {
    owner.sponsored += 1
    keeper.sponsoring += 1
  }
  return { sponsor }
}

export function releaseReserve(
  { state }: OperationContext,
  owner: AccountState,
  sponsor: string | undefined,
): void {
  owner.subEntries -= 1
  if (sponsor === undefined) return
  owner.sponsored -= 1
  const keeper = sponsor === outsideSponsor ? undefined : state.accounts.get(sponsor)
  if (keeper !== undefined) keeper.sponsoring -= 1
}
