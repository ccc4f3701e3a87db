import { and, eq, min } from 'drizzle-orm'
import { zeroHash } from 'viem'
import { least } from '../../../redeemkit/core/amount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { createLoop, createPauses, type Loop } from '../../relayer/createLoop.ts'
import type { Database } from '../../store/database.ts'
import { eventCursors, intents } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { type ChainBlock, deepBlock, newestBlock, readBlock, readRedeemed } from './readRedeemed.ts'
import { recordRedeemed } from './recordRedeemed.ts'

/**
 * Follows the `Redeemed` events of each credits contract, including those of redeems that third parties relayed. Each chain has its own
 * loop, so that a hanging node does not delay other chains. Contracts with random nonces emit no such event.
 */
export function followRedeemed(
  service: Service,
  { onRecorded }: { onRecorded: () => void },
): RedeemedFollower {
  const chains = service.kind === 'randomNonce' ? [] : [...service.chains.values()]
  const loops = chains.map((chain) => {
    const pauses = createPauses(service.now)
    const look = createLook(service, chain)
    const loop: Loop = createLoop({
      pauseMs: lookEveryMs,
      spacingMs: 100,
      onError: (error) => service.onError?.(error),
      pass: async () => {
        const readAll = async () => {
          // If more than one range is missing, the loop continues immediately.
          for (let isBehind = true; isBehind; isBehind &&= !loop.isStopped()) {
            const result = await look(await service.database())
            if (result.hasRecorded) onRecorded()
            isBehind = result.isBehind
          }
        }
        await pauses.run('node', readAll, (cause) =>
          service.onError?.(
            new OrderWatchError(`The redeems of ${chain.blockchain} could not be followed.`, { cause }),
          ),
        )
        return true
      },
    })
    return loop
  })
  const each = (what: 'wake' | 'nudge' | 'start') => () => {
    for (const loop of loops) loop[what]()
  }
  return {
    wake: each('wake'),
    nudge: each('nudge'),
    start: each('start'),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

export type RedeemedFollower = {
  /** Checks every chain immediately, after a redeem was mined. */
  wake: () => void
  /** Checks every chain soon, then once per second. */
  nudge: () => void
  start: () => void
  stop: () => Promise<void>
}

const lookEveryMs = 1_000

/** Maximum number of blocks for which nodes return events in one response. */
const largestRange = 2_000n

/** Number of blocks to go back after a reorg that was deeper than the confirmations. */
const rewindBlocks = 5_000n

type Cursor = Pick<typeof eventCursors.$inferSelect, 'startBlock' | 'blockNumber' | 'blockHash'>

/** Creates the function for one pass over a chain. The last block stays in memory, so a pass without a new block costs one request. */
function createLook(service: Service, chain: EvmChain) {
  let seen: { newest: ChainBlock; cursor: Cursor } | undefined
  return async (database: Database): Promise<{ hasRecorded: boolean; isBehind: boolean }> => {
    const nothing = { hasRecorded: false, isBehind: false }
    const newest = await newestBlock(chain)
    if (newest.hash === seen?.newest.hash) return nothing
    const deep = await deepBlock(chain, newest)
    if (deep === undefined) return nothing
    const cursor = seen?.cursor ?? (await findCursor(database, { chain, deep }))
    seen = undefined
    const fromBlock = cursor.blockNumber + 1n
    const toBlock = least(deep.number, cursor.blockNumber + largestRange)
    const [isReplaced, last, events] = await Promise.all([
      isReplacedSince(chain, { cursor, deep }),
      toBlock === deep.number ? deep : readBlock(chain, toBlock),
      fromBlock > toBlock ? [] : readRedeemed(chain, { fromBlock, toBlock }),
    ])
    if (isReplaced) {
      const blockNumber = rewound(cursor, deep)
      const block = await readBlock(chain, blockNumber)
      await moveCursor(database, { chain, cursor, to: { blockNumber, blockHash: block?.hash ?? zeroHash } })
      return { hasRecorded: false, isBehind: true }
    }
    if (fromBlock > toBlock) {
      if (toBlock === cursor.blockNumber) seen = { newest, cursor }
      return nothing
    }
    const blockHash = last?.hash ?? zeroHash
    // A reorg happened during the read; the next pass reads again.
    if (events.some((event) => event.blockNumber === toBlock && event.blockHash !== blockHash)) return nothing
    const to = { startBlock: cursor.startBlock, blockNumber: toBlock, blockHash }
    const isMine =
      events.length === 0
        ? await moveCursor(database, { chain, cursor, to })
        : await database.transaction(async (work) => {
            // The cursor is moved first. If two processes run, only the one that moves it records the events.
            if (!(await moveCursor(work, { chain, cursor, to }))) return false
            await recordRedeemed(work, { chain, events, at: new Date(service.now()) })
            return true
          })
    if (!isMine) return nothing
    const isBehind = toBlock < deep.number
    if (!isBehind) seen = { newest, cursor: to }
    return { hasRecorded: events.length > 0, isBehind }
  }
}

/** Whether a reorg removed the cursor's block. If the node does not have the block, that proves nothing. */
async function isReplacedSince(
  chain: EvmChain,
  { cursor, deep }: { cursor: Cursor; deep: ChainBlock },
): Promise<boolean> {
  // One URL may serve several nodes, some of which lag by a few blocks.
  const behind = cursor.blockNumber - deep.number
  if (behind > 0n) return chain.confirmations === 0 || behind > BigInt(chain.confirmations)
  if (cursor.blockHash === zeroHash) return false
  if (deep.number === cursor.blockNumber) return deep.hash !== cursor.blockHash
  if (deep.number === cursor.blockNumber + 1n) return deep.parentHash !== cursor.blockHash
  const block = await readBlock(chain, cursor.blockNumber)
  return block !== undefined && block.hash !== cursor.blockHash
}

function rewound({ startBlock, blockNumber }: Cursor, deep: ChainBlock): bigint {
  const from = least(deep.number, blockNumber) - rewindBlocks
  const start = least(startBlock, deep.number)
  return from > start ? from : start
}

/** Returns the last block whose events were read. Initially, it is the block before the first redeem that this service prepared. */
async function findCursor(
  database: Database,
  { chain, deep }: { chain: EvmChain; deep: ChainBlock },
): Promise<Cursor> {
  const { blockchain } = chain
  const ofContract = whereOf(chain)
  const [known] = await database.select().from(eventCursors).where(ofContract)
  if (known !== undefined) return known
  const [first] = await database
    .select({ blockNumber: min(intents.blockNumber) })
    .from(intents)
    .where(eq(intents.blockchain, blockchain))
  const blockNumber = least(deep.number, first?.blockNumber ?? deep.number)
  const block = blockNumber === deep.number ? deep : await readBlock(chain, blockNumber)
  await database
    .insert(eventCursors)
    .values({
      blockchain,
      creditsContract: chain.creditsContract,
      startBlock: blockNumber,
      blockNumber,
      blockHash: block?.hash ?? zeroHash,
    })
    .onConflictDoNothing()
  const [made] = await database.select().from(eventCursors).where(ofContract)
  if (made === undefined) throw new Error('The cursor was not stored.')
  return made
}

/** Returns false if another process has moved the cursor. */
async function moveCursor(
  work: Pick<Database, 'update'>,
  options: { chain: EvmChain; cursor: Cursor; to: Pick<Cursor, 'blockNumber' | 'blockHash'> },
): Promise<boolean> {
  const { chain, cursor, to } = options
  const { blockNumber, blockHash } = to
  const moved = await work
    .update(eventCursors)
    .set({ blockNumber, blockHash })
    .where(
      and(
        whereOf(chain),
        eq(eventCursors.blockNumber, cursor.blockNumber),
        eq(eventCursors.blockHash, cursor.blockHash),
      ),
    )
    .returning({ blockNumber: eventCursors.blockNumber })
  return moved.length > 0
}

const whereOf = ({ blockchain, creditsContract }: EvmChain) =>
  and(eq(eventCursors.blockchain, blockchain), eq(eventCursors.creditsContract, creditsContract))

class OrderWatchError extends BaseError {
  override readonly name = 'OrderWatchError'
}
