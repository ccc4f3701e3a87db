import { and, eq } from 'drizzle-orm'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { checkHex } from '../../redeemkit/evm/values.ts'
import type { Destination, EvmChain } from '../chains/evmChain.ts'
import { isExecuted, requestedMessages } from '../contracts/bridgeAdapter.ts'
import type { Database } from '../store/database.ts'
import { bridgeMessages, isFor, transactions } from '../store/tables/index.ts'
import type { Pauses } from './createLoop.ts'
import type { Relayer } from './createRelayer.ts'
import { receiptOf, withinLimit } from './relayerChain.ts'

/** Delivers each bridge message once, as soon as the redeem that paid for it is final. Returns whether a message is still pending. */
export async function carryMessages(database: Database, options: carryMessages.Options): Promise<boolean> {
  const { pauses, sourceOf, onError } = options
  const pending = await database.select().from(bridgeMessages).where(eq(bridgeMessages.status, 'pending'))
  let due = false
  for (const message of pending) {
    const { sourceChainId, destinationChainId, messageId } = message
    const source = sourceOf(sourceChainId)
    if (source === undefined) continue
    const destination = source.destinations.get(destinationChainId)
    if (destination === undefined) continue
    if (pauses.has(messageId)) {
      due = true
      continue
    }
    try {
      if (await carry(database, { ...options, message, source, destination })) due = true
    } catch (error) {
      // A failed delivery, for example without liquidity, must not stop the others.
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
    sourceOf: (sourceChainId: number) => EvmChain | undefined
    onError: ((error: unknown) => void) | undefined
  }
}

type Message = carryMessages.Options & {
  message: typeof bridgeMessages.$inferSelect
  source: EvmChain
  destination: Destination
}

/** Returns whether the message was sent now or waits for confirmations on its source chain. */
async function carry(database: Database, options: Message): Promise<boolean> {
  const { relayer, pauses, message, source, destination } = options
  const { sourceChainId, messageId } = message
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'bridge', sourceChainId, messageId }))
  // One attempt at a time. A reverted or dropped attempt is retried; the adapter executes each message only once.
  if (sent.some(({ status }) => status !== 'reverted' && status !== 'dropped')) return false
  if (await isExecuted(destination, checkHex(messageId, 'messageId', { bytes: 32 }))) {
    await database
      .update(bridgeMessages)
      .set({ status: 'executed' })
      .where(and(eq(bridgeMessages.sourceChainId, sourceChainId), eq(bridgeMessages.messageId, messageId)))
    pauses.done(messageId)
    return false
  }
  if (!(await isPaid(source, message))) {
    pauses.failed(messageId)
    return true
  }
  const request = { to: destination.bridgeAdapter, data: checkHex(message.delivery, 'delivery') }
  const gas = await destination.client.estimateGas({ account: destination.operator.address, ...request })
  if (sent.length >= maxAttempts)
    throw new BridgeStuckError(`Bridge message ${messageId} failed ${sent.length} times.`)
  await relayer.send({
    chainId: destination.chainId,
    account: destination.operator,
    reference: { kind: 'bridge', sourceChainId, messageId, attempt: sent.length + 1 },
    // The estimate is the minimum that does not revert, but the inner call may need more.
    request: { ...request, gas: withinLimit((gas * 3n) / 2n + 300_000n, gas) },
  })
  pauses.done(messageId)
  return true
}

/** Whether the source chain still contains the redeem that paid for a message, with at least `confirmations` blocks on top. */
async function isPaid(
  source: EvmChain,
  { messageId, sourceChainId, sourceHash }: Message['message'],
): Promise<boolean> {
  const newest = await source.client.getBlockNumber({ cacheTime: 0 })
  const receipt = await receiptOf(source, sourceHash)
  return (
    receipt !== undefined &&
    receipt.blockNumber + BigInt(source.confirmations) <= newest &&
    requestedMessages(receipt.logs, { sourceChainId }).some(({ id }) => id === messageId)
  )
}

const maxAttempts = 20

class BridgeStuckError extends BaseError {
  override readonly name = 'BridgeStuckError'
}
