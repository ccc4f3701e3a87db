import { and, eq, sql } from 'drizzle-orm'
import type { Hex, PrivateKeyAccount, TransactionReceipt } from 'viem'
import { least } from '../../redeemkit/core/amount.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import type { Reference } from '../store/columns.ts'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import { given, isOneOf, statement } from '../store/statement.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import { broadcast } from './broadcast.ts'
import { deepBlockNumber, firstBlock, type gasPrice, type RelayerChain, receiptOf } from './relayerChain.ts'
import { renameRedeems, replaceTransaction } from './replaceTransaction.ts'

/**
 * Checks a journalled transaction once. Closes its row when it is final, broadcasts it again if the node may have lost it,
 * and replaces it if the base fee has risen above its maximum fee or the node demands a higher tip.
 *
 * @returns `open`; `used` if the nonce is used but a reorg can still free it, or it is unknown which transaction used it; or
 * `final`, with the row if this call closed it
 */
export async function followTransaction(
  database: Database,
  options: followTransaction.Options,
): Promise<followTransaction.ReturnType> {
  const { chain, row, now } = options
  const receipt = await findReceipt(chain, row)
  if (receipt !== undefined)
    return (await isFinal(options, receipt)) ? close(database, options, receipt) : { state: 'used' }
  const age = now() - row.updatedAt.getTime()
  const isFresh = age >= 0 && age < stuckAfterMs
  const replaced = isFresh ? undefined : await replaceStuck(database, options)
  if (replaced === undefined && row.status === 'broadcast' && age >= 0 && age < rebroadcastAfterMs)
    return { state: 'open' }
  const current = replaced ?? row
  const outcome = await broadcast(database, { chain, row: current, now })
  if (outcome === 'sent' && current.status === 'journalled') await options.onBroadcast?.(current)
  if (outcome === 'waiting' && replaced === undefined && !isFresh)
    await replaceStuck(database, options, await suggestedTip(chain))
  if (outcome !== 'used') return { state: 'open' }
  // The nonce was used: by this transaction, which was just mined, or by another transaction of the account.
  const late = await findReceipt(chain, current)
  const isOver = late === undefined ? await isDisplaced(options, current) : await isFinal(options, late)
  return isOver ? close(database, { ...options, row: current }, late) : { state: 'used' }
}

/**
 * Whether a transaction is final only after enough confirmations: sent again after a reorg, it could pay twice. Contracts execute each
 * redeem and bridge message only once, so those are final once mined.
 */
function endsAtDepth({ chain, row }: followTransaction.Options): boolean {
  return Boolean(chain.confirmations) && payingKinds.has(row.reference.kind)
}

const payingKinds: ReadonlySet<Reference['kind']> = new Set(['mint', 'burn', 'payment', 'withdrawal'])

async function isFinal(
  options: followTransaction.Options,
  { blockNumber }: TransactionReceipt,
): Promise<boolean> {
  if (!endsAtDepth(options)) return true
  const deep = await deepBlockNumber(options.chain)
  return deep !== undefined && blockNumber <= deep
}

/**
 * Whether another transaction used the nonce. A missing receipt is no proof, because nodes behind one URL can disagree, so this
 * reads the block that used the nonce (OpenZeppelin/openzeppelin-relayer, issue 817).
 */
async function isDisplaced(
  options: followTransaction.Options,
  { sender, nonce, hash, replaced }: JournalRow,
): Promise<boolean> {
  const { chain } = options
  const { client } = chain
  const isUsed = async (blockNumber: bigint) =>
    (await client.getTransactionCount({ address: sender, blockNumber })) > nonce
  const atDepth = endsAtDepth(options)
  const deep = await deepBlockNumber(atDepth ? chain : { ...chain, confirmations: 0 })
  if (deep === undefined || !(await isUsed(deep))) return false
  // Most nodes keep only the newest states, so older blocks are not searched. By then, a node would have the transaction's receipt.
  if (!atDepth && deep >= recentBlocks && (await isUsed(deep - recentBlocks))) return true
  const blockNumber = await firstBlock(deep, isUsed)
  const block = await client.getBlock({ blockNumber, includeTransactions: true })
  const user = block.transactions.find((one) => sameHex(one.from, sender) && one.nonce === nonce)
  return user !== undefined && [hash, ...replaced.map((one) => one.hash)].every((own) => own !== user.hash)
}

/** Half the number of recent states that nodes without an archive keep. */
const recentBlocks = 64n

