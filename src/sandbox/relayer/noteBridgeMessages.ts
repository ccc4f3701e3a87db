import type { Hex, Log } from 'viem'
import { requestedMessages } from '../contracts/bridgeAdapter.ts'
import type { DatabaseWork } from '../store/database.ts'
import { bridgeMessages } from '../store/tables/index.ts'

/**
 * Writes down the message that the bridge adapter sent in a redeem.
 *
 * @param options.logs of the adapter, or of a transaction in which no other code ran
 */
export async function noteBridgeMessages(
  work: Pick<DatabaseWork, 'insert'>,
  options: { sourceChainId: number; wallet: Hex; nonce: Hex; logs: Log[]; at: Date },
): Promise<void> {
  const { sourceChainId, wallet, nonce, logs, at } = options
  for (const { id, destinationChainId, delivery } of requestedMessages(logs, { sourceChainId, nonce }))
    await work
      .insert(bridgeMessages)
      .values({
        sourceChainId,
        messageId: id,
        wallet,
        nonce,
        destinationChainId,
        delivery,
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoNothing()
}
