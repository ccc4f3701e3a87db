import type { Hex } from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { greatest, least } from '../../redeemkit/core/amount.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { zeroAddress } from '../../redeemkit/evm/checkAddress.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { requestedMessages } from '../contracts/bridgeAdapter.ts'
import { readBridgeAdapter } from '../contracts/creditsReads.ts'
import type { Database, DatabaseWork } from '../store/database.ts'
import { bridgeMessages } from '../store/tables/index.ts'
import { createPauses } from './createLoop.ts'

/** Looks for bridge messages of redeems that third parties relayed. A failing node does not delay other chains. */
export function watchBridges(options: watchBridges.Options): (database: Database) => Promise<void> {
  const { now, wake, onError } = options
  const sources = [...options.chains.values()].filter(({ destinations }) => destinations.size > 0)
  const seen = new Map<number, SeenBlock>()
  const pauses = createPauses(now)
  let lookedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  return async (database) => {
    if (sources.length === 0 || performance.now() - lookedAt < watchEveryMs - slackMs) return
    lookedAt = performance.now()
    clearTimeout(timer)
    for (const chain of sources) {
      const { blockchain } = chain
      await pauses.run(
        blockchain,
        () => noteMessagesOnChain(database, { chain, seen, at: new Date(now()) }),
        (cause) =>
          onError?.(
            new BridgeWatchError(`The bridge messages of ${blockchain} could not be read.`, { cause }),
          ),
      )
    }
    timer = setTimeout(wake, watchEveryMs).unref()
  }
}

const watchEveryMs = 1_000
/** A check may run this much early. Otherwise an idle service would run two passes per second. */
const slackMs = 100

export declare namespace watchBridges {
  type Options = {
    chains: ReadonlyMap<string, EvmChain>
    now: () => number
    wake: () => void
    onError: ((error: unknown) => void) | undefined
  }
}

class BridgeWatchError extends BaseError {
  override readonly name = 'BridgeWatchError'
}

/** Stores the messages in `logs`, which must be the adapter's logs, or those of a transaction that ran no other code. */
export async function noteBridgeMessages(
  work: Pick<DatabaseWork, 'insert'>,
  options: { sourceChainId: number; nonce?: Hex; logs: MinedLog[]; at: Date },
): Promise<void> {
  const { sourceChainId, at } = options
  for (const { id, customer, sourceHash, ...message } of requestedMessages(options.logs, options))
    await work
      .insert(bridgeMessages)
      .values({
        ...message,
        sourceChainId,
        messageId: id,
        wallet: customer,
        status: 'pending',
        sourceHash,
        createdAt: at,
      })
      .onConflictDoUpdate({
        target: [bridgeMessages.sourceChainId, bridgeMessages.messageId],
        // After a reorg, another transaction may have sent a known message.
        set: { sourceHash },
      })
}

type MinedLog = Parameters<typeof requestedMessages>[0][number]

/**
 * Stores the messages in a chain's new blocks. The first call starts 5,000 blocks back; after a reorg, a call starts 5,000 blocks before
 * the last block that was read.
 */
async function noteMessagesOnChain(
  database: Database,
  options: { chain: EvmChain; seen: Map<number, SeenBlock>; at: Date },
): Promise<void> {
  const { chain, seen, at } = options
  const { chainId, client } = chain
  const newest = await client.getBlock()
  const last = seen.get(chainId)
  const isKept = last !== undefined && (await isCanonical(chain, { last, newest }))
  const fromBlock = isKept
    ? last.number + 1n
    : greatest(least(newest.number, last?.number ?? newest.number) - lookBack, 0n)
  if (fromBlock > newest.number) return
  const toBlock = least(newest.number, fromBlock + lookBack)
  // Read before the logs: a reorg in between changes the hash, so the next call reads these blocks again.
  const end = toBlock === newest.number ? newest : await client.getBlock({ blockNumber: toBlock })
  const adapter = await readBridgeAdapter(chain)
  const logs =
    adapter === zeroAddress
      ? []
      : await client.getContractEvents({
          address: adapter,
          abi: bridgeAdapterAbi,
          eventName: 'BridgeRequested',
          fromBlock,
          toBlock,
        })
  await noteBridgeMessages(database, { sourceChainId: chainId, logs, at })
  seen.set(chainId, end)
}

type SeenBlock = { number: bigint; hash: Hex }

/** Whether a block is still part of the chain, so that neither a reorg nor a restored snapshot removed it. */
async function isCanonical(
  { client }: EvmChain,
  { last, newest }: { last: SeenBlock; newest: SeenBlock },
): Promise<boolean> {
  if (last.number >= newest.number) return last.hash === newest.hash
  const { hash } = await client.getBlock({ blockNumber: last.number })
  return hash === last.hash
}

const lookBack = 5_000n
