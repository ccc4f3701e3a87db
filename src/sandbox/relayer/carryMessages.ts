import { and, eq } from 'drizzle-orm'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { checkHex } from '../../redeemkit/evm/values.ts'
import type { Destination } from '../chains/evmChain.ts'
import { isExecuted } from '../contracts/bridgeAdapter.ts'
import type { Database } from '../store/database.ts'
import { isFor } from '../store/isFor.ts'
import { bridgeMessages, transactions } from '../store/tables/index.ts'
import type { Pauses } from './createLoop.ts'
import type { Relayer } from './createRelayer.ts'

/**
 * Delivers paid bridge messages to their destination chain with `BridgeAdapter.execute`, once per message.
 *
 * @returns whether a message is still pending
 */
export async function carryMessages(database: Database, options: carryMessages.Options): Promise<boolean> {
  const { pauses, destinationOf, onError } = options
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
    try {
      if (await carry(database, { ...options, message, destination })) due = true
    } catch (error) {
      // For example no liquidity: this message waits, the others continue.
      due = true
      pauses.failed(messageId)
      onError?.(error)
    }
  }
  return due
}

export declare namespace carryMessages {
  type Options = {
    relayer: Relayer
    pauses: Pauses
    destinationOf: (sourceChainId: number, destinationChainId: number) => Destination | undefined
    onError: ((error: unknown) => void) | undefined
  }
}

type Message = carryMessages.Options & {
  message: typeof bridgeMessages.$inferSelect
  destination: Destination
}

/** @returns whether the message was sent now */
async function carry(database: Database, options: Message): Promise<boolean> {
  const { relayer, pauses, message, destination } = options
  const { sourceChainId, messageId } = message
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'bridge', sourceChainId, messageId }))
  // One attempt at a time. A reverted or dropped one is retried; the adapter executes each message once.
  if (sent.some(({ status }) => status !== 'reverted' && status !== 'dropped')) return false
  if (await isExecuted(destination, checkHex(messageId, 'messageId', { bytes: 32 }))) {
    await database
      .update(bridgeMessages)
      .set({ status: 'executed' })
      .where(and(eq(bridgeMessages.sourceChainId, sourceChainId), eq(bridgeMessages.messageId, messageId)))
    pauses.done(messageId)
    return false
  }
  const request = { to: destination.bridgeAdapter, data: checkHex(message.delivery, 'delivery') }
  const gas = await destination.client.estimateGas({ account: destination.operator.address, ...request })
  if (sent.length >= maxAttempts)
    throw new BridgeStuckError(`Bridge message ${messageId} failed ${sent.length} times.`)
  await relayer.send({
    chainId: destination.chainId,
    account: destination.operator,
    reference: { kind: 'bridge', sourceChainId, messageId, attempt: sent.length + 1 },
    // The estimate is the minimum that does not revert; the inner call may need more.
    request: { ...request, gas: (gas * 3n) / 2n + 300_000n },
  })
  pauses.done(messageId)
  return true
}

const maxAttempts = 20

/** A bridge message repeatedly failed. */
class BridgeStuckError extends BaseError {
  override readonly name = 'BridgeStuckError'
}
