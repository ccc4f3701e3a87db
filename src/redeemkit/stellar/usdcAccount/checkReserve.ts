import type { xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'

/** What an account keeps back for each entry, in stroops: half an XLM, on every network. */
const baseReserve = 5_000_000n

/**
 * Whether a sponsor has the XLM for what it is to keep: without it the transaction fails, and its fee is gone.
 *
 * @param options.entries for how many entries more the sponsor keeps the reserves; an account counts as two
 * @param options.fee stroops
 * @throws {@link MissingReserveError}
 * @see CAP-33
 */
export function checkReserve(
  account: xdr.AccountEntry,
  { entries, fee }: { entries: number; fee: bigint },
): void {
  const v1 = account.ext().switch() === 1 ? account.ext().v1() : undefined
  const v2 = v1?.ext().switch() === 2 ? v1.ext().v2() : undefined
  const count = 2 + account.numSubEntries() + (v2?.numSponsoring() ?? 0) - (v2?.numSponsored() ?? 0) + entries
  const selling = BigInt(v1?.liabilities().selling().toString() ?? 0)
  const [balance, needed] = [
    BigInt(account.balance().toString()),
    BigInt(count) * baseReserve + selling + fee,
  ]
  if (balance < needed)
    throw new MissingReserveError(
      `The sponsor has ${xlmText(balance)} XLM, and needs ${xlmText(needed)} with what it is to keep.`,
      { field: 'sponsor', fix: 'Send it XLM, or name another sponsor.', docs: 'CAP-33' },
    )
}

const xlmText = (stroops: bigint) => formatAmount(stroops, { decimals: 7 })

/** A sponsor without the XLM that it would have to keep. */
export class MissingReserveError extends BaseError {
  override readonly name = 'MissingReserveError'
}
