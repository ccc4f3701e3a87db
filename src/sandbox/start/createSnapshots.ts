import { unixSeconds } from '../../redeemkit/core/clock.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import type { EvmClient } from '../../redeemkit/evm/client.ts'
import { catchUpTime, nextBlockTime } from '../chains/anvil/chainTime.ts'
import { nodeRequest } from '../chains/anvil/connectPipe.ts'
import type { OpenAnvil } from '../chains/anvil/openAnvil.ts'
import { copyRows, putBackRows } from '../store/copyRows.ts'
import type { MovableClock } from '../store/movableClock.ts'
import type { OpenSandbox } from './openSandbox.ts'

/**
 * Restores EVM chains, database, clock and memory together (PROTOCOL.md 2.10). If only the chains were restored, the service would
 * treat this as a reorg and send its transactions again.
 */
export function createSnapshots(parts: {
  sandbox: Pick<OpenSandbox, 'holdStill'>
  clock: MovableClock
  nodes: readonly Pick<OpenAnvil, 'ask'>[]
  others: readonly string[]
}): { snapshot: () => Promise<string>; revert: (id: string) => Promise<void> } {
  const { sandbox, clock, others } = parts
  const chains = parts.nodes.map((node) => ({ request: nodeRequest(node) }))
  const kept = new Map<string, () => Promise<void>>()
  let count = 0
  return {
    snapshot: () =>
      sandbox.holdStill(async ({ store, keepMemory }) => {
        if (others.length > 0)
          throw new SnapshotUnavailableError(
            `The local ${others.join(' and ')} ledger does not support snapshots.`,
            { fix: `Start the sandbox without ${others.join(' and ')} to use snapshots.` },
          )
        if (store.isShared)
          throw new SnapshotUnavailableError('Other processes may be using this database.', {
            fix: 'Start the sandbox without "databaseUrl" to use snapshots.',
          })
        const [rows, now, offsetMs] = [await copyRows(store.database), unixSeconds(clock), clock.offsetMs()]
        const states = await Promise.all(
          chains.map(async (chain) => ({
            chain,
            aheadSeconds: (await nextBlockTime(chain)) - now,
            state: await snapshotChain(chain),
          })),
        )
        const putBackMemory = keepMemory()
        const id = `snapshot-${++count}`
        kept.set(id, async () => {
          for (const { state } of states) await state.revert()
          await putBackRows(store.database, rows)
          clock.putBack(offsetMs)
          for (const { chain, aheadSeconds } of states)
            await catchUpTime(chain, unixSeconds(clock) + (aheadSeconds > 0n ? aheadSeconds : 0n))
          putBackMemory()
        })
        return id
      }),
    revert: (id) =>
      sandbox.holdStill(async () => {
        const putBack = kept.get(id)
        if (putBack === undefined)
          throw new UnknownSnapshotError(`There is no snapshot ${showValue(id)}.`, {
            field: 'id',
            fix: 'Pass an id from snapshot(). Restoring a snapshot deletes the later ones.',
          })
        await putBack()
        // Restoring has deleted the chains' later snapshots.
        const ids = [...kept.keys()]
        for (const later of ids.slice(ids.indexOf(id) + 1)) kept.delete(later)
      }),
  }
}

/** The sandbox does not support snapshots in this configuration. */
export class SnapshotUnavailableError extends BaseError {
  override readonly name = 'SnapshotUnavailableError'
}

/** The snapshot does not exist or was deleted. */
export class UnknownSnapshotError extends BaseError {
  override readonly name = 'UnknownSnapshotError'
}

type ChainSnapshot = {
  /** May be called repeatedly. Discards pending transactions. The next block's time follows that of the restored chain's newest block. */
  revert: () => Promise<void>
}

async function snapshotChain(chain: EvmClient): Promise<ChainSnapshot> {
  const take = () => chain.request({ method: 'evm_snapshot', params: [] })
  let id = await take()
  return {
    revert: async () => {
      // Otherwise, pending transactions would be mined on the restored chain.
      await chain.request({ method: 'anvil_dropAllTransactions', params: [] })
      // Like a result of `false`, an error means that the snapshot is gone.
      const isBack = await chain.request({ method: 'evm_revert', params: [id] }).catch(() => false)
      if (isBack !== true)
        throw new ChainSnapshotGoneError('The chain no longer has this snapshot.', {
          fix: 'The chain was restored to an earlier snapshot or has ended. Take a new snapshot.',
        })
      // Reverting deletes the snapshot, so take a new one.
      id = await take()
    },
  }
}

/** A local chain no longer has the snapshot. */
export class ChainSnapshotGoneError extends BaseError {
  override readonly name = 'ChainSnapshotGoneError'
}
