import { checkHex } from '../../evm/values.ts'
import { checksumOf, same } from '../check/compare.ts'
import { plain } from '../check/readPrepared.ts'
import { StoredRedeemError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import { intentOf } from './intentOf.ts'
import { readRedeemTerms } from './readRedeemTerms.ts'

/**
 * Returns terms for the same order as an earlier result. An unchanged intent keeps its salt, and so its nonce; a changed one gets a
 * new salt.
 *
 * @throws {@link StoredRedeemError} for changed data; PreparedMismatchError for another merchant, wallet, chain, contract or
 * order, because both permits could then execute
 */
export function ofSameOrder(terms: RedeemTerms, earlier: PreparedRedeem): RedeemTerms {
  const { checksum, ...rest } = plain(earlier)
  if (rest.version !== 1 || checksum !== checksumOf(rest))
    throw new StoredRedeemError('The data is not a prepared redeem of version 1, or it was changed.', {
      field: 'prepared',
      fix: 'Pass what prepareRedeem returned, or its JSON copy.',
    })
  for (const field of ['merchantId', 'wallet', 'chainId'] as const) same(field, terms[field], rest[field])
  same('pinned.creditsContract', terms.pinned.creditsContract, rest.pinned.creditsContract)
  const purchaseId = terms.purchaseId ?? rest.purchaseId
  const own = readRedeemTerms(
    { merchantId: terms.merchantId },
    { ...terms.request, wallet: terms.wallet, chainId: terms.chainId, pinned: terms.pinned, purchaseId },
    {
      orderKey: checkHex(rest.orderKey, 'prepared.orderKey', { bytes: 12 }),
      salt: checkHex(rest.salt, 'prepared.salt', { bytes: 32 }),
      ...(terms.bridgeAdapter && { bridgeAdapter: terms.bridgeAdapter }),
    },
  )
  same('orderKey', own.orderKey, rest.orderKey)
  const isUnchanged = intentOf(own).nonce === rest.answer.nonce.toLowerCase()
  return isUnchanged ? own : { ...own, salt: terms.salt }
}

export declare namespace ofSameOrder {
  type ErrorType = plain.ErrorType | same.ErrorType | intentOf.ErrorType | readRedeemTerms.ErrorType
}