/** Returns the receipt of a transaction, or of one that it replaced. */
async function findReceipt(chain: RelayerChain, row: JournalRow): Promise<TransactionReceipt | undefined> {
  const hashes = [row.hash, ...row.replaced.map(({ hash }) => hash)]
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(chain, hash)))
  return receipts.find((receipt) => receipt !== undefined)
}

async function replaceStuck(
  database: Database,
  options: followTransaction.Options,
  minimumTip?: bigint,
): Promise<JournalRow | undefined> {
  const { chain, row, now, accountOf, priceOf } = options
  const account = accountOf(row.sender)
  if (account === undefined) return undefined
  return replaceTransaction(database, { chain, row, account, price: await priceOf(), minimumTip, now })
}

/** Returns the node's suggested tip, up to the chain's limit. A node may demand a tip even if recent blocks are empty and show none. */
async function suggestedTip({ client, maxPriorityFeePerGas }: RelayerChain): Promise<bigint> {
  const tip = await client.estimateMaxPriorityFeePerGas()
  return least(tip, maxPriorityFeePerGas ?? tip)
}

export declare namespace followTransaction {
  type Options = {
    chain: RelayerChain
    row: JournalRow
    now: () => number
    /** Undefined if this process does not have the key of the address. */
    accountOf: (address: Hex) => PrivateKeyAccount | undefined
    priceOf: () => Promise<gasPrice.ReturnType>
    /** Called when a transaction is broadcast for the first time. */
    onBroadcast: ((row: JournalRow) => void | Promise<void>) | undefined
    onFinal: OnFinal
  }
  type ReturnType = { state: 'open' | 'used' } | { state: 'final'; closed: JournalRow | undefined }
}

/** Called once for each final transaction, inside the database transaction that records the outcome. */
export type OnFinal = (
  work: DatabaseWork,
  final: { row: JournalRow; receipt: TransactionReceipt | undefined },
) => Promise<void>

/** Minimum age of a transaction before its fee is compared with the base fee. */
const stuckAfterMs = 1_000

/** Time after which a pending transaction is broadcast again, because nodes may forget it. */
export const rebroadcastAfterMs = 5_000

/** Without a receipt, another transaction used the nonce, so this transaction can never be mined. */
async function close(
  database: Database,
  options: followTransaction.Options,
  receipt: TransactionReceipt | undefined,
): Promise<followTransaction.ReturnType> {
  const { row, now, onFinal } = options
  const final = {
    status: receipt === undefined ? 'dropped' : receipt.status === 'success' ? 'mined' : 'reverted',
    updatedAt: new Date(now()),
    blockNumber: receipt === undefined ? null : Number(receipt.blockNumber),
    gasUsed: receipt?.gasUsed ?? null,
  } as const
  const closed = await database.transaction(async (work) => {
    const found = await setFinal(work, { id: row.id, hash: row.hash, ...final })
    if (found.length === 0) return undefined
    const updated = { ...(await nameMined(work, row, receipt)), ...final }
    await onFinal(work, { row: updated, receipt })
    return updated
  })
  return { state: 'final', closed }
}

/** Stores the hash of the mined version if an earlier version was mined after a replacement. */
async function nameMined(
  work: DatabaseWork,
  row: JournalRow,
  receipt: TransactionReceipt | undefined,
): Promise<JournalRow> {
  const mined = row.replaced.find(({ hash }) => hash === receipt?.transactionHash)
  if (mined === undefined) return row
  const { hash, raw } = row
  const replaced = [...row.replaced.filter((one) => one !== mined), { hash, raw }]
  await work
    .update(transactions)
    .set({ ...mined, replaced })
    .where(eq(transactions.id, row.id))
  await renameRedeems(work, { row, to: mined.hash })
  return { ...row, ...mined, replaced }
}

const setFinal = statement((database) => {
  const { id, hash, status, updatedAt, blockNumber, gasUsed } = transactions
  return database
    .update(transactions)
    .set({
      status: given(status, 'status'),
      updatedAt: given(updatedAt, 'updatedAt'),
      blockNumber: given(blockNumber, 'blockNumber'),
      gasUsed: given(gasUsed, 'gasUsed'),
    })
    .where(
      and(
        eq(id, sql.placeholder('id')),
        eq(hash, sql.placeholder('hash')),
        isOneOf(status, openTransactionStates),
      ),
    )
    .returning({ id })
})
