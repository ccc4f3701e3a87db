import { eq, like } from 'drizzle-orm'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { checkHex } from '../../evm/values/checkHex.ts'
import type { Destination } from '../service/service.ts'
import type { Database } from '../store/database.ts'
import { bridgeMessages, transactions } from '../store/tables.ts'
import type { Pauses } from './createPauses.ts'
import type { Relayer } from './createRelayer.ts'

/**
 * Carries paid bridge messages to their destination chain: `BridgeAdapter.execute`, once per message.
 *
 * @returns whether a message is still to be carried
 */
export async function carryMessages(
  database: Database,
  options: {
    relayer: Relayer
    pauses: Pauses
    destinationOf: (sourceChainId: number, destinationChainId: number) => Destination | undefined
    onError: ((error: unknown) => void) | undefined
  },
): Promise<boolean> {
  const { relayer, pauses, destinationOf, onError } = options
  const pending = await database.select().from(bridgeMessages).where(eq(bridgeMessages.status, 'pending'))
  let due = false
  for (const message of pending) {
    const { sourceChainId, destinationChainId, messageId } = message
    const destination = destinationOf(sourceChainId, destinationChainId)
    if (destination === undefined) continue
    if (pauses.has(messageId)) {
      due = true
      continue
    }
    const prefix = `bridge/${sourceChainId}/${messageId}/`
    const sent = await database
      .select()
      .from(transactions)
      .where(like(transactions.reference, `${prefix}%`))
    // One at a time; a reverted or dropped one is tried again, and the adapter takes each message once.
    if (sent.some(({ status }) => status === 'journalled' || status === 'broadcast' || status === 'mined'))
      continue
    try {
      const done = await destination.client.readContract({
        address: destination.bridgeAdapter,
        abi: bridgeAdapterAbi,
        functionName: 'executed',
        args: [checkHex(messageId, 'messageId', { bytes: 32 })],
      })
      if (done) {
        await database
          .update(bridgeMessages)
          .set({ status: 'executed' })
          .where(eq(bridgeMessages.messageId, messageId))
        pauses.done(messageId)
        continue
      }
      due = true
      const request = { to: destination.bridgeAdapter, data: checkHex(message.delivery, 'delivery') }
      const gas = await destination.client.estimateGas({ account: destination.operator.address, ...request })
      if (sent.length >= maxAttempts)
        throw new BridgeStuckError(`Bridge message ${messageId} failed ${sent.length} times.`)
      await relayer.send({
        chainId: destination.chainId,
        account: destination.operator,
        reference: `${prefix}${sent.length + 1}`,
        // The estimate is the least that does not revert; the call inside may want more.
        request: { ...request, gas: (gas * 3n) / 2n + 300_000n },
      })
      pauses.done(messageId)
    } catch (error) {
      // No liquidity, say: the message waits, and the others go on.
      due = true
      pauses.failed(messageId)
      onError?.(error)
    }
  }
  return due
}

const maxAttempts = 20

/** A message that does not go through. */
export class BridgeStuckError extends BaseError {
  override readonly name = 'BridgeStuckError'
}
