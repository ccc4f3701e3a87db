import type { Hex } from 'viem'
import { nodeRequest } from '../../chains/anvil/connectPipe.ts'
import { UnknownSnapshotError } from '../../start/createSnapshots.ts'
import type { turnstile } from './turnstile.ts'

/** A state of a chain that can be gone back to, any number of times. */
export type Snapshot = { readonly snapshot: number }

type Node = ReturnType<typeof turnstile>

/** What Anvil's own snapshots leave out. */
type Kept = {
  id: Hex
  /** Seconds that the chain's clock is ahead of this machine's. */
  clockOffset: number
  automine: boolean
  intervalMining: number | null
  baseFeePerGas: Hex
  coinbase: Hex
}

/**
 * Takes and restores snapshots of a chain: of its state, and of what Anvil's own leave as it is, which are its clock, base fee,
 * way of mining, coinbase, the accounts that are played, and the transactions that wait.
 *
 * @param impersonated accounts that the tests have Anvil play, and whether all of them
 */
export function snapshots(
  node: Node,
  impersonated: Impersonated,
): { take: () => Promise<Snapshot>; restore: (snapshot: Snapshot) => Promise<void> } {
  const kept = new Map<Snapshot, Kept & Impersonated>()
  let next = 1
  const take = async (ask: ReturnType<typeof nodeRequest>): Promise<Kept> => {
    const [clockOffset, automine, intervalMining, block, id] = await Promise.all([
      ask({ method: 'evm_increaseTime', params: [0] }),
      ask({ method: 'anvil_getAutomine' }),
      ask({ method: 'anvil_getIntervalMining' }),
      ask({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
      ask({ method: 'evm_snapshot' }),
    ])
    // As Anvil answers them.
    const { baseFeePerGas, miner } = block as { baseFeePerGas: Hex; miner: Hex }
    return {
      id: id as Hex,
      clockOffset: Number(clockOffset),
      automine: automine === true,
      intervalMining: intervalMining as number | null,
      baseFeePerGas,
      coinbase: miner,
    }
  }
  return {
    take: () =>
      node.alone(async (ask) => {
        const snapshot: Snapshot = { snapshot: next++ }
        kept.set(snapshot, {
          ...(await take(nodeRequest({ ask }))),
          all: impersonated.all,
          accounts: new Set(impersonated.accounts),
        })
        return snapshot
      }),
    restore: (snapshot) =>
      node.alone(async (asking) => {
        const ask = nodeRequest({ ask: asking })
        const old = kept.get(snapshot)
        if (old === undefined) throw noSnapshot()
        await ask({ method: 'anvil_dropAllTransactions' })
        if ((await ask({ method: 'evm_revert', params: [old.id] })) !== true) throw noSnapshot()
        // Those that were taken since are gone with their state.
        for (const one of kept.keys()) if (one.snapshot > snapshot.snapshot) kept.delete(one)
        await restoreRest(ask, old, impersonated)
        // Going back uses Anvil's up.
        kept.set(snapshot, { ...old, id: (await ask({ method: 'evm_snapshot' })) as Hex })
      }),
  }
}

export declare namespace snapshots {
  type ErrorType = UnknownSnapshotError | nodeRequest.ErrorType
}

/** Accounts that Anvil sends for without their keys. */
export type Impersonated = { all: boolean; accounts: Set<string> }

async function restoreRest(
  ask: ReturnType<typeof nodeRequest>,
  old: Kept & Impersonated,
  impersonated: Impersonated,
): Promise<void> {
  // It set the clock back to the snapshot's last block.
  const offset = Number(await ask({ method: 'evm_increaseTime', params: [0] }))
  await Promise.all([
    ask({ method: 'anvil_removeBlockTimestampInterval' }),
    ask({ method: 'evm_increaseTime', params: [Math.max(0, old.clockOffset - offset)] }),
    ask({ method: 'anvil_setNextBlockBaseFeePerGas', params: [old.baseFeePerGas] }),
    ask({ method: 'anvil_setCoinbase', params: [old.coinbase] }),
    ask({ method: 'evm_setIntervalMining', params: [old.intervalMining ?? 0] }).then(() =>
      ask({ method: 'evm_setAutomine', params: [old.automine] }),
    ),
    ask({ method: 'anvil_autoImpersonateAccount', params: [old.all] }),
    ...[...impersonated.accounts]
      .filter((account) => !old.accounts.has(account))
      .map((account) => ask({ method: 'anvil_stopImpersonatingAccount', params: [account] })),
  ])
  impersonated.all = old.all
  impersonated.accounts = new Set(old.accounts)
}

function noSnapshot(): UnknownSnapshotError {
  return new UnknownSnapshotError('This chain has no such snapshot.', {
    fix: 'Give what snapshot() of the same fork returned. Going back to a snapshot forgets those that were taken after it.',
  })
}
