import type { Hex } from 'viem'
import { nodeRequest, type Pipe } from '../chains/anvil/connectPipe.ts'
import { UnknownSnapshotError } from '../start/createSnapshots.ts'

/** A state of a chain that can be restored repeatedly. */
export type Snapshot = { readonly snapshot: number }

type Node = ReturnType<typeof exclusiveNode>

/** State that Anvil's own snapshots do not include. */
type Kept = {
  id: Hex
  /** Offset of the chain's clock from the system clock, in seconds. */
  clockOffset: number
  automine: boolean
  intervalMining: number | null
  baseFeePerGas: Hex
  coinbase: Hex
}

/**
 * Unlike Anvil's own snapshots, these include the clock, base fee, mining mode, coinbase and impersonated accounts, and restoring one
 * drops pending transactions.
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
        // Reverting has deleted later snapshots.
        for (const one of kept.keys()) if (one.snapshot > snapshot.snapshot) kept.delete(one)
        await restoreRest(ask, old, impersonated)
        // Reverting deletes Anvil's snapshot, so take a new one.
        kept.set(snapshot, { ...old, id: (await ask({ method: 'evm_snapshot' })) as Hex })
      }),
  }
}

/** The impersonated accounts: all accounts, or the accounts in the set. */
export type Impersonated = { all: boolean; accounts: Set<string> }

async function restoreRest(
  ask: ReturnType<typeof nodeRequest>,
  old: Kept & Impersonated,
  impersonated: Impersonated,
): Promise<void> {
  // The revert has set the clock to the snapshot's last block.
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
  return new UnknownSnapshotError('The snapshot does not exist on this chain.', {
    fix: 'Pass the result of snapshot() of the same fork. Reverting to a snapshot deletes later ones.',
  })
}

/** Wraps a node and records which accounts are impersonated, because Anvil's snapshots do not include them. */
export function recordImpersonation({ ask }: Pick<Pipe, 'ask'>, noted: Impersonated): Pick<Pipe, 'ask'> {
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

/** `alone` waits for pending requests and holds back new ones, so that no earlier request runs between two steps of a revert. */
export function exclusiveNode(node: { ask: Ask }): {
  ask: Ask
  alone: <result>(work: (ask: Ask) => Promise<result>) => Promise<result>
} {
  let pending = 0
  let closed: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const closeFor = async <result>(work: (ask: Ask) => Promise<result>): Promise<result> => {
    // Also waits for follow-up requests.
    await quiet(() => pending === 0)
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
      pending++
      try {
        return await node.ask(method, params)
      } finally {
        pending--
      }
    },
    alone: (work) => {
      const mine = last.then(() => closeFor(work))
      // The caller of `alone` handles the error; the next work must still run.
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** Resolves once no request is pending and none follows. */
async function quiet(isQuiet: () => boolean): Promise<void> {
  const until = performance.now() + quietMaximumMs
  for (let still = 0; still < 3 && performance.now() < until; ) {
    await new Promise((resolve) => (isQuiet() ? setImmediate(resolve) : setTimeout(resolve, 1)))
    still = isQuiet() ? still + 1 : 0
  }
}

/** Time limit, because a program may poll forever. */
const quietMaximumMs = 2_000
