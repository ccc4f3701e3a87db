import { and, eq } from 'drizzle-orm'
import { encodeFunctionData, type Hex, type Log, parseEventLogs, type TransactionReceipt } from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { zeroAddress } from '../../evm/values/checkAddress.ts'
import { bridgeMessages, redeems } from '../store/tables.ts'
import type { DatabaseWork, JournalRow } from './journalTransaction.ts'

/**
 * Writes down what became of a redeem's transaction, and the bridge message that it sent. Part of the database
 * transaction that closes the journal row, so that neither is without the other.
 */
export async function finishRedeem(
  work: DatabaseWork,
  options: { row: JournalRow; receipt: TransactionReceipt | undefined; now: () => number },
): Promise<void> {
  const { row, receipt, now } = options
  const [, blockchain = '', wallet = '', nonce = ''] = row.reference.split('/')
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
  // In the other shapes strangers' code runs, and may say that it was a bridge. In a decent one only the adapter's does.
  if (receipt?.status !== 'success' || redeem?.kind !== 'decent') return
  await noteBridgeMessages(work, { sourceChainId: row.chainId, wallet, nonce, logs: receipt.logs, at })
}

/**
 * Writes down the message that the bridge adapter sent in a redeem.
 *
 * @param options.logs of the adapter, or of a transaction in which nobody else's code ran
 */
export async function noteBridgeMessages(
  work: Pick<DatabaseWork, 'insert'>,
  options: { sourceChainId: number; wallet: string; nonce: string; logs: Log[]; at: Date },
): Promise<void> {
  const { sourceChainId, wallet, nonce, logs, at } = options
  for (const { address, args } of parseEventLogs({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeRequested',
    logs,
  })) {
    if (args.nonce.toLowerCase() !== nonce) continue
    await work
      .insert(bridgeMessages)
      .values({
        sourceChainId,
        messageId: args.id,
        wallet,
        nonce,
        destinationChainId: Number(args.dstChainId),
        delivery: encodeFunctionData({
          abi: bridgeAdapterAbi,
          functionName: 'execute',
          args: [
            {
              srcChainId: BigInt(sourceChainId),
              srcAdapter: address,
              number: args.number,
              customer: args.customer,
              nonce: args.nonce,
              amount: args.amount,
              token: args.isNative ? zeroAddress : args.dstToken,
              cost: args.cost,
              target: args.target,
              data: args.data,
              minimumGas: args.minimumGas,
            },
          ],
        }),
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoNothing()
  }
}

/** Writes down what became of a message on the destination chain. */
export async function finishBridge(
  work: DatabaseWork,
  options: { row: JournalRow; receipt: TransactionReceipt | undefined },
): Promise<void> {
  const { row, receipt } = options
  const [, sourceChainId = '', messageId = ''] = row.reference.split('/')
  if (receipt?.status !== 'success') return
  const executed = parseEventLogs({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeExecuted',
    logs: receipt.logs,
  }).find(
    // Only the adapter that was called speaks for the message; its target may emit what it likes.
    ({ address, args }) =>
      address.toLowerCase() === receipt.to?.toLowerCase() &&
      args.id.toLowerCase() === messageId.toLowerCase(),
  )
  if (executed === undefined) return
  await work
    .update(bridgeMessages)
    .set({ status: executed.args.success ? 'executed' : 'claimable', hash: row.hash as Hex }) // of the journal
    .where(
      and(eq(bridgeMessages.sourceChainId, Number(sourceChainId)), eq(bridgeMessages.messageId, messageId)),
    )
}
