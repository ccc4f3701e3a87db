import { and, eq, sql } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import { executionOf } from '../contracts/bridgeAdapter.ts'
import { redeemedIn } from '../contracts/creditsReads.ts'
import type { Reference } from '../store/columns.ts'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import { given, isOneOf, statement } from '../store/statement.ts'
import { bridgeMessages, redeems } from '../store/tables/index.ts'
import { noteBridgeMessages } from './watchBridges.ts'

/** Records a transaction's outcome, inside the database transaction that closes its journal row. */
export async function finishTransaction(work: DatabaseWork, options: Final): Promise<void> {
  const { reference } = options.row
  switch (reference.kind) {
    case 'redeem':
      return finishRedeem(work, { ...options, reference })
    case 'batch':
      return finishBatch(work, { ...options, reference })
    case 'bridge':
      return finishBridge(work, { ...options, reference })
    case 'deploy':
    case 'whitelist':
    case 'gone':
      // The code that sent the transaction waits for the row and reads it.
      return
    case 'mint':
    case 'burn':
    case 'payment':
    case 'withdrawal':
      // The service records these outcomes in `Background.onFinal`.
      return
    default:
      return reference satisfies never
  }
}

type Final = { row: JournalRow; receipt: TransactionReceipt | undefined; now: () => number }
type FinalOf<kind extends Reference['kind']> = Final & { reference: Extract<Reference, { kind: kind }> }

/** Records the outcome of each redeem of a batch. If a redeem failed in a mined batch, it is sent again in its own transaction. */
async function finishBatch(
  work: DatabaseWork,
  { row, reference, receipt, now }: FinalOf<'batch'>,
): Promise<void> {
  await endRedeems(work, {
    blockchain: reference.blockchain,
    hash: row.hash,
    ended: receipt?.status === 'success' ? 'alone' : 'reverted',
    redeemed: receipt?.status === 'success' ? [...redeemedIn(receipt)] : [],
    at: new Date(now()),
  })
}

/** Ends the redeems of a transaction. Redeems listed in `redeemed` (`wallet/nonce`, in lower case) get the state `redeemed`. */
const endRedeems = statement((database) =>
  database
    .update(redeems)
    .set({
      status: sql`case when lower(${redeems.wallet} || '/' || ${redeems.nonce}) = any(${sql.placeholder('redeemed')}::text[]) then 'redeemed' else ${sql.placeholder('ended')} end`,
      updatedAt: given(redeems.updatedAt, 'at'),
    })
    .where(
      and(
        eq(redeems.blockchain, sql.placeholder('blockchain')),
        isOneOf(redeems.status, ['sending']),
        eq(redeems.hash, sql.placeholder('hash')),
      ),
    ),
)

async function finishBridge(
  work: DatabaseWork,
  { row, reference, receipt }: FinalOf<'bridge'>,
): Promise<void> {
  const { sourceChainId, messageId } = reference
  const status = receipt?.status === 'success' ? executionOf(receipt, messageId) : undefined
  // The adapter did not execute the message, so it stays pending and is delivered again.
  if (status === undefined) return
  await work
    .update(bridgeMessages)
    .set({ status, hash: row.hash })
    .where(and(eq(bridgeMessages.sourceChainId, sourceChainId), eq(bridgeMessages.messageId, messageId)))
}

async function finishRedeem(
  work: DatabaseWork,
  { row, reference, receipt, now }: FinalOf<'redeem'>,
): Promise<void> {
  const { blockchain, wallet, nonce } = reference
  const at = new Date(now())
  const [redeem] = await work
    .update(redeems)
    .set({ status: row.status === 'mined' ? 'redeemed' : 'reverted', updatedAt: at })
    .where(
      and(
        eq(redeems.blockchain, blockchain),
        eq(redeems.wallet, wallet),
        eq(redeems.nonce, nonce),
        eq(redeems.hash, row.hash),
      ),
    )
    .returning()
  // Other transaction types run the merchant's code, which could emit fake bridge events. `decent` calls only the adapter.
  if (receipt?.status !== 'success' || redeem?.shape !== 'decent') return
  await noteBridgeMessages(work, { sourceChainId: row.chainId, nonce, logs: receipt.logs, at })
}
