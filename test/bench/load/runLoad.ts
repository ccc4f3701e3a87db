import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'

export type Load = {
  url: string
  bodies: readonly string[]
  /** In the order of `bodies`. */
  headers: readonly Record<string, string>[]
  clients: number
  /** The run ends when the chain has this many events since a block. */
  mined: { rpcUrl: string; address: Hex; topic: Hex; fromBlock: Hex; count: number }
}

export type LoadResult = {
  elapsedMs: number
  latencies: number[]
  cpuMs: number
}

/** The same process puts load on both sides of a comparison. */
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
