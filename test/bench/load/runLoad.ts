import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'

/** Bodies to post, and when they have done what they are for. */
export type Load = {
  url: string
  bodies: readonly string[]
  /** One for each body. */
  headers: readonly Record<string, string>[]
  clients: number
  /** The run ends when the chain has this many events since a block. */
  mined: { rpcUrl: string; address: Hex; topic: Hex; fromBlock: Hex; count: number }
}

export type LoadResult = {
  elapsedMs: number
  /** Of each answer. */
  latencies: number[]
  /** CPU time of the clients. */
  cpuMs: number
}

/** Starts the clients' process. Both sides of a comparison are loaded by the same one. */
export function startClients(): { run: (load: Load) => Promise<LoadResult>; stop: () => void } {
  const child = fork(fileURLToPath(new URL('clients.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  return {
    run: async (load) => {
      child.send(load)
      const [{ result, error }] = await once(child, 'message')
      if (error !== undefined) throw new Error(error)
      return result
    },
    stop: () => child.kill(),
  }
}
