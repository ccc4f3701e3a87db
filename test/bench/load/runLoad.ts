import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
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

export function anvilProcess(): { cpuMs: number; residentBytes: number } | undefined {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = processStat(pid)
      if (stat?.name === 'anvil' && stat.parent === process.pid) return stat
    }
  } catch {
    // Other operating systems have no `/proc`.
  }
  return undefined
}

type Stat = { name: string; parent: number; cpuMs: number; residentBytes: number }

/** The ID of the main thread is the process ID. */
export function mainThreadCpuMs(): number | undefined {
  return processStat(`self/task/${process.pid}`)?.cpuMs
}

export function processStat(pid: string | number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      name,
      parent: Number(rest[1]),
      // In hundredths of a second.
      cpuMs: (Number(rest[11]) + Number(rest[12])) * 10,
      // In pages.
      residentBytes: Number(rest[21]) * 4_096,
    }
  } catch {
    return undefined
  }
}
