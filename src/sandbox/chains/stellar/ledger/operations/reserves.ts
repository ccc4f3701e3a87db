import { type AccountState, availableBalance, baseReserve, outsideSponsor } from '../../entries/state.ts'
import type { OperationContext } from './operationOutcome.ts'

/**
 * Keeps the reserve of a new entry: by whoever sponsors its account in this transaction, or by the account itself.
 *
 * @returns the sponsor, if there is one; `tooLittle` when whoever has to keep it cannot
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

/** Gives the reserve of an entry back to whoever kept it. */
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
