import { and, eq, inArray } from 'drizzle-orm'
import { keccak256, type PrivateKeyAccount, parseTransaction } from 'viem'
import { greatest } from '../../redeemkit/core/amount/greatest.ts'
import { least } from '../../redeemkit/core/amount/least.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import type { gasPrice } from './gasPrice.ts'
import type { RelayerChain } from './relayerChain.ts'
import { renameRedeems } from './renameRedeems.ts'

/**
 * Writes a stuck transaction down anew with a higher fee: the same nonce, the same call. Nothing is sent here. What it replaces
 * stays in the row, because that may still be the one that lands.
 *
 * Stuck is what the base fee has risen above. Of several processes that find it so, one replaces it.
 *
 * @returns undefined when it is not stuck, when the chain's bound leaves no room, or when another process was first
 */
export async function replaceTransaction(
  database: Database,
  options: replaceTransaction.Options,
): Promise<JournalRow | undefined> {
  const { row, account, now } = options
  const fees = raisedFees(options)
  if (fees === undefined) return undefined
  const { chainId, nonce, to, data, gas } = parseTransaction(row.raw)
  if (chainId === undefined || to === undefined || to === null || data === undefined || gas === undefined)
    return undefined
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: nonce ?? 0,
    to,
    data,
    gas,
    ...fees,
  })
  const hash = keccak256(raw)
  return database.transaction(async (work) => {
    const [updated] = await work
      .update(transactions)
      .set({
        raw,
        hash,
        replaced: [...row.replaced, { hash: row.hash, raw: row.raw }],
        status: 'journalled',
        updatedAt: new Date(now()),
      })
      .where(
        and(
          eq(transactions.id, row.id),
          eq(transactions.hash, row.hash),
          inArray(transactions.status, [...openTransactionStates]),
        ),
      )
      .returning()
    if (updated !== undefined) await renameRedeems(work, { row, to: hash })
    return updated
  })
}

export declare namespace replaceTransaction {
  type Options = {
    chain: RelayerChain
    row: JournalRow
    account: PrivateKeyAccount
    price: gasPrice.ReturnType
    now: () => number
  }
}

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** At least an eighth more of both: nodes take less for no replacement. */
function raisedFees({ chain, row, price }: replaceTransaction.Options): Fees | undefined {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(row.raw)
  if (price.base <= maxFeePerGas) return undefined
  const enough = raised(maxFeePerGas)
  const wanted = greatest(price.maximum, enough)
  const most = least(wanted, chain.maxFeePerGas ?? wanted)
  if (most < enough || most < price.base) return undefined
  const tip = greatest(price.priority, raised(maxPriorityFeePerGas))
  return { maxFeePerGas: most, maxPriorityFeePerGas: least(tip, most) }
}

const raised = (fee: bigint) => (fee * 9n) / 8n + 1n
