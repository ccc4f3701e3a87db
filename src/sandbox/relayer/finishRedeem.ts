import { and, eq } from 'drizzle-orm'
import { encodeFunctionData, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
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
  await work
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
  if (receipt?.status !== 'success') return
  for (const { args } of parseEventLogs({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeRequested',
    logs: receipt.logs,
  })) {
    // Somebody else's adapter may emit the same event in the same transaction; ours says this redeem's nonce.
    if (args.nonce.toLowerCase() !== nonce) continue
    await work
      .insert(bridgeMessages)
      .values({
        sourceChainId: row.chainId,
        messageId: args.id,
        wallet,
        nonce,
        destinationChainId: Number(args.dstChainId),
        delivery: encodeFunctionData({
          abi: bridgeAdapterAbi,
          functionName: 'execute',
          args: [
            {
              id: args.id,
              customer: args.customer,
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
  }).find(({ args }) => args.id.toLowerCase() === messageId.toLowerCase())
  if (executed === undefined) return
  await work
    .update(bridgeMessages)
    .set({ status: executed.args.success ? 'executed' : 'claimable', hash: row.hash as Hex }) // of the journal
    .where(
      and(eq(bridgeMessages.sourceChainId, Number(sourceChainId)), eq(bridgeMessages.messageId, messageId)),
    )
}
