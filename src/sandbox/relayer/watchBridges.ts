import type { Hex, Log } from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { zeroAddress } from '../../redeemkit/evm/checkAddress.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { requestedMessages } from '../contracts/bridgeAdapter.ts'
import { readBridgeAdapter } from '../contracts/creditsReads.ts'
import type { Database, DatabaseWork } from '../store/database.ts'
import { bridgeMessages } from '../store/tables/index.ts'
import { createPauses } from './createLoop.ts'

/**
 * Watches for bridge messages of redeems that third parties relayed, at most once per second, even when idle. A node that
 * does not respond delays nothing else and is retried with growing pauses.
 *
 * @returns a function to call in every pass; it does nothing before its time
 */
export function watchBridges(options: watchBridges.Options): (database: Database) => Promise<void> {
  const { now, wake, onError } = options
  const sources = [...options.chains.values()].filter(({ destinations }) => destinations.size > 0)
  const seen = new Map<number, bigint>()
  const pauses = createPauses(now)
  let lookedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  return async (database) => {
    if (sources.length === 0 || performance.now() - lookedAt < watchEveryMs - slackMs) return
    lookedAt = performance.now()
    clearTimeout(timer)
    for (const chain of sources) {
      const { blockchain } = chain
      if (pauses.has(blockchain)) continue
      try {
        await noteMessagesOnChain(database, { chain, seen, at: new Date(now()) })
        pauses.done(blockchain)
      } catch (cause) {
        pauses.failed(blockchain)
        onError?.(new BridgeWatchError(`The bridge messages of ${blockchain} could not be read.`, { cause }))
      }
    }
    timer = setTimeout(wake, watchEveryMs).unref()
  }
}

const watchEveryMs = 1_000
/** Tolerance, so that a pass that runs slightly early also watches. Otherwise an idle service would run two per second. */
const slackMs = 100

export declare namespace watchBridges {
  type Options = {
    chains: ReadonlyMap<string, EvmChain>
    now: () => number
    wake: () => void
    onError: ((error: unknown) => void) | undefined
  }
}

/** A chain's bridge messages could not be read. This is retried. */
class BridgeWatchError extends BaseError {
  override readonly name = 'BridgeWatchError'
}

/**
 * Records the message that the bridge adapter sent in a redeem.
 *
 * @param options.logs logs of the adapter, or of a transaction in which no other code ran
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

/**
 * Records the messages a chain's adapter has sent since the last call, for redeems relayed by any party. The first call
 * goes 5,000 blocks back; known messages are not changed.
 *
 * @param seen the next block to read, by chain id; updated by this function
 */
async function noteMessagesOnChain(
  database: Database,
  options: { chain: EvmChain; seen: Map<number, bigint>; at: Date },
): Promise<void> {
  const { chain, seen, at } = options
  const { chainId, client } = chain
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const next = seen.get(chainId) ?? (newest > lookBack ? newest - lookBack : 0n)
  // After a reorg or a restored snapshot, read the chain again.
  const fromBlock = next > newest + 1n ? 0n : next
  if (fromBlock > newest) return
  const adapter = await readBridgeAdapter(chain)
  const logs =
    adapter === zeroAddress
      ? []
      : await client.getContractEvents({
          address: adapter,
          abi: bridgeAdapterAbi,
          eventName: 'BridgeRequested',
          fromBlock,
          toBlock: newest,
        })
  for (const { id, customer, nonce, destinationChainId, delivery } of requestedMessages(logs, {
    sourceChainId: chainId,
  }))
    await database
      .insert(bridgeMessages)
      .values({
        sourceChainId: chainId,
        messageId: id,
        wallet: customer,
        nonce,
        destinationChainId,
        delivery,
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoNothing()
  seen.set(chainId, newest + 1n)
}

const lookBack = 5_000n
