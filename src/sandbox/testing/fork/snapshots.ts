import type { Hex } from 'viem'
import type { Pipe } from '../../chains/anvil/connectPipe.ts'
import { nodeRequest } from '../../chains/anvil/nodeTransport.ts'
import { UnknownSnapshotError } from '../../start/createSnapshots.ts'

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

/** The same way to a node; which accounts others have it play is written down, because its snapshots do not know. */
export function noteImpersonation({ ask }: Pick<Pipe, 'ask'>, noted: Impersonated): Pick<Pipe, 'ask'> {
  return {
    ask: (method, params) => {
      const [, name = ''] = /^(?:anvil|hardhat)_(\w+)$/.exec(method) ?? []
      const [first] = Array.isArray(params) ? params : []
      if (name === 'impersonateAccount' && typeof first === 'string') noted.accounts.add(first.toLowerCase())
      if (name === 'stopImpersonatingAccount' && typeof first === 'string')
        noted.accounts.delete(first.toLowerCase())
      if (name === 'autoImpersonateAccount') noted.all = first === true
      return ask(method, params)
    },
  }
}

type Ask = Pipe['ask']

/**
 * The way to a node that can be closed for a moment: `alone` waits until nothing is being answered, and holds back what comes
 * meanwhile. So nothing that a test left behind lands between two steps of a revert.
 */
export function turnstile(node: { ask: Ask }): {
  ask: Ask
  alone: <result>(work: (ask: Ask) => Promise<result>) => Promise<result>
} {
  let passing = 0
  let closed: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const closeFor = async <result>(work: (ask: Ask) => Promise<result>): Promise<result> => {
    // Closed only when all is quiet: what goes on by itself, step after step, has come to its end then.
    await quiet(() => passing === 0)
    let open = () => {}
    closed = new Promise((resolve) => {
      open = resolve
    })
    try {
      return await work(node.ask)
    } finally {
      closed = undefined
      open()
    }
  }
  return {
    ask: async (method, params) => {
      while (closed !== undefined) await closed
      passing++
      try {
        return await node.ask(method, params)
      } finally {
        passing--
      }
    },
    alone: (work) => {
      const mine = last.then(() => closeFor(work))
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** Resolves when nothing passes, and nothing new has come of what did. */
async function quiet(isQuiet: () => boolean): Promise<void> {
  const until = performance.now() + quietMaximumMs
  for (let still = 0; still < 3 && performance.now() < until; ) {
    await new Promise((resolve) => (isQuiet() ? setImmediate(resolve) : setTimeout(resolve, 1)))
    still = isQuiet() ? still + 1 : 0
  }
}

/** A program that asks without end, as one that waits for a receipt that never comes, is not waited for. */
const quietMaximumMs = 2_000
