import type { Address } from 'viem'
import { ChainReadError } from '../../evm/client.ts'
import { settlementKindOf, settlementOf } from '../../evm/transactionData/settlementOf.ts'
import { sameHex } from '../../evm/values.ts'
import { keccak256, stringToBytes } from '../../evm/viem.ts'
import type { RedeemOutcome } from '../chain/readLogs.ts'
import { OrderUsedError } from '../errors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import { intentOf } from './intentOf.ts'
import { usd } from './summarise.ts'

/**
 * Rejects an outcome that is not the payment of the order (PROTOCOL.md 7.5). The contract does not know prices, so a redeem of one raw
 * unit with any seed can use up an order. An attempt signed for exactly these terms passes if its seed matches, because a nonce does not
 * commit to the seed.
 *
 * @param options.contracts accepted credits contracts: the pinned one, and its predecessors
 * @param options.nonces nonces of attempts that were signed for these terms
 */
export function checkPaid(
  outcome: RedeemOutcome | undefined,
  terms: RedeemTerms,
  options: checkPaid.Options,
): asserts outcome is RedeemOutcome {
  if (outcome === undefined)
    throw new ChainReadError(`The order of ${terms.wallet} is used, but the node returned no event for it.`, {
      field: 'publicClient',
      fix: 'Use a node that serves older events.',
    })
  const { contracts, creditSeed = terms.pinned.creditSeed, nonces = [] } = options
  const { amount, nonce } = intentOf(terms)
  const { kind, target } = settlementOf(terms.request.transactionData)
  const paid = outcome.amount - outcome.refunded
  const isTrusted = contracts.some((one) => sameHex(one, outcome.creditsContract))
  const isOwn = [nonce, ...nonces].some((one) => sameHex(one, outcome.nonce))
  if (
    isTrusted &&
    outcome.creditSeedHash === keccak256(stringToBytes(creditSeed)) &&
    (isOwn || (outcome.kind === settlementKindOf(kind) && outcome.target === target && paid === amount))
  )
    return
  const { hash } = outcome
  throw new OrderUsedError(
    `The order was used for another payment: transaction ${hash} spent ${usd(paid)} USD, but this order costs ${usd(amount)}.`,
    {
      expected: amount,
      paid,
      hash,
      nonce: outcome.nonce,
      field: 'purchaseId',
      fix: 'Compare that transaction’s contract, credit seed, receiver and amount with the order. To sell it again, use a new purchaseId.',
    },
  )
}

export declare namespace checkPaid {
  type Options = {
    contracts: readonly Address[]
    /** Default: the credit seed of the terms. */
    creditSeed?: string | undefined
    nonces?: readonly (string | undefined)[] | undefined
  }
  type ErrorType = OrderUsedError | ChainReadError
}
