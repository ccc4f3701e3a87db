import { and, eq, inArray } from 'drizzle-orm'
import {
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  parseTransaction,
  type TransactionSerializedEIP1559,
} from 'viem'
import { greatest, least } from '../../redeemkit/core/amount.ts'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import { isOneOf } from '../store/statement.ts'
import { openTransactionStates } from '../store/states.ts'
import { redeems, transactions } from '../store/tables/index.ts'
import type { gasPrice, RelayerChain } from './relayerChain.ts'

/**
 * Journals a stuck transaction again with the same nonce and call, and a higher fee. Does not broadcast it. The row keeps the replaced
 * transaction, because it may still be mined.
 *
 * @returns undefined if it is not stuck, if the chain's limit is too low, or if another process has replaced it already
 */
export async function replaceTransaction(
  database: Database,
  options: replaceTransaction.Options,
): Promise<JournalRow | undefined> {
  const { row, account, now } = options
  const fees = raisedFees(options)
  if (fees === undefined) return undefined
  const { chainId, nonce, to, data, gas } = parseTransaction(row.raw as Journalled)
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, ...fees })
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
    /** Lowest priority fee that the node accepts, in wei per gas. Default: any. */
    minimumTip?: bigint | undefined
    now: () => number
  }
}

/** `journalTransaction` signs only this type. */
type Journalled = TransactionSerializedEIP1559

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Raises both fees by at least an eighth, which nodes require for a replacement. */
function raisedFees({ chain, row, price, minimumTip = 0n }: replaceTransaction.Options): Fees | undefined {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(row.raw as Journalled)
  if (price.base <= maxFeePerGas && minimumTip <= maxPriorityFeePerGas) return undefined
  const enough = raised(maxFeePerGas)
  const tip = greatest(price.priority, raised(maxPriorityFeePerGas), minimumTip)
  const wanted = greatest(price.maximum, enough, price.base + tip)
  const most = least(wanted, chain.maxFeePerGas ?? wanted)
  if (most < enough || most < price.base) return undefined
  return { maxFeePerGas: most, maxPriorityFeePerGas: least(tip, most) }
}

const raised = (fee: bigint) => (fee * 9n) / 8n + 1n

/** Updates the hash of pending redeems after a replacement, or after a replaced transaction was mined. */
export async function renameRedeems(
  work: DatabaseWork,
  { row, to }: { row: JournalRow; to: Hex },
): Promise<void> {
  const { reference } = row
  if (reference.kind !== 'redeem' && reference.kind !== 'batch') return
  await work
    .update(redeems)
    .set({ hash: to })
    .where(
      and(
        eq(redeems.blockchain, reference.blockchain),
        isOneOf(redeems.status, ['sending']),
        eq(redeems.hash, row.hash),
      ),
    )
}
