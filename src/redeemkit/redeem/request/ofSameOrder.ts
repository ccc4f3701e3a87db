import { checkHex } from '../../evm/values.ts'
import { checksumOf } from '../check/checksumOf.ts'
import { plain } from '../check/readPrepared.ts'
import { same } from '../check/sameFields.ts'
import { StoredRedeemError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import { intentOf } from './intentOf.ts'
import { readRedeemTerms } from './readRedeemTerms.ts'

/**
 * Terms of the order that an earlier result is for. The same intent keeps its salt, and so its nonce; another one gets a salt
 * of its own.
 *
 * @throws {@link StoredRedeemError} for data that was changed; PreparedMismatchError for another merchant, wallet, chain, contract
 * or order: on those the earlier permit could execute as well
 */
export function ofSameOrder(terms: RedeemTerms, earlier: PreparedRedeem): RedeemTerms {
  const { checksum, ...rest } = plain(earlier)
  if (rest.version !== 1 || checksum !== checksumOf(rest))
    throw new StoredRedeemError('This is no prepared redeem of version 1, or it was changed since.', {
      field: 'prepared',
      fix: 'Pass what prepareRedeem returned, or what JSON.parse made of it.',
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
